from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidex.diagnosis.diagnose import diagnose
from evidex.diagnosis.verdict import CaseVerdict
from evidex.judging import AS_IT_IS
from evidex.testing.faults import BY_NAME, FAULTS
from evidex.testing.knowledge import Knowledge, knowledge
from evidex.testing.laboratory import Laboratory, gold_of
from evidex.testing.pipeline import Bench, Pipeline, healthy, wording
from evidex.testing.trials import SHOWN, asked_of
from evidex.types import Case

SEALED = frozenset({"B0", "B1", "B2", "B3"})
"""Boundaries at which faults are sealed into a generation, so that none is shared."""


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    with Laboratory() as made:
        yield made


@pytest.fixture(scope="module")
def base() -> Knowledge:
    return knowledge()


@pytest.mark.parametrize("bench", ["hybrid", "sparse", "dense"])
def test_every_question_goes_as_it_should_where_nothing_is_wrong(
    bench: Bench, laboratory: Laboratory, base: Knowledge
) -> None:
    # Without vectors, the words of a turn before weigh as much as those of the question itself.
    cases = [case for case in base.cases if bench != "sparse" or case.category != "follow-up"]

    diagnosis = diagnose(cases, laboratory.system(healthy(base, bench)))

    assert [(row.case, row.sentence) for row in diagnosis.rows if row.status in SHOWN] == []
    assert diagnosis.counts["passed"] >= 30


def test_what_differs_in_the_line_alone_is_built_once(base: Knowledge) -> None:
    whole = healthy(base, "sparse")
    faulty = BY_NAME["dropped by reranker"].plant(whole, base.cases[:3])
    without = BY_NAME["source never ingested"].plant(whole, base.cases[:3])
    with Laboratory() as laboratory:
        generations = [laboratory.system(pipeline).generation for pipeline in (whole, faulty, without)]

        assert generations[0] == generations[1] != generations[2]
        assert len(list(laboratory.folder.iterdir())) == 2


@pytest.mark.parametrize("bench", ["hybrid", "sparse", "dense"])
def test_pipelines_that_share_a_generation_leave_no_trace_in_each_other(bench: Bench, base: Knowledge) -> None:
    whole = healthy(base, bench)
    planted: list[tuple[Pipeline, list[Case]]] = []
    for fault in (fault for fault in FAULTS if fault.bench == bench and fault.boundary not in SEALED):
        cases = [case for case in base.cases if fault.suits(case)][:4]
        planted += [(fault.plant(whole, cases), cases), (whole, cases)]

    with Laboratory() as laboratory:
        forwards = [rows(laboratory, *each) for each in planted]
    with Laboratory() as laboratory:
        backwards = [rows(laboratory, *each) for each in reversed(planted)]

    assert forwards == backwards[::-1]


def rows(laboratory: Laboratory, pipeline: Pipeline, cases: list[Case]) -> tuple[CaseVerdict, ...]:
    return diagnose(asked_of(pipeline, cases), laboratory.system(pipeline)).rows


def test_two_laboratories_give_the_same_outcomes(base: Knowledge) -> None:
    said = []
    for _ in range(2):
        with Laboratory() as laboratory:
            system = laboratory.system(healthy(base, "sparse"))
            said.append([system.outcome(case, AS_IT_IS).answer for case in base.cases[:10]])

    assert said[0] == said[1]


def test_nothing_is_left_behind() -> None:
    with Laboratory() as laboratory:
        folder: Path = laboratory.folder
        assert folder.is_dir()
    assert not folder.exists()


def test_gold_is_where_the_evidence_stands_and_what_is_withheld(laboratory: Laboratory, base: Knowledge) -> None:
    system = laboratory.system(healthy(base))
    gold = gold_of(base.cases, system)
    for case in base.cases:
        texts = [chunk.text for chunk in system.chunks(sorted(gold(wording(case.question, case.history))))]
        assert all(any(evidence.quote in text for text in texts) for evidence in case.evidence)
        assert bool(texts) == bool(case.evidence or case.withheld)
