from __future__ import annotations

from evidex.evaluation.metrics.recall import recall


def test_recall_is_the_share_of_all_relevant_items_that_the_first_k_hold() -> None:
    grades = {"a": 1, "b": 2, "c": 1, "n": 0, "spam": -2}

    assert recall(["n", "a", "spam", "b"], grades, k=2) == 1 / 3
    assert recall(["n", "a", "spam", "b"], grades, k=4) == 2 / 3


def test_a_ranking_shorter_than_k_and_one_without_k_count_all_there_is() -> None:
    assert recall(["a"], {"a": 1, "b": 1}, k=100) == 1 / 2
    assert recall(["x", "y", "a"], {"a": 1, "b": 1}) == 1 / 2
    assert recall([], {"a": 1}, k=5) == 0
