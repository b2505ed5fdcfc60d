from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.metrics.random_draw import expected_recall, expected_success


@given(st.integers(1, 8), st.data())
def test_both_are_the_mean_over_all_draws(n: int, data: st.DataObject) -> None:
    relevant, k = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
    found = [sum(item < relevant for item in draw) for draw in combinations(range(n), k)]

    assert expected_recall(n, k) == pytest.approx(sum(found) / len(found) / relevant)
    assert expected_success(relevant, n, k) == pytest.approx(sum(map(bool, found)) / len(found))


def test_twelve_of_twenty_seven_chunks_are_nearly_half_of_them() -> None:
    assert expected_recall(27, 12) == 12 / 27


def test_the_chance_of_success_is_hypergeometric() -> None:
    expected = 1 - Fraction(comb(999_997, 100), comb(1_000_000, 100))

    assert expected_success(3, 1_000_000, 100) == pytest.approx(float(expected), rel=1e-9)
    assert expected_success(3, 4, 2) == 1


def test_drawing_more_than_there_is_finds_everything() -> None:
    assert expected_recall(5, 10) == 1
    assert expected_success(1, 5, 10) == 1


def test_nothing_to_find_and_nothing_to_draw_from() -> None:
    assert expected_success(0, 5, 2) == 0
    assert expected_success(0, 0, 2) == 0
    assert expected_recall(0, 3) is None


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="k is -1"):
        expected_recall(5, -1)
    with pytest.raises(ValueError, match="6 items are relevant and there are only 5"):
        expected_success(6, 5, 1)
