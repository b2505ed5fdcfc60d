"""Agreement beyond chance, on tables worked by hand."""

from __future__ import annotations

import pytest

from evidex.evaluation.statistics.agreement import cohen_kappa, krippendorff_alpha


def test_kappa_of_a_worked_table() -> None:
    # 20 agree on yes, 15 on no, 5 and 10 differ: observed .7, expected .5 · .6 + .5 · .4 = .5.
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15

    assert cohen_kappa(one, other) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_agreement_that_chance_alone_explains_is_undefined() -> None:
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert cohen_kappa([], []) is None
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None


def test_alpha_of_a_worked_table() -> None:
    # Items aa, ab, bb: of n = 6 labels 3 are a. Disagreement observed 2 of 6, expected 2 · 3 · 3 of 6 · 5.
    assert krippendorff_alpha([["a", "a"], ["a", "b"], ["b", "b"], ["a"]]) == pytest.approx(1 - (2 / 6) / (18 / 30))
