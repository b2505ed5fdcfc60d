from __future__ import annotations

import pytest

from evidex.analysis.invisible import is_invisible


@pytest.mark.parametrize("character", ["\u200b", "\u202e", "\U000e0041", "\u00ad", "\x07", "\ufffe", "\ud800"])
def test_controls_formats_and_what_is_no_character_are_invisible(character: str) -> None:
    assert is_invisible(character)


@pytest.mark.parametrize("character", ["a", "é", "東", "-", " ", "\t", "\n", "\u3000", "\u0301", "🙂"])
def test_letters_marks_signs_and_white_space_are_not(character: str) -> None:
    assert not is_invisible(character)
