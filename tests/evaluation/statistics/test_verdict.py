"""A comparison says BETTER, WORSE, EQUIVALENT or INCONCLUSIVE, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.evaluation.statistics.verdict import compare, compare_family

OPPOSITE = {"BETTER": "WORSE", "WORSE": "BETTER"}
TENTHS = st.integers(0, 10).map(lambda tenths: tenths / 10)


def test_a_difference_that_chance_does_not_make_is_better_and_its_mirror_worse() -> None:
    baseline, candidate = [0.0] * 40, [1.0] * 20 + [0.0] * 20

    assert compare(baseline, candidate, margin=0.01).verdict == "BETTER"
    assert compare(candidate, baseline, margin=0.01).verdict == "WORSE"


def test_equal_values_are_equivalent() -> None:
    found = compare([0.5, 1.0, 0.0], [0.5, 1.0, 0.0], margin=0.01)

    assert (found.verdict, found.p, found.wins, found.ties, found.losses) == ("EQUIVALENT", 1, 0, 3, 0)


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


@pytest.mark.parametrize("margin", [0, -0.1])
def test_a_margin_of_nothing_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        compare([0.0], [0.0], margin=margin)


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=25), st.randoms(use_true_random=False))
def test_swapping_two_systems_mirrors_the_verdict_and_order_does_not_matter(
    pairs: list[tuple[float, float]], random: object
) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = compare([a for a, _ in pairs], [b for _, b in pairs], margin=0.05)
    swapped = compare([b for _, b in shuffled], [a for a, _ in shuffled], margin=0.05)

    assert swapped.verdict == OPPOSITE.get(found.verdict, found.verdict)
    assert (swapped.wins, swapped.losses, swapped.p) == (found.losses, found.wins, found.p)
