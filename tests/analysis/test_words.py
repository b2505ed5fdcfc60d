from __future__ import annotations

import pytest

from evidex.analysis.scripts import marks
from evidex.analysis.words import apart, clusters, folded, normalized, raw_words, simplified


def test_raw_words_keep_their_case_and_their_joints() -> None:
    text = "See os.path, ERR-4012 and don't_do; 1,000 in C++ (end)."
    assert raw_words(text) == ["See", "os.path", "ERR-4012", "and", "don't_do", "1,000", "in", "C++", "end"]


def test_ascii_and_other_text_are_read_alike() -> None:
    text = "See os.path, ERR-4012 and don't_do; 1,000 in C++ or F# (end)."
    assert raw_words(text + " é") == [*raw_words(text), "é"]


def test_typographic_hyphens_and_apostrophes_become_plain_ones() -> None:
    assert normalized("ERR‑4012 company’s") == "ERR-4012 company's"


@pytest.mark.parametrize("character", "\u00a0±·‐’‘“”–—−")
def test_common_punctuation_can_be_made_ascii_without_a_change_of_words(character: str) -> None:
    for mark in ("", *marks()):
        text = f"a{character}{mark}b{character}"
        assert simplified(text).isascii() == (not mark)
        assert raw_words(simplified(text)) == raw_words(text)


def test_marks_and_joiners_stay_inside_their_word() -> None:
    assert raw_words("हिन्दी می\u200cخواهم infor\u00admation") == ["हिन्दी", "می\u200cخواهم", "infor\u00admation"]
    assert folded("infor\u00admation") == "information"


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("1,000", ["1,000"]),
        ("1,000.50", ["1,000.50"]),
        ("one,two", ["one", "two"]),
        ("word#", ["word"]),
        ("C#", ["C#"]),
    ],
)
def test_only_numbers_keep_their_commas_and_only_languages_their_signs(word: str, parts: list[str]) -> None:
    assert apart(word) == parts


def test_clusters_are_letters_with_their_marks() -> None:
    assert clusters("ที่นี่") == ["ที่", "นี่"]
