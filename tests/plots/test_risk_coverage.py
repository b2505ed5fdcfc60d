from fractions import Fraction

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.report import Report
from evidex.plots import risk_coverage
from tests.plots.reports import report, row, three


def _run(*answers: tuple[float, bool], abstained: int = 0) -> Report:
    rows = [
        row(f"a{at}", support=support, values=(("cited/fact:R", float(right)),))
        for at, (support, right) in enumerate(answers)
    ]
    rows += [row(f"n{at}", answered=False, answerable=False, support=0.1) for at in range(abstained)]
    return report(*rows, measures=("cited/fact:R",))


def test_the_risk_of_answering_the_surest_is_the_share_of_wrong_ones_among_them() -> None:
    data = risk_coverage.of(_run((0.9, True), (0.8, False), (0.7, True), abstained=1))

    assert [(point.support, point.coverage, point.risk) for point in data.points] == [
        (0.9, 1 / 4, 0.0),
        (0.8, 2 / 4, 1 / 2),
        (0.7, 3 / 4, 1 / 3),
    ]
    assert data.area == pytest.approx(float((Fraction(0) + Fraction(1, 2) + Fraction(1, 3)) / 3))
    assert (data.questions, data.answers, data.wrong) == (4, 3, 1)


def test_equal_supports_are_taken_in_the_middle_of_their_orders() -> None:
    orders = [_run((0.5, True), (0.5, False)), _run((0.5, False), (0.5, True))]

    areas = {risk_coverage.of(run).area for run in orders}

    assert areas == {0.5}  # wrong first: 1, 1/2; right first: 0, 1/2; between them: 1/2, 1/2


def test_an_answer_to_what_has_none_is_wrong_and_one_that_misses_a_fact_is_too() -> None:
    assert risk_coverage.right_of(row("a", answerable=False)) is False
    assert risk_coverage.right_of(row("a", values=(("cited/fact:R", 0.5),))) is False
    assert risk_coverage.right_of(row("a", values=(("cited/fact:R", 1.0),))) is True
    assert risk_coverage.right_of(row("a", answered=False)) is None


def test_a_run_of_which_nobody_knows_what_is_right_is_refused() -> None:
    with pytest.raises(ConfigError, match="no answer with a support"):
        risk_coverage.of(three())
