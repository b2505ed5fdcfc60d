"""The interval of a median is one of order statistics: exact for whatever the values are spread like."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.statistics.medians import median_interval


def coverage(n: int, k: int) -> Fraction:
    """How surely the median is between the k-th least and the k-th greatest of n values: 1 - 2 P(fewer than k heads)."""
    return 1 - 2 * Fraction(sum(comb(n, heads) for heads in range(k)), 2**n)


@given(st.integers(6, 300))
def test_it_is_the_narrowest_that_holds_the_median_as_surely_as_asked(n: int) -> None:
    interval = median_interval(range(1, n + 1))

    k = int(interval.low)
    assert interval.high == n + 1 - k
    assert coverage(n, k) >= Fraction(95, 100) > coverage(n, k + 1)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_values_span_it_and_none_have_none(n: int) -> None:
    interval = median_interval(range(n))

    assert (interval.low, interval.high) == (0, n - 1)
    with pytest.raises(ValueError, match="median of nothing"):
        median_interval([])
