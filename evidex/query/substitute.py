"""What would the line have given, had one stage given what it should? The parts of a line with one of them replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidex.config import Settings
from evidex.judging import AS_IT_IS, Substitution
from evidex.ports import Index, Reranker
from evidex.query.ask import Parts
from evidex.types import Channel, Chunk, ChunkId, Context, Draft, Hit, Query, Ranking, Scope

_EVERYTHING = 1_000_000_000


def substituted(parts: Parts, substitution: Substitution) -> Parts:
    """Parts that give what the substitution says; its chunks have to be in the asker's scope."""
    if substitution == AS_IT_IS:
        return parts
    wanted = substitution.only or substitution.first or substitution.candidates
    if wanted:
        found = [_Finding(index, wanted, only=bool(substitution.only)) for index in parts.indexes]
        parts = replace(parts, indexes=found)
    if substitution.only or substitution.first:
        parts = replace(
            parts, reranker=_First(parts.reranker, wanted), settings=_in_that_order(parts.settings, substitution)
        )
    budget = _EVERYTHING if substitution.only else substitution.budget
    if budget is not None:
        context = parts.settings.context.model_copy(update={"budget_tokens": budget})
        parts = replace(parts, settings=parts.settings.model_copy(update={"context": context}))
    if substitution.draft is not None:
        parts = replace(parts, generator=_Saying(substitution.draft))
    return parts


def _in_that_order(settings: Settings, substitution: Substitution) -> Settings:
    limit = len(substitution.only) or settings.reranking.limit
    reranking = settings.reranking.model_copy(update={"candidates": _EVERYTHING, "blend": False, "limit": limit})
    return settings.model_copy(update={"reranking": reranking})


@dataclass(frozen=True, slots=True)
class _Finding:
    """A channel that has these chunks first, or nothing but them."""

    index: Index
    wanted: tuple[ChunkId, ...]
    only: bool

    @property
    def channel(self) -> Channel:
        return self.index.channel

    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> Sequence[Ranking]:
        rankings = self.index.search(queries, scope, limit, among=among)
        return rankings if among is not None else [self._with_wanted(ranking) for ranking in rankings]

    def _with_wanted(self, ranking: Ranking) -> Ranking:
        others = () if self.only else tuple(hit for hit in ranking.hits if hit.chunk not in self.wanted)
        best = max((hit.score for hit in ranking.hits), default=1.0)
        scored = [(id, best) for id in self.wanted] + [(hit.chunk, hit.score) for hit in others]
        return replace(ranking, hits=tuple(Hit(id, rank, score) for rank, (id, score) in enumerate(scored, start=1)))


@dataclass(frozen=True, slots=True)
class _First:
    """A reranker that puts these chunks before all others."""

    reranker: Reranker
    wanted: tuple[ChunkId, ...]

    @property
    def name(self) -> str:
        return self.reranker.name

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        judged = self.reranker.rerank(query, candidates, limit)
        scores = {hit.chunk: hit.score for hit in judged.hits}
        there = {chunk.id for chunk in candidates}
        best = max(scores.values(), default=0.0)
        order = [*(id for id in self.wanted if id in there), *(id for id in judged.ids if id not in self.wanted)]
        scored = [(id, best if id in self.wanted else scores[id]) for id in order[:limit]]
        return replace(judged, hits=tuple(Hit(id, rank, score) for rank, (id, score) in enumerate(scored, start=1)))


@dataclass(frozen=True, slots=True)
class _Saying:
    """A generator that says what it is given."""

    draft: Draft

    @property
    def name(self) -> str:
        return "substituted/1"

    def answer(self, query: Query, context: Context) -> Draft:  # noqa: ARG002
        return self.draft
