"""A run asks each question once, keeps its row at once, and says of each that failed why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from evidex.encoding import as_json
from evidex.errors import ConfigError
from evidex.evaluation.golden import GoldenSet, write_golden
from evidex.evaluation.measures import measures
from evidex.evaluation.report import Report, Row
from evidex.evaluation.run import Plan, run
from evidex.types import Case, DocumentId, Evidence
from evidex.workspace import Workspace

REFUND = Case(
    "refund",
    "How long do I have to ask for a refund in the United States?",
    (Evidence(DocumentId("refund-us-v3"), quote="the refund window is 45 calendar days"),),
    True,
    "45 calendar days.",
    category="policy",
)
ERROR = Case(
    "error",
    "What does error E1492 mean?",
    (Evidence(DocumentId("error-e1492-v5")),),
    True,
    category="identifiers",
)
NOBODY_KNOWS = Case("cup", "Who won the world cup of 1954?", answerable=False)
GOLDEN = GoldenSet("three", (NOBODY_KNOWS, ERROR, REFUND))


def means(report: Report) -> dict[str, float | None]:
    return {mean.measure: mean.mean for mean in report.means}


def timeless(report: Report) -> object:
    rows = tuple(replace(row, seconds=()) for row in report.rows)
    return as_json(replace(report, rows=rows))


@pytest.fixture(scope="module")
def report(sample: Workspace) -> Report:
    return sample.evaluate(GOLDEN)


def test_rows_come_first_and_means_follow_from_them(report: Report) -> None:
    assert [row.case for row in report.rows] == ["cup", "error", "refund"]
    first = {row.case: dict(row.values)["source:Success@1"] for row in report.rows}
    assert first == {"cup": None, "error": 1, "refund": 1}
    assert means(report)["source:Success@1"] == 1
    (counted,) = [mean for mean in report.means if mean.measure == "source:Success@1"]
    assert (counted.n, counted.undefined, counted.failed, counted.turnover) == (2, 1, 0, 0)


def test_two_questions_of_two_leave_room_for_many_others_that_are_not(report: Report) -> None:
    (counted,) = [mean for mean in report.means if mean.measure == "source:Success@1"]

    assert [counted.low, counted.high] == pytest.approx([0.025**0.5, 1])  # Clopper and Pearson (1934), 2 of 2


def test_a_row_tells_what_was_said_and_what_people_expected(report: Report) -> None:
    rows = {row.case: row for row in report.rows}

    assert "45 calendar days" in rows["refund"].said
    assert rows["refund"].expected == REFUND.answer
    assert rows["cup"].said.startswith("no answer: ")
    assert rows["cup"].expected == "no answer"


def test_who_was_answered_is_counted_beside_who_should_have_been(report: Report) -> None:
    assert (report.table.answerable, report.table.unanswerable) == (2, 1)
    assert report.table.answered_unanswerable == 0


def test_ranks_tell_where_the_evidence_stood_in_every_stage(report: Report) -> None:
    (row,) = [row for row in report.rows if row.case == "refund"]

    ranks = dict(row.ranks)
    assert ranks["sparse"] == ranks["dense"] == ranks["fused"] == ranks["final"] == (1,)


def test_a_run_that_is_done_is_not_asked_again(sample: Workspace, report: Report) -> None:
    again = sample.evaluate(GOLDEN)

    assert again == report  # the times of the first asking, too
    assert sample.estimate(GOLDEN).done == 3


def test_a_stopped_run_goes_on_where_it_was(sample: Workspace) -> None:
    class Stopped(Exception):
        pass

    def stop(step: str, done: int, whole: int) -> None:
        if done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        sample.evaluate(GOLDEN, route="search", progress=stop)
    assert sample.estimate(GOLDEN, route="search").done == 2
    with pytest.raises(ConfigError, match="2 of its 3 questions"):
        sample.report("latest")

    assert len(sample.evaluate(GOLDEN, route="search").rows) == 3
    assert len(sample.report("latest").rows) == 3


def test_neither_the_order_of_cases_nor_another_workspace_object_changes_a_row(
    sample: Workspace, report: Report, tmp_path: Path
) -> None:
    golden = tmp_path / "three.jsonl"
    write_golden(golden, GOLDEN.cases)
    lines = golden.read_text("utf-8").splitlines(keepends=True)
    Random(3).shuffle(lines)
    golden.write_text("".join(lines), "utf-8")

    other = sample.evaluate(golden, measures=["fact:R@10"])
    here = sample.evaluate(GOLDEN, measures=["fact:R@10"])

    assert other.run == here.run
    assert timeless(other) == timeless(here)


def test_a_search_alone_measures_no_answers(sample: Workspace) -> None:
    found = sample.evaluate(GOLDEN, route="search")

    assert {row.answered for row in found.rows} == {None}
    assert "TokenF1" not in found.identity.measures
    assert means(found)["source:Success@1"] == 1


def test_the_whole_corpus_is_delivered_where_that_is_asked_for(sample: Workspace) -> None:
    found = sample.evaluate(GOLDEN, route="whole-corpus", measures=["ContextRecall", "ContextPrecision"])

    assert means(found)["ContextRecall"] == 1
    assert all(row.tokens is not None and row.tokens > 5000 for row in found.rows)


def test_evidence_that_the_corpus_has_moved_on_from_is_no_failure(sample: Workspace) -> None:
    # Version 2 is retired: it was right once, and nobody is to find it now.
    old = replace(REFUND, id="old", evidence=(Evidence(DocumentId("refund-us-v2")),))

    found = sample.evaluate(GoldenSet("old", (old, ERROR)), measures=["source:R@10"])

    (mean,) = found.means
    assert (mean.mean, mean.n, mean.turnover, mean.undefined) == (1, 1, 1, 0)
    (row,) = [row for row in found.rows if row.case == "old"]
    assert row.turnover == ("no revision of 'refund-us-v2' is in force",)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (replace(REFUND, evidence=(Evidence(DocumentId("refund-us-v33")),)), "never been a document 'refund-us-v33'"),
        (replace(REFUND, evidence=(Evidence(DocumentId("refund-us-v3"), quote="the"),)), "'the' occurs"),
        (replace(REFUND, user="nobody"), "There is no user 'nobody'"),
        (replace(REFUND, filters=(("colour", "red"),)), "Unknown filter 'colour'"),
    ],
)
def test_a_case_that_cannot_be_asked_is_refused_before_anything_is(
    sample: Workspace, wrong: Case, sentence: str
) -> None:
    with pytest.raises(ConfigError, match=sentence) as refused:
        sample.evaluate(GoldenSet("wrong", (wrong,)), measures=["source:R@10"])

    assert "'refund'" in str(refused.value)


def test_an_unknown_measure_or_split_is_refused(sample: Workspace) -> None:
    with pytest.raises(ConfigError, match="no measure 'Recall@5'"):
        sample.evaluate(GOLDEN, measures=["Recall@5"])
    with pytest.raises(ConfigError, match="no case of the split 'test'"):
        sample.evaluate(GOLDEN, split="test")


# --- generators that fail


class Garbage:
    """A generator that breaks on some questions, as one does whose model gives what is no JSON."""

    name = "garbage/1"

    def __init__(self, generator: object, breaks: Callable[[str], bool]) -> None:
        self._generator = generator
        self._breaks = breaks

    def answer(self, query: object, context: object) -> object:
        if self._breaks(query.question.text):  # type: ignore[attr-defined]
            raise ValueError("Expecting value: line 1 column 1")
        return self._generator.answer(query, context)  # type: ignore[attr-defined]


def test_a_generator_that_breaks_on_a_tenth_changes_counts_and_no_mean_in_silence(sample: Workspace) -> None:
    cases = tuple(replace(REFUND, id=f"case-{number}") for number in range(9))
    broken_case = replace(REFUND, id="case-9", question=REFUND.question.replace("How long", "For how long"))
    opened = sample._live()
    generator = Garbage(opened.parts.generator, lambda text: text == broken_case.question)
    broken = replace(opened, parts=replace(opened.parts, generator=generator))  # type: ignore[arg-type]
    wanted = measures(["source:R@10", "TokenF1", "CitationValidity"])
    identity = replace(sample.evaluate(GOLDEN).identity, measures=tuple(measure.id for measure in wanted))
    plan = Plan("tenth", "", identity, "answer", (*cases, broken_case), wanted, {}, {})

    kept: list[Row] = []
    found = run(plan, sample._system(broken), kept={}, keep=kept.append, progress=lambda done, whole: None)

    assert [(row.case, row.error) for row in found.rows if row.error] == [
        ("case-9", "ValueError: Expecting value: line 1 column 1")
    ]
    ranking, f1, validity = found.means
    assert (ranking.mean, ranking.n, ranking.failed) == (1, 10, 0)  # it had been found before the generator broke
    assert (validity.mean, validity.n, validity.failed) == (0.9, 10, 1)
    assert (f1.n, f1.failed) == (10, 1)
    assert f1.mean == pytest.approx(9 / 10 * (dict(found.rows[0].values)["TokenF1"] or 0))
    assert len(kept) == 10
