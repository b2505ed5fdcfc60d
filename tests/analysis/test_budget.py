from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.analysis.budget import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("a", 1),
        ("rules", 1),
        ("refund", 2),
        ("The refund window is 45 days.", 1 + 2 + 2 + 1 + 1 + 1 + 1),
        ("2024", 2),
        ("ERR-4012", 1 + 1 + 2),
        ("правило", 3),
        ("员工补贴", 4),
        ("한국어", 3),
        ("| a | b |", 5),
        ("🙂", 1),
    ],
)
def test_words_count_by_their_letters_and_signs_count_one(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_adding_text_never_lowers_the_estimate_and_never_raises_it_above_the_sum(left: str, right: str) -> None:
    together = count_tokens(left + right)
    assert max(count_tokens(left), count_tokens(right)) <= together <= count_tokens(left) + count_tokens(right)
