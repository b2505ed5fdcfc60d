from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import GenerationError
from evidex.index.strings import Strings

any_text = st.text(st.characters(), max_size=8)


@given(st.lists(any_text))
def test_strings_come_back_as_they_went_in(strings: list[str]) -> None:
    assert list(Strings.of(strings)) == strings
    assert len(Strings.of(strings)) == len(strings)


@given(st.sets(any_text), any_text)
def test_sorted_strings_are_found_by_bisection(strings: set[str], other: str) -> None:
    ordered = sorted(strings)
    packed = Strings.of(ordered)
    assert [packed.find(string) for string in ordered] == list(range(len(ordered)))
    assert packed.find(other) == (ordered.index(other) if other in strings else -1)


def test_lone_surrogates_survive() -> None:
    assert list(Strings.of(["\ud800", "a\udfffb"])) == ["\ud800", "a\udfffb"]


@given(st.lists(any_text, min_size=1), st.data())
def test_a_flipped_bit_gives_another_string_or_an_error_that_names_the_file(
    strings: list[str], data: st.DataObject
) -> None:
    packed = replace(Strings.of([*strings, "é"]), file=Path("generation/texts.bin"))
    blob = packed.blob.copy()
    blob[data.draw(st.integers(0, len(blob) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    damaged = replace(packed, blob=blob)
    try:
        assert list(damaged) != list(packed)
    except GenerationError as error:
        assert "texts.bin' is not UTF-8" in str(error)


def test_bytes_that_are_not_utf8_are_an_error_that_says_what_to_do() -> None:
    packed = Strings.of(["é"])
    with pytest.raises(GenerationError, match=r"is not UTF-8 .* Run 'evidex doctor'"):
        replace(packed, blob=packed.blob[::-1].copy())[0]
