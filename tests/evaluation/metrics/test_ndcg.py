from __future__ import annotations

from math import log2

import pytest

from evidex.evaluation.metrics.ndcg import ndcg


def test_linear_and_exponential_gain_weigh_grades_differently() -> None:
    grades = {"a": 3, "b": 1}

    assert ndcg(["b", "a"], grades, gain="lin") == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))
    assert ndcg(["b", "a"], grades, gain="exp") == pytest.approx((1 + 7 / log2(3)) / (7 + 1 / log2(3)))


def test_negative_grades_and_unjudged_items_gain_nothing_and_cost_nothing_but_their_place() -> None:
    assert ndcg(["spam", "x", "a"], {"a": 1, "spam": -2}, gain="lin") == pytest.approx(1 / log2(4))
    assert ndcg(["spam", "x", "a"], {"a": 1, "spam": -2}, gain="exp") == pytest.approx(1 / log2(4))


def test_the_best_order_is_cut_at_k_too() -> None:
    assert ndcg(["a", "b"], {"a": 1, "b": 1, "c": 1}, gain="lin", k=2) == 1
    assert ndcg(["a"], {"a": 1, "b": 1}, gain="lin", k=2) == pytest.approx(1 / (1 + 1 / log2(3)))
