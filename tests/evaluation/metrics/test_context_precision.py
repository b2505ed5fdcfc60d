from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.metrics.average_precision import average_precision
from evidex.evaluation.metrics.context_precision import context_precision


def test_relevant_passages_count_the_more_the_earlier_they_come() -> None:
    assert context_precision([True, False, True]) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert context_precision([False, False, True]) == pytest.approx(1 / 3)
    assert context_precision([True, True, False]) == 1


def test_a_context_without_a_relevant_passage_is_worth_0_and_no_context_is_undefined() -> None:
    assert context_precision([False, False]) == 0
    assert context_precision([]) is None


@given(st.lists(st.booleans(), min_size=1))
def test_it_is_average_precision_over_what_was_delivered(relevant: list[bool]) -> None:
    grades = {str(place): 1 for place, flag in enumerate(relevant) if flag}
    ranking = [str(place) for place in range(len(relevant))]

    assert context_precision(relevant) == (average_precision(ranking, grades, denominator="R") or 0)
