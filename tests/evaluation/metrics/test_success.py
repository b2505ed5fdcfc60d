from __future__ import annotations

from evidex.evaluation.metrics.success import success


def test_success_asks_for_one_relevant_item_among_the_first_k() -> None:
    grades = {"a": 1, "b": 1, "n": 0}

    assert success(["n", "a"], grades, k=1) == 0
    assert success(["n", "a"], grades, k=2) == 1
    assert success(["n", "x", "b"], grades) == 1
    assert success([], grades, k=3) == 0
