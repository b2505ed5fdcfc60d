from fractions import Fraction

import pytest

from evidex.config import FusionSettings, FusionWeights
from evidex.errors import ConfigError
from evidex.judging import Outcome
from evidex.plots import rrf_contributions
from evidex.query.combine import reciprocal_rank_fusion
from evidex.trace import StageRecord, Trace
from evidex.types import ChunkId, DocumentId, GenerationId, Principal, Query, Question, Ranking, Variant, ranked

A, B, C = (ChunkId(name * 40) for name in "abc")


def _ranking(channel: str, *ids: ChunkId) -> Ranking:
    return ranked(channel, [(id, -float(at)) for at, id in enumerate(ids)])


def _outcome(*rankings: Ranking, weights: tuple[float, ...] = (1.0,)) -> Outcome:
    fused = _ranking("fused", C, B, A)
    stages = [StageRecord("retrieve", rankings), StageRecord("fuse", (fused,))]
    documents = {A: DocumentId("one"), B: DocumentId("two"), C: DocumentId("two")}
    question = Question("where?", Principal())
    variants = tuple(Variant("where?", "original", weight) for weight in weights)
    trace = Trace(GenerationId("g"), "where?", stages=stages, documents=documents)
    return Outcome(trace, Query(question, variants))


def test_a_part_is_the_weight_over_k_and_the_rank() -> None:
    settings = FusionSettings(k=60, weights=FusionWeights(sparse=1.0, dense=2.0))

    data = rrf_contributions.of(_outcome(_ranking("sparse", A, B), _ranking("dense", B)), settings)

    assert data.channels == ("sparse", "dense")
    assert [one.name for one in data.candidates] == ["two", "one"]
    first, second = ([(part.value, part.rank) for part in one.parts] for one in data.candidates)
    assert first == [(float(Fraction(1, 62)), 2), (float(Fraction(2, 61)), 1)]
    assert second == [(float(Fraction(1, 61)), 1), (0.0, None)]
    assert [one.fused_rank for one in data.candidates] == [2, 3]


def test_wordings_of_a_channel_are_one_part_and_sums_are_those_of_fusion() -> None:
    rankings = _ranking("sparse", A, B), _ranking("sparse", B, C), _ranking("dense", C), _ranking("dense", A, B, C)
    weights = (0.75, 0.25)

    data = rrf_contributions.of(_outcome(*rankings, weights=weights), FusionSettings(k=10))

    expected = reciprocal_rank_fusion(rankings, [*weights, *weights], k=10)
    assert [one.score for one in data.candidates] == pytest.approx([hit.score for hit in expected.hits])
    assert [one.fused_rank for one in data.candidates] == [{C: 1, B: 2, A: 3}[id] for id in expected.ids]


def test_chunks_of_one_document_are_told_apart() -> None:
    data = rrf_contributions.of(_outcome(_ranking("sparse", A, B, C)), FusionSettings())

    assert [one.name for one in data.candidates] == ["one", "two · bbbbbb", "two · cccccc"]


def test_a_question_that_failed_before_fusion_is_refused_with_its_reason() -> None:
    failed = Outcome(Trace(GenerationId("g"), "where?"), error="no such user")

    with pytest.raises(ConfigError, match="no such user"):
        rrf_contributions.of(failed, FusionSettings())
