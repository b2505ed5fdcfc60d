"""A comparison says BETTER, WORSE, EQUIVALENT or INCONCLUSIVE, and why."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.evaluation.statistics.verdict import Comparison, compare, compare_family

OPPOSITE = {"BETTER": "WORSE", "WORSE": "BETTER"}
EIGHTHS = st.integers(0, 8).map(lambda eighths: eighths / 8)
TENTHS = st.integers(0, 10).map(lambda tenths: tenths / 10)


def test_a_difference_that_chance_does_not_make_is_better_and_its_mirror_worse() -> None:
    baseline, candidate = [0.0] * 40, [1.0] * 20 + [0.0] * 20

    assert compare(baseline, candidate, margin=0.01).verdict == "BETTER"
    assert compare(candidate, baseline, margin=0.01).verdict == "WORSE"


def test_equal_values_are_equivalent_once_they_are_enough_to_show_the_margin() -> None:
    few = compare([0.5, 1.0, 0.0] * 10, [0.5, 1.0, 0.0] * 10, margin=0.01)
    many = compare([0.5, 1.0, 0.0] * 100, [0.5, 1.0, 0.0] * 100, margin=0.01)

    # 0 of 30 leaves room for 1 - .05^(1/30) = 9.5% of others; 0 of 299 for less than 1%.
    assert (few.verdict, few.p, few.wins, few.ties, few.losses) == ("INCONCLUSIVE", 1, 0, 30, 0)
    assert "up to 9.5% of others may" in few.reason and "it takes 299 without any" in few.reason
    assert many.verdict == "EQUIVALENT"
    assert compare([0.5, 1.0, 0.0] * 10, [0.5, 1.0, 0.0] * 10, margin=0.1).verdict == "EQUIVALENT"


@pytest.mark.parametrize(("questions", "margin"), [(10, 0.05), (20, 0.05), (50, 0.05), (10, 0.01), (100, 0.01)])
def test_a_loss_of_the_whole_margin_is_hardly_ever_called_equivalent(questions: int, margin: float) -> None:
    generator = np.random.default_rng(5)
    trials = 300
    lost = [generator.random(questions) < margin for _ in range(trials)]
    called = sum(
        compare([1.0] * questions, np.where(loss, 0.0, 1.0).tolist(), margin=margin).verdict == "EQUIVALENT"
        for loss in lost
    )

    assert called <= trials * 0.05 + 5 * (trials * 0.05 * 0.95) ** 0.5


def test_a_small_difference_is_equivalent_within_a_wide_margin_only() -> None:
    baseline = [0.5, 0.6] * 50
    candidate = [0.51, 0.59] * 50

    assert compare(baseline, candidate, margin=0.05).verdict == "EQUIVALENT"
    assert compare(baseline, candidate, margin=0.0001).verdict == "INCONCLUSIVE"


def test_five_discordant_questions_of_20_decide_nothing_and_one_is_told_how_many_would() -> None:
    found = compare([1.0] * 15 + [0.0] * 5, [1.0] * 20, margin=0.05)

    assert (found.verdict, found.p) == ("INCONCLUSIVE", 1 / 16)
    assert found.detectable is not None and found.detectable > 0.05
    assert f"it takes {found.needed}" in found.reason


def test_a_difference_that_is_certain_and_small_is_better_and_said_to_be_small() -> None:
    found = compare([0.5] * 30, [0.505] * 29 + [0.506], margin=0.01)

    assert found.verdict == "BETTER"
    assert "within the margin" in found.reason


def test_undefined_values_are_left_out_and_counted() -> None:
    found = compare([None, 1.0, float("nan"), 0.0], [1.0, 1.0, 1.0, None], margin=0.1)

    assert (found.n, found.excluded) == (1, 3)
    assert found.verdict == "INCONCLUSIVE"


def test_nothing_to_compare_is_inconclusive() -> None:
    found = compare([None], [1.0], margin=0.1)

    assert (found.verdict, found.n, found.difference) == ("INCONCLUSIVE", 0, None)
    assert compare([], [], margin=0.1).verdict == "INCONCLUSIVE"


def test_wordings_of_one_fact_win_once() -> None:
    # 30 questions are better, but they word two facts.
    found = compare([0.0] * 30, [1.0] * 30, margin=0.01, groups=["a"] * 15 + ["b"] * 15)

    assert found.p == 1 / 2
    assert found.verdict == "INCONCLUSIVE"


def test_a_family_is_corrected_for_its_size() -> None:
    one = ([0.0] * 20, [1.0] * 6 + [0.0] * 14)  # p = 2/64
    family = compare_family({"first": one, "second": ([0.0] * 20, [0.0] * 20)}, margin=0.01)

    assert compare(*one, margin=0.01).adjusted_p == 2 / 64
    assert family["first"].adjusted_p == 4 / 64
    assert family["first"].verdict == "INCONCLUSIVE"


def test_what_differs_by_rounding_alone_is_a_tie() -> None:
    found = compare([0.3] * 20, [0.1 + 0.2] * 20, margin=0.4)

    assert (found.verdict, found.p, found.ties, found.difference) == ("EQUIVALENT", 1, 20, 0)


def test_wordings_that_cancel_are_a_tie_of_their_fact() -> None:
    facts = [fact for fact in range(8) for _ in range(3)]
    found = compare([0.0, 0.0, 0.3] * 8, [0.1, 0.2, 0.0] * 8, margin=0.4, groups=facts)

    assert (found.verdict, found.p, found.difference) == ("EQUIVALENT", 1, 0)


def test_a_difference_that_is_the_same_everywhere_has_no_standardised_size() -> None:
    found = compare([tenths / 10 for tenths in range(9)], [tenths / 10 for tenths in range(1, 10)], margin=0.4)

    assert found.effect is None
    assert (found.low, found.high) == pytest.approx((0.1, 0.1))
    assert found.p == 2 / 2**9


def test_the_interval_is_of_the_level_that_was_asked_for() -> None:
    values = [tenths / 10 for tenths in range(11)]
    strict = compare([0.5] * 11, values, margin=0.4, alpha=0.01)
    loose = compare([0.5] * 11, values, margin=0.4, alpha=0.2)

    assert strict.low is not None and loose.low is not None
    assert strict.low < loose.low


@pytest.mark.parametrize("margin", [0, -0.1])
def test_a_margin_of_nothing_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        compare([0.0], [0.0], margin=margin)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(TENTHS, TENTHS, st.integers(0, 9)), min_size=1, max_size=25), st.randoms(use_true_random=False)
)
def test_swapping_two_systems_mirrors_the_comparison_and_order_does_not_matter(
    rows: list[tuple[float, float, int]], random: Random
) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    found = _compared(rows)
    swapped = _compared([(b, a, fact) for a, b, fact in shuffled])

    assert swapped.verdict == OPPOSITE.get(found.verdict, found.verdict)
    assert (swapped.wins, swapped.losses, swapped.p) == (found.losses, found.wins, found.p)
    if found.low is not None and found.high is not None:
        assert (swapped.low, swapped.high) == (-found.high, -found.low)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(EIGHTHS, EIGHTHS, st.integers(0, 9)), min_size=1, max_size=25), EIGHTHS)
def test_what_is_added_to_both_systems_changes_nothing(rows: list[tuple[float, float, int]], more: float) -> None:
    found = _compared(rows)
    moved = _compared([(a + more, b + more, fact) for a, b, fact in rows])

    assert moved.baseline_mean is not None and found.baseline_mean is not None
    assert moved.baseline_mean == pytest.approx(found.baseline_mean + more)
    assert replace(moved, baseline_mean=0.0, candidate_mean=0.0) == replace(
        found, baseline_mean=0.0, candidate_mean=0.0
    )


def _compared(rows: list[tuple[float, float, int]]) -> Comparison:
    return compare([a for a, _, _ in rows], [b for _, b, _ in rows], margin=0.05, groups=[fact for _, _, fact in rows])
