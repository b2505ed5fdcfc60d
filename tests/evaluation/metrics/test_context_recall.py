from __future__ import annotations

from evidex.evaluation.metrics.context_recall import context_recall


def test_context_recall_is_the_share_of_facts_that_were_delivered() -> None:
    assert context_recall([True, False, True]) == 2 / 3
    assert context_recall([False]) == 0


def test_it_is_undefined_without_facts() -> None:
    assert context_recall([]) is None
