"""Ids name what is measured, and what is measured is what the stages gave at the level that the id names."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.measures import measure, measures, panel
from evidex.evaluation.observed import Observed
from evidex.evaluation.resolve import Fact, Resolved
from evidex.judging import Outcome, Revision
from evidex.trace import Trace
from evidex.types import (
    Case,
    Chunk,
    ChunkId,
    DocumentId,
    DocumentKey,
    Evidence,
    GenerationId,
    Hit,
    Metadata,
    Ranking,
)
from tests.evaluation.systems import system_with

DOCUMENTS = {"a1": "a", "a2": "a", "b1": "b", "c1": "c", "d1": "d"}
FAMILIES = {"a": "a", "b": "b", "c": "c", "d": "a"}


def fact(document: str, chunks: Sequence[str], *, grade: int = 1, whole: bool = True, located: bool = True) -> Fact:
    return Fact(
        evidence=Evidence(DocumentId(document), grade),
        key=DocumentKey(document),
        family=FAMILIES[document],
        start=0,
        end=1,
        chunks=tuple(map(ChunkId, chunks)),
        whole=whole,
        located=located,
    )


def ranking(channel: str, *ids: str) -> Ranking:
    return Ranking(channel, tuple(Hit(ChunkId(id), rank, -rank) for rank, id in enumerate(ids, start=1)))


def revision(document: DocumentId) -> Revision:
    chunks = tuple(
        Chunk(ChunkId(id), document, "1", DocumentKey(document), 0, 1, "x")
        for id, of in DOCUMENTS.items()
        if of == document
    )
    return Revision(DocumentKey(document), Metadata(document), "current", True, True, True, "x", chunks)


def observed(facts: Sequence[Fact], order: Sequence[str], *channels: Ranking) -> Observed:
    trace = Trace(GenerationId("g"), "?")
    with trace.stage("retrieve") as record:
        record.rankings = channels
    with trace.stage("fuse") as record:
        record.rankings = (ranking("fused", *order),)
    trace.documents = {ChunkId(chunk): DocumentId(document) for chunk, document in DOCUMENTS.items()}
    system = system_with(
        families=lambda ids: [FAMILIES[DOCUMENTS[id]] for id in ids],
        visible_chunks=lambda case: 5,
        revisions=lambda document, case: (revision(document),),
    )
    case = Case("case", "?", tuple(found.evidence for found in facts))
    return Observed(Resolved(case, tuple(facts), ()), Outcome(trace, order=tuple(map(ChunkId, order))), system)


def value(id: str, of: Observed) -> float | None:
    return measure(id).of(of)


TWO_FACTS = (fact("a", ["a1"]), fact("b", ["b1"], grade=3))


def test_levels_count_chunks_documents_families_and_facts() -> None:
    seen = observed(TWO_FACTS, ["c1", "a2", "d1", "a1"])

    assert value("chunk:R@4", seen) == 1 / 2  # a1 of a1 and b1
    assert value("chunk:RR", seen) == 1 / 4
    assert value("source:RR", seen) == 1 / 2  # c, a, d
    assert value("family:RR", seen) == 1 / 2  # c, a
    assert value("fact:R", seen) == 1 / 2


def test_three_chunks_of_one_document_are_one_document() -> None:
    assert value("source:P@2", observed([fact("b", ["b1"])], ["a1", "a2", "b1"])) == 1 / 2


def test_without_a_level_documents_are_counted() -> None:
    assert measure("R@5").id == measure("source:R@5").id == measure("final/source:R@5").id == "source:R@5"


def test_a_channel_is_a_stage_and_wordings_are_merged_by_best_rank() -> None:
    seen = observed(
        TWO_FACTS,
        ["a1", "b1"],
        ranking("sparse", "c1", "b1"),
        ranking("sparse", "b1", "a1"),
        ranking("dense", "d1"),
    )

    assert value("sparse/chunk:RR", seen) == 1  # b1 is first for the second wording, and "b1" < "c1"
    assert value("dense/source:R@10", seen) == 0
    assert value("candidates/source:R", seen) == 1


def test_a_stage_that_never_ran_gave_nothing() -> None:
    assert value("reranked/source:R@10", observed(TWO_FACTS, ["a1"])) == 0


def test_chunks_are_not_judged_where_evidence_is_a_whole_document() -> None:
    seen = observed([fact("a", ["a1", "a2"], located=False)], ["a1"])

    assert value("chunk:R@5", seen) is None
    assert value("source:R@5", seen) == 1


def test_a_fact_that_is_split_over_chunks_is_found_by_none_of_them() -> None:
    seen = observed([fact("a", ["a1", "a2"], whole=False)], ["a1", "a2"])

    assert value("fact:R", seen) == 0
    assert value("chunk:R@2", seen) == 1


def test_a_fact_is_found_by_the_first_k_chunks_whatever_else_they_hold() -> None:
    seen = observed([fact("a", ["a1"]), fact("d", ["a1"]), fact("b", ["b1"])], ["c1", "a1", "b1"])

    assert [value(f"fact:R@{k}", seen) for k in (1, 2, 3)] == [0, pytest.approx(2 / 3), 1]


def test_gains_are_those_of_the_convention_in_the_id() -> None:
    seen = observed([fact("a", ["a1"], grade=2), fact("b", ["b1"], grade=1)], ["b1", "a1"])

    discounted = 1 / 1.5849625007211563  # 1 / log2(3)
    assert value("nDCG(lin)@2", seen) == pytest.approx((1 + 2 * discounted) / (2 + discounted))
    assert value("nDCG(exp)@2", seen) == pytest.approx((1 + 3 * discounted) / (3 + discounted))


def test_chance_is_a_draw_of_chunks_from_what_the_asker_may_see() -> None:
    # Of 5 chunks 2 are drawn; document a has 2 of them, b has 1.
    seen = observed(TWO_FACTS, [])

    assert value("random/chunk:R@2", seen) == pytest.approx(2 / 5)
    assert value("random/source:R@2", seen) == pytest.approx(((1 - 3 / 10) + 2 / 5) / 2)


def test_nothing_relevant_is_undefined_and_not_0() -> None:
    seen = observed([fact("a", ["a1"], grade=0)], ["a1"])

    assert [value(id, seen) for id in ("R@5", "RR", "nDCG(lin)@10", "fact:R", "random/source:R@2")] == [None] * 5


@pytest.mark.parametrize(
    "wrong",
    [
        "nDCG@10",
        "AP@5",
        "R@0",
        "R@-1",
        "P",
        "Success",
        "word:R@5",
        "R(lin)@5",
        "Recall@5",
        "",
        "sparse/",
        "fact:RR",
        "R@5 ",
        "random/R",
    ],
)
def test_an_id_that_names_no_measure_is_refused_with_what_there_is(wrong: str) -> None:
    with pytest.raises(ConfigError, match="There is no measure") as refused:
        measure(wrong)

    assert "nDCG(lin)" in str(refused.value)


def test_every_measure_of_the_panel_is_one_and_is_called_by_its_own_name() -> None:
    ids = panel(("sparse", "dense", "late"), depth=100, candidates=50, kept=10, answers=True)

    assert tuple(found.id for found in measures(ids)) == ids
