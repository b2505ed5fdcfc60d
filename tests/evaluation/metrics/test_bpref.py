from __future__ import annotations

from evidex.evaluation.metrics.bpref import bpref


def test_bpref_counts_the_judged_items_above_each_relevant_one() -> None:
    grades = {"a": 1, "b": 1, "m": 0, "n": 0, "o": 0}

    assert bpref(["a", "m", "b", "n"], grades) == (1 + (1 - 1 / 2)) / 2
    assert bpref(["m", "n", "a", "o", "b"], grades) == 0


def test_fewer_judged_items_than_relevant_ones_weigh_more_each() -> None:
    assert bpref(["n", "a", "b"], {"a": 1, "b": 1, "c": 1, "n": 0}) == 0


def test_unjudged_and_negatively_graded_items_are_passed_over_as_in_trec_eval() -> None:
    assert bpref(["x", "spam", "a"], {"a": 1, "n": 0, "spam": -1}) == 1


def test_a_relevant_item_that_was_not_ranked_counts_as_0() -> None:
    assert bpref(["a"], {"a": 1, "b": 1}) == 1 / 2
    assert bpref([], {"a": 1}) == 0
