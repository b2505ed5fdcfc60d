"""Two runs are compared question by question, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.comparing import compare_reports
from evidex.evaluation.derive import report_of
from evidex.evaluation.report import Identity, Report, Row
from evidex.types import GenerationId

MEASURES = ("source:R@10", "source:RR@10")
IDENTITY = Identity(
    GenerationId("g" * 32), "corpus", "catalog", "settings", "golden", "dev", "search", MEASURES, "0.1.0"
)


def row(case: str, *values: float | None, failed: tuple[str, ...] = (), group: str = "") -> Row:
    return Row(
        case=case,
        question="?",
        split="dev",
        category="",
        group=group,
        answerable=None,
        answered=None,
        values=tuple(zip(MEASURES, values, strict=True)),
        ranks=(),
        documents=(),
        tokens=None,
        support=None,
        error="it broke" if failed else None,
        failed=failed,
    )


def report(*rows: Row, run: str = "run", **changed: object) -> Report:
    identity = replace(IDENTITY, **changed)  # type: ignore[arg-type]
    return report_of(run, identity, "golden", {}, {"fusion": {"k": 60}}, rows, 10)


def test_questions_are_paired_by_case_whatever_their_order() -> None:
    before = report(row("a", 1, 1), row("b", 0, 0), row("c", 1, 0.5))
    after = report(row("c", 1, 0.5), row("b", 1, 1), row("a", 1, 1))

    found = dict(compare_reports(before, after).comparisons)

    assert found["source:R@10"].difference == pytest.approx(1 / 3)
    assert (found["source:R@10"].wins, found["source:R@10"].ties, found["source:R@10"].losses) == (1, 2, 0)


def test_a_question_that_failed_counts_as_0_and_one_that_is_undefined_not_at_all() -> None:
    before = report(row("a", 1, 1), row("b", None, 1))
    after = report(row("a", None, 1, failed=("source:R@10",)), row("b", 1, 1))

    recall = dict(compare_reports(before, after).comparisons)["source:R@10"]

    assert (recall.n, recall.excluded, recall.difference) == (1, 1, -1)


def test_questions_that_one_run_lacks_are_counted() -> None:
    found = compare_reports(report(row("a", 1, 1), row("b", 1, 1)), report(row("a", 1, 1), row("c", 1, 1)))

    assert (found.questions, found.only_baseline, found.only_candidate) == (1, 1, 1)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"golden": "other"}, "different golden sets"),
        ({"split": "test"}, "split"),
        ({"corpus": "other"}, "different documents"),
    ],
)
def test_runs_that_a_difference_says_nothing_about_are_refused(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        compare_reports(report(row("a", 1, 1)), report(row("a", 1, 1), **changed))


def test_different_documents_are_compared_where_one_insists() -> None:
    found = compare_reports(report(row("a", 1, 1)), report(row("a", 1, 1), corpus="other"), rebaseline=True)

    assert "corpus" in found.moved


def test_a_measure_that_one_run_lacks_is_refused_with_those_that_both_have() -> None:
    with pytest.raises(ConfigError, match=r"'AP\(R\)@5' is not in both runs. In both: source:R@10, source:RR@10"):
        compare_reports(report(row("a", 1, 1)), report(row("a", 1, 1)), measures=["AP(R)@5"])


def test_what_was_changed_is_told_setting_by_setting() -> None:
    after = replace(report(row("a", 1, 1), generation=GenerationId("h" * 32)), settings={"fusion": {"k": 10}})

    assert compare_reports(report(row("a", 1, 1)), after).moved == (
        "fusion.k: 60 → 10",
        "generation: gggggggggggg → hhhhhhhhhhhh",
    )


def test_means_of_no_question_are_none() -> None:
    (recall, _) = report(row("a", None, None)).means

    assert (recall.mean, recall.low, recall.n, recall.undefined) == (None, None, 0, 1)
