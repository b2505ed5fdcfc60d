from __future__ import annotations

from evidex.evaluation.metrics.reciprocal_rank import reciprocal_rank


def test_reciprocal_rank_is_that_of_the_first_relevant_item() -> None:
    assert reciprocal_rank(["x", "n", "a", "b"], {"a": 1, "b": 1, "n": 0}) == 1 / 3


def test_beyond_k_there_is_nothing() -> None:
    assert reciprocal_rank(["x", "y", "a"], {"a": 1}, k=2) == 0
    assert reciprocal_rank(["x", "y", "a"], {"a": 1}, k=3) == 1 / 3
