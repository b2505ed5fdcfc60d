from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.grounding.locate import places, shown

TEXT = "You can't return it.\nRefunds take 45 days,\n or 3-5 days of un\u00adused  credit; 2.5 GB stay.\u200b Done."


def said(quote: str, text: str = TEXT) -> list[str]:
    return [text[start:end] for start, end in places(quote, text, 0, len(text))]


def test_a_quote_is_found_as_the_text_has_it() -> None:
    assert said("Refunds take 45 days") == ["Refunds take 45 days"]


def test_any_run_of_white_space_equals_any_other() -> None:
    assert said("45 days, or\t3-5 days") == ["45 days,\n or 3-5 days"]


def test_characters_that_nobody_sees_count_on_neither_side() -> None:
    assert said("unused credit") == ["un\u00adused  credit"]
    assert said("GB stay\u200d. Done.") == ["GB stay.\u200b Done."]


@pytest.mark.parametrize(
    "quote", ["You can", "5 days,", "5 days of", "efunds take", "5 GB stay", "Refunds take 4", "GB st"]
)
def test_a_match_neither_begins_nor_ends_inside_a_word_or_a_number(quote: str) -> None:
    assert said(quote) == []


def test_a_word_with_a_prefix_says_another_thing() -> None:
    assert said("able to pay", "Customers unable to pay") == []
    assert said("refundable items", "Non-refundable items") == []
    assert said("refundable items", "Non-refundable items; refundable items") == ["refundable items"]


def test_scripts_without_spaces_are_matched_at_any_letter() -> None:
    assert said("退款期限", "当前退款期限为45天。") == ["退款期限"]


def test_case_and_code_points_are_exact() -> None:
    assert said("refunds take") == []
    assert said("caf\u00e9 hours", "cafe\u0301 hours") == []


@pytest.mark.parametrize("quote", ["", " \n\t", "\u200b\u202e"])
def test_a_blank_quote_is_found_nowhere(quote: str) -> None:
    assert said(quote) == []


def test_only_the_span_asked_for_is_searched() -> None:
    assert list(places("one two", "one two one two", 4, 15)) == [(8, 15)]
    assert list(places("two", "one two", 0, 6)) == []


@given(st.text(), st.integers(0, 20), st.integers(0, 20))
def test_every_place_shows_the_quote(text: str, start: int, length: int) -> None:
    quote = text[start : start + length]
    for begin, end in places(quote, text, 0, len(text)):
        assert shown(text[begin:end]) == shown(quote)
