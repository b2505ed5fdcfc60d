from __future__ import annotations

from evidex.evaluation.metrics.precision import precision


def test_precision_divides_by_k_whatever_was_ranked() -> None:
    grades = {"a": 1, "b": 3, "n": 0}

    assert precision(["a", "n", "b", "x"], grades, k=2) == 1 / 2
    assert precision(["a", "b"], grades, k=5) == 2 / 5
    assert precision([], grades, k=5) == 0
