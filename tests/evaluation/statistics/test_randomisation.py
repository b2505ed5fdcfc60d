"""The paired randomisation test is exact where it can be, and close to exact where it samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.statistics.randomisation import DRAWS, randomisation_p

TENTHS = st.integers(-10, 10).map(lambda tenths: tenths / 10)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1] + [0] * 20, 1.0),  # one discordant question of 21
        ([1 / 2, 1 / 2] + [0] * 19, 1 / 2),  # two, both one way: 2 of 4 signs are as far from 0
        ([1] * 5 + [0] * 15, 1 / 16),  # five of 20: 2 of 32
        ([0] * 7, 1.0),
        ([], 1.0),
    ],
)
def test_the_p_value_is_the_share_of_signs_that_are_as_far_from_0(differences: list[float], p: float) -> None:
    assert randomisation_p(np.array(differences, np.float64)) == p


@given(st.lists(st.integers(-10, 10), max_size=9))
def test_tenths_that_floats_cannot_hold_are_counted_as_if_they_could(tenths: list[int]) -> None:
    wanted = abs(sum(tenths))
    signs = list(product((1, -1), repeat=len(tenths)))
    exact = Fraction(
        sum(abs(sum(s * t for s, t in zip(one, tenths, strict=True))) >= wanted for one in signs), len(signs)
    )

    assert randomisation_p(np.array(tenths, np.float64) / 10) == pytest.approx(float(exact), abs=1e-15)


@given(st.lists(TENTHS, max_size=25), st.randoms(use_true_random=False))
def test_neither_order_nor_direction_changes_a_p_value(values: list[float], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    given_p = randomisation_p(np.array(values), draws=500)

    assert randomisation_p(-np.array(shuffled), draws=500) == given_p


def test_a_sampled_p_value_is_near_that_of_all_signs() -> None:
    differences = np.array([1.0] * 13 + [-1.0] * 5)  # the sum of 18 signs reaches 8 in either direction
    exact = 2 * sum(comb(18, heads) for heads in range(13, 19)) / 2**18
    error = (exact * (1 - exact) / DRAWS) ** 0.5

    assert randomisation_p(differences) == pytest.approx(exact, abs=5 * error)


def test_no_sampled_p_value_is_0() -> None:
    assert randomisation_p(np.ones(200), draws=999) == 1 / 1000


def test_under_no_difference_a_p_of_at_most_5_percent_comes_5_times_in_100() -> None:
    generator = np.random.default_rng(1)
    trials = 600
    hits = sum(randomisation_p(generator.normal(size=50), draws=999, seed=trial) <= 0.05 for trial in range(trials))

    # A count of a binomial of 600 and .05 is outside 30 ± 26 less than once in a million.
    assert abs(hits - trials / 20) <= 26
