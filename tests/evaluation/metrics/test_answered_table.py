from __future__ import annotations

import pytest

from evidex.evaluation.metrics.answered_table import AnsweredTable, answered_table


def table(answered: int, abstained: int, false_answers: int, right_abstentions: int) -> AnsweredTable:
    pairs = [(True, True)] * answered + [(True, False)] * abstained
    return answered_table(pairs + [(False, True)] * false_answers + [(False, False)] * right_abstentions)


def test_false_answers_and_false_abstentions_are_counted_apart() -> None:
    found = table(19, 2, 1, 3)

    assert found == AnsweredTable(19, 2, 1, 3)
    assert (found.answerable, found.unanswerable, found.answered, found.total) == (21, 4, 20, 25)
    assert (found.false_answers, found.false_abstentions) == (1, 2)
    assert found.false_answer_rate == 1 / 4
    assert found.false_abstention_rate == 2 / 21
    assert found.accuracy == 22 / 25
    assert found.coverage == 20 / 25
    assert found.selective_risk == 1 / 20


@pytest.mark.parametrize(
    ("found", "coverage", "risk"),
    [(table(21, 0, 3, 1), 24 / 25, 3 / 24), (table(19, 2, 0, 4), 19 / 25, 0), (table(18, 3, 0, 4), 18 / 25, 0)],
)
def test_coverage_is_over_all_questions_and_risk_over_those_answered(
    found: AnsweredTable, coverage: float, risk: float
) -> None:
    assert (found.coverage, found.selective_risk) == (coverage, risk)


def test_a_rate_over_nothing_is_undefined() -> None:
    only_answerable, only_abstained, empty = table(3, 1, 0, 0), table(0, 2, 0, 2), table(0, 0, 0, 0)

    assert only_answerable.false_answer_rate is None
    assert only_abstained.selective_risk is None
    assert (empty.accuracy, empty.coverage, empty.false_abstention_rate) == (None, None, None)
