"""Intervals hold the mean as often as they say, and are points where nothing varies."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.statistics.bootstrap import Interval, mean_interval
from evidex.evaluation.statistics.proportions import count_interval, upper_bound

ANY = st.integers(-20, 20).map(lambda twentieths: twentieths / 20)
UNIT = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


def test_one_value_has_no_interval_and_equal_values_have_a_point() -> None:
    assert mean_interval(np.array([])) is None
    assert mean_interval(np.array([0.5])) is None
    assert mean_interval(np.array([0.25, 0.25, 0.25])) == Interval(0.25, 0.25)


def test_wordings_of_one_fact_are_one_observation() -> None:
    assert mean_interval(np.array([0.0, 1.0, 0.0]), groups=["a", "a", "a"]) is None

    apart = mean_interval(np.tile([0.0, 1.0], 20))
    together = mean_interval(np.repeat([0.0, 1.0, 0.0, 1.0], 10), groups=np.repeat(range(4), 10).tolist())
    assert apart is not None and together is not None
    assert together.high - together.low > apart.high - apart.low


@given(st.lists(UNIT, min_size=2, max_size=30))
def test_an_interval_lies_within_the_values_and_around_their_mean(values: list[float]) -> None:
    interval = mean_interval(np.array(values), resamples=500)

    assert interval is not None
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12


@pytest.mark.parametrize("values", [[0.1, 0.2, -0.3], [0.3, -0.1, -0.1, -0.1], [0.5, -0.5]])
def test_a_mean_of_0_has_0_in_its_interval(values: list[float]) -> None:
    interval = mean_interval(np.array(values), resamples=500)

    assert interval is not None
    assert interval.holds(0.0)


@given(st.lists(ANY, min_size=2, max_size=20), st.randoms(use_true_random=False))
def test_order_changes_no_interval_and_the_opposite_has_the_opposite_one(values: list[float], random: Random) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    interval = mean_interval(np.array(values), resamples=300)
    mirrored = mean_interval(-np.array(shuffled), resamples=300)

    assert interval is not None and mirrored is not None
    assert (mirrored.low, mirrored.high) == (-interval.high, -interval.low)


def test_intervals_hold_a_skewed_mean_about_95_times_in_100() -> None:
    generator = np.random.default_rng(2)
    trials = 300
    held = 0
    for trial in range(trials):
        interval = mean_interval(generator.beta(2, 5, 50), resamples=1000, seed=trial)
        held += interval is not None and interval.holds(2 / 7)

    # A binomial of 300 and .95 is outside 285 ± 19 less than once in a million; the bootstrap itself may lack 1%.
    assert abs(held - 0.95 * trials) <= 19 + 3


@pytest.mark.parametrize(
    ("errors", "n", "bound"),
    [(0, 4, 0.527), (0, 21, 0.133), (0, 25, 0.113), (0, 59, 0.0495), (0, 100, 0.0295), (0, 300, 0.0099)],
)
def test_no_error_in_few_cases_leaves_room_for_many(errors: int, n: int, bound: float) -> None:
    assert upper_bound(errors, n) == pytest.approx(bound, abs=5e-4)
    assert upper_bound(0, n) == pytest.approx(1 - 0.05 ** (1 / n))  # what the definition comes to for no error


def test_counts_have_exact_intervals() -> None:
    assert (count_interval(20, 21).low, count_interval(20, 21).high) == pytest.approx((0.762, 0.999), abs=5e-4)
    assert (count_interval(15, 20).low, count_interval(15, 20).high) == pytest.approx((0.509, 0.913), abs=5e-4)
    assert count_interval(20, 20).high == 1
    assert count_interval(0, 20).low == 0


@pytest.mark.parametrize(("successes", "n"), [(-1, 4), (5, 4)])
def test_more_successes_than_cases_are_no_count(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} of {n}"):
        count_interval(successes, n)
