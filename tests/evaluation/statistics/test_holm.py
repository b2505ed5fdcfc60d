"""Adjusted p-values are those of Holm's table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.statistics.holm import holm


def test_a_hand_worked_table() -> None:
    # In order: .01·4, .02·3, .03·2, .04·1, each at least the one before.
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))
    assert holm([0.5, 0.4]) == pytest.approx((0.8, 0.8))
    assert holm([0.7, 0.9]) == (1, 1)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=8))
def test_no_adjustment_makes_a_p_value_smaller_or_changes_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)

    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    ordered = [after for _, after in sorted(zip(p_values, adjusted, strict=True))]
    assert ordered == sorted(ordered)
