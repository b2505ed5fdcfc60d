from __future__ import annotations

from fractions import Fraction

import pytest

from evidex.evaluation.metrics.average_precision import average_precision


def test_the_two_denominators_differ_when_more_is_relevant_than_k_can_hold() -> None:
    grades = {"a": 1, "b": 1, "c": 1}

    assert average_precision(["a", "x", "b"], grades, denominator="min", k=2) == 1 / 2
    assert average_precision(["a", "x", "b"], grades, denominator="R", k=2) == 1 / 3


def test_what_is_relevant_and_not_ranked_counts_as_0() -> None:
    expected = (Fraction(1, 2) + Fraction(2, 4)) / 3

    found = average_precision(["x", "a", "y", "b"], {"a": 1, "b": 1, "c": 1}, denominator="R")

    assert found == pytest.approx(float(expected))


def test_without_k_both_divide_by_all_that_is_relevant() -> None:
    grades = {"a": 1, "b": 1}

    assert (
        average_precision(["a"], grades, denominator="min")
        == average_precision(["a"], grades, denominator="R")
        == 1 / 2
    )
