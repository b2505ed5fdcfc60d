from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.metrics.token_f1 import token_f1


def test_f1_is_the_harmonic_mean_of_precision_and_recall_over_content_terms() -> None:
    # said: refund take 45 day; wanted: 45 calendar day
    precision, recall = 2 / 4, 2 / 3

    found = token_f1("The refund takes 45 days.", "45 calendar days")

    assert found == pytest.approx(2 * precision * recall / (precision + recall))


def test_a_word_counts_as_often_as_both_have_it() -> None:
    assert token_f1("very very very good", "very very bad") == pytest.approx(2 * 2 / (4 + 3))


def test_an_identifier_counts_once_and_shares_nothing_with_another() -> None:
    assert token_f1("ERR-4012", "ERR-4013") == 0
    assert token_f1("err-4012", "ERR-4012") == 1


def test_an_answer_that_says_nothing_has_0_and_a_reference_that_says_nothing_is_undefined() -> None:
    assert token_f1("", "45 days") == 0
    assert token_f1("It is the", "45 days") == 0
    assert token_f1("45 days", "") is None
    assert token_f1("", "it is the") is None


TEXTS = st.lists(st.sampled_from(["refund", "days", "45", "the", "not", "error", "E1492", "takes"])).map(" ".join)


@given(TEXTS, TEXTS)
def test_it_is_symmetric_and_within_0_and_1(one: str, other: str) -> None:
    there, back = token_f1(one, other), token_f1(other, one)

    assert there is None or 0 <= there <= 1
    assert there is None or back is None or there == back
