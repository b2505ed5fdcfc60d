from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
