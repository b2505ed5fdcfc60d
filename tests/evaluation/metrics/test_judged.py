from __future__ import annotations

from evidex.evaluation.metrics.judged import judged


def test_judged_counts_every_grade() -> None:
    assert judged(["a", "n", "spam", "x"], {"a": 1, "n": 0, "spam": -1}, k=4) == 3 / 4


def test_a_shorter_ranking_is_divided_by_its_length() -> None:
    assert judged(["a", "x"], {"a": 1}, k=10) == 1 / 2
    assert judged([], {"a": 1}, k=10) is None


def test_it_is_defined_without_a_relevant_item_but_not_without_a_judgment() -> None:
    assert judged(["n", "x"], {"n": 0}, k=2) == 1 / 2
    assert judged(["n", "x"], {}, k=2) is None
