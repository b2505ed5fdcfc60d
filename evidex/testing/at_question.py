"""What goes wrong while a question is on its way: in its wording, its scope, its channels, its ranking, its context.

Each wraps one part of the line and spoils it for the questions that it names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evidex import plugins
from evidex.analysis.budget import count_tokens
from evidex.analysis.identifiers import identifiers
from evidex.assembly import OpenedGeneration
from evidex.config import UnderstandingSettings
from evidex.index.approximate import Approximation, Shortlister
from evidex.index.ranges import RowRanges
from evidex.ports import Index, Reranker
from evidex.query.understand import Synonyms
from evidex.testing.pipeline import Gold, Pipeline, Wrap, wording
from evidex.types import Case, Channel, Chunk, ChunkId, Hit, Query, Question, Ranking, Scope, Variant, Vectors

Understand: TypeAlias = Callable[[Question, Synonyms, UnderstandingSettings], Query]
Spoil: TypeAlias = Callable[[str, Query], Query]
Place: TypeAlias = Literal["first", "second", "last"]

FEW, LATE = 6, 9
"""How many candidates a channel brings that stops too early, and how many it puts before the evidence."""

READ_TOKENS = 24
"""How much of a passage a hasty reranker reads."""

TIGHT_TOKENS = 40
"""The budget of a context that is too small, for two passages or for a long one."""

ECHO = "echo"
"""A channel that says what another has said, and knows nothing itself."""


# --- how the question is worded


def drifted(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """A rewrite takes the question's place, and asks about something else."""
    return _line(pipeline, "B4", _misunderstanding, _Drifted(_drifts(pipeline, cases), "instead"))


def outvoted(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """A rewrite asks about something else, and counts twenty times as much as the question."""
    return _line(pipeline, "B4", _misunderstanding, _Drifted(_drifts(pipeline, cases), "beside"))


def entities_dropped(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The question is searched for without its identifiers."""
    return _line(pipeline, "B4", _misunderstanding, _WithoutEntities(named(cases)))


def ellipsis_unresolved(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """A follow-up is searched for as if nothing had been asked before it."""
    return _line(pipeline, "B4", _misunderstanding, _WithoutHistory(named(cases)))


def named(cases: Sequence[Case]) -> frozenset[str]:
    """The questions of these cases, as pipelines call them."""
    return frozenset(wording(case.question, case.history) for case in cases)


def _line(pipeline: Pipeline, boundary: str, make: Callable[..., OpenedGeneration], *given: Hashable) -> Pipeline:
    return replace(pipeline, line=(*pipeline.line, Wrap(boundary, make, given)))


def _misunderstanding(opened: OpenedGeneration, _: Gold, spoil: Spoil) -> OpenedGeneration:
    understand: Understand = opened.parts.understand

    def misunderstand(question: Question, synonyms: Synonyms, settings: UnderstandingSettings) -> Query:
        query = understand(question, synonyms, settings)
        return spoil(wording(question.text, question.history), query)

    return replace(opened, parts=replace(opened.parts, understand=misunderstand))


@dataclass(frozen=True, slots=True)
class _Drifted:
    drifts: frozenset[tuple[str, str]]
    place: Literal["instead", "beside"]

    def __call__(self, asked: str, query: Query) -> Query:
        other = dict(self.drifts).get(asked)
        if other is None:
            return query
        if self.place == "instead":
            return replace(query, variants=(Variant(other, "synonyms", 1.0),))
        mine, theirs = Variant(query.text, "original", 1 / 21), Variant(other, "synonyms", 20 / 21)
        return replace(query, variants=(mine, theirs))


def _drifts(pipeline: Pipeline, cases: Sequence[Case]) -> frozenset[tuple[str, str]]:
    """For each question one of another kind that shares no name with it, where there is one."""
    others = [case for case in pipeline.cases if case.answerable and not case.history]
    pairs = []
    for place, case in enumerate(cases):
        asked = wording(case.question, case.history)
        strangers = [
            other.question
            for other in others
            if other.category != case.category and _names(other.question).isdisjoint(_names(asked))
        ]
        pairs += [(asked, strangers[place * 7 % len(strangers)])] if strangers else []
    return frozenset(pairs)


def _names(question: str) -> frozenset[str]:
    """The words of a question that begin with a capital, after its first."""
    return frozenset(word.strip("?") for word in question.split()[1:] if word[:1].isupper())


@dataclass(frozen=True, slots=True)
class _WithoutEntities:
    asked: frozenset[str]

    def __call__(self, asked: str, query: Query) -> Query:
        if asked not in self.asked:
            return query
        return replace(query, variants=tuple(replace(v, text=_without_identifiers(v.text)) for v in query.variants))


def _without_identifiers(text: str) -> str:
    return " ".join(word for word in text.split() if not identifiers(word))


@dataclass(frozen=True, slots=True)
class _WithoutHistory:
    asked: frozenset[str]

    def __call__(self, asked: str, query: Query) -> Query:
        if asked not in self.asked:
            return query
        return replace(query, variants=(replace(query.variants[0], weight=1.0),))


# --- what may be seen


def over_filtered(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """A filter that nobody asked for hides the documents with the evidence."""
    return _line(pipeline, "B5", _filtering, named(cases), False)


def under_filtered(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The filter on readers is not applied: the search sees what is withheld from the asker."""
    return _line(pipeline, "B5", _filtering, named(cases), True)


def _filtering(opened: OpenedGeneration, gold: Gold, asked: frozenset[str], seen: bool) -> OpenedGeneration:
    scope = opened.parts.scope
    rows = {name: _document_rows(opened, gold(name)) for name in sorted(asked)}

    def filtered(question: Question) -> Scope:
        found = scope(question)
        name = wording(question.text, question.history)
        if name not in rows:
            return found
        visible = found.documents.copy()
        visible[rows[name]] = seen
        return opened.generation.scope(visible)

    return replace(opened, parts=replace(opened.parts, scope=filtered))


def _document_rows(opened: OpenedGeneration, ids: frozenset[ChunkId]) -> NDArray[np.int64]:
    chunks = opened.generation.chunks
    return np.array(sorted({chunks.keys.find(chunk.key) for chunk in chunks.get(sorted(ids))}), np.int64)


# --- what is found


def omitted(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """No channel holds the chunk: it is in the generation, and in no index."""
    return _line(pipeline, "B3", _searching, _Omitting, named(cases))


def found_too_late(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Every channel ranks the evidence, and stops before it."""
    short = pipeline.with_settings(("retrieval", "limit", FEW))
    return _line(short, "B6", _searching, _Late, named(cases))


def outnumbered(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Channels that repeat what others found, and know nothing of the evidence, take part in fusion."""
    return _line(pipeline, "B7", _echoing, named(cases))


def graph_skips(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The approximate search never shortlists the evidence."""
    return _line(pipeline, "B6", _skipping, named(cases))


def _searching(
    opened: OpenedGeneration, gold: Gold, channel: Callable[..., Index], asked: frozenset[str]
) -> OpenedGeneration:
    mine = {name: gold(name) for name in sorted(asked)}
    indexes = tuple(channel(index, mine) for index in opened.parts.indexes)
    return replace(opened, parts=replace(opened.parts, indexes=indexes))


def _echoing(opened: OpenedGeneration, gold: Gold, asked: frozenset[str]) -> OpenedGeneration:
    mine = {name: gold(name) for name in sorted(asked)}
    echoes = [_Omitting(index, mine, f"{ECHO} {number}") for number in (1, 2) for index in opened.parts.indexes[:1]]
    return replace(opened, parts=replace(opened.parts, indexes=(*opened.parts.indexes, *echoes)))


@dataclass(frozen=True, slots=True)
class _Omitting:
    """A channel that does not know the evidence."""

    index: Index
    gold: Mapping[str, frozenset[ChunkId]]
    called: str = ""

    @property
    def channel(self) -> Channel:
        return self.called or self.index.channel

    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> Sequence[Ranking]:
        most = max((len(self.gold.get(query, ())) for query in queries), default=0)
        rankings = self.index.search(queries, scope, limit + most, among=among)
        return [self._without(query, ranking, limit) for query, ranking in zip(queries, rankings, strict=True)]

    def _without(self, query: str, ranking: Ranking, limit: int) -> Ranking:
        lost = self.gold.get(query, frozenset())
        return _in_order(replace(ranking, channel=self.channel), [id for id in ranking.ids if id not in lost][:limit])


@dataclass(frozen=True, slots=True)
class _Late:
    """A channel that puts the evidence behind what it usually gives, or last of all."""

    index: Index
    gold: Mapping[str, frozenset[ChunkId]]

    @property
    def channel(self) -> Channel:
        return self.index.channel

    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> Sequence[Ranking]:
        if among is not None:
            return self.index.search(queries, scope, limit, among=among)
        rankings = self.index.search(queries, scope, max(1, len(scope.rows)))
        return [self._late(query, ranking, limit) for query, ranking in zip(queries, rankings, strict=True)]

    def _late(self, query: str, ranking: Ranking, limit: int) -> Ranking:
        late = [id for id in ranking.ids if id in self.gold.get(query, ())]
        others = [id for id in ranking.ids if id not in late]
        return _in_order(ranking, [*others[:LATE], *late, *others[LATE:]][:limit])


def _in_order(ranking: Ranking, ids: Sequence[ChunkId]) -> Ranking:
    """These chunks of a ranking in this order, with the scores of the places that they take."""
    scores = [hit.score for hit in ranking.hits]
    hits = (Hit(id, rank, score) for rank, (id, score) in enumerate(zip(ids, scores, strict=False), start=1))
    return replace(ranking, hits=tuple(hits))


def _skipping(opened: OpenedGeneration, gold: Gold, asked: frozenset[str]) -> OpenedGeneration:
    dense = opened.generation.dense
    if dense is None or dense.approximation is None:
        return opened
    ids = sorted({id for name in asked for id in gold(name)})
    rows = tuple(opened.generation.chunks.ids.find(id) for id in ids)
    skipping = Approximation(_Skipping(dense.approximation.shortlister, rows), dense.approximation.oversampling)
    spoilt = replace(dense, approximation=skipping)
    indexes = tuple(spoilt if index is dense else index for index in opened.parts.indexes)
    generation = replace(opened.generation, dense=spoilt)
    return replace(opened, generation=generation, parts=replace(opened.parts, indexes=indexes))


@dataclass(frozen=True, slots=True, eq=False)
class _Skipping:
    shortlister: Shortlister
    rows: tuple[int, ...]

    def shortlist(self, query: Vectors, ranges: RowRanges, count: int) -> RowRanges:
        found = self.shortlister.shortlist(query, ranges, count)
        for row in self.rows:
            found = found.without(row)
        return found


# --- what is ranked and delivered


def dropped_by_reranker(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The reranker prefers everything else."""
    return _line(pipeline, "B8", _reranking, named(cases), "last")


def truncated_by_reranker(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The reranker reads the beginning of each passage, and says so."""
    return _line(pipeline, "B8", _hasty, named(cases), READ_TOKENS)


def evicted(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The budget has no room for a second passage, which is the one that is needed."""
    tight = pipeline.with_settings(("context", "budget_tokens", TIGHT_TOKENS))
    return _line(tight, "", _reranking, named(cases), "second")


def cut_short(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The budget has no room for the whole of the first passage, and the evidence stands at its end."""
    short = pipeline.with_settings(("context", "budget_tokens", TIGHT_TOKENS))
    return _line(short, "", _reranking, named(cases), "first")


def _reranking(opened: OpenedGeneration, gold: Gold, asked: frozenset[str], place: Place) -> OpenedGeneration:
    mine = {name: gold(name) for name in sorted(asked)}
    at = {"first": 0, "second": 1, "last": opened.parts.settings.reranking.candidates}[place]
    return replace(opened, parts=replace(opened.parts, reranker=_Moving(opened.parts.reranker, mine, at)))


@dataclass(frozen=True, slots=True)
class _Moving:
    """A reranker that gives the evidence one fixed place."""

    reranker: Reranker
    gold: Mapping[str, frozenset[ChunkId]]
    place: int

    @property
    def name(self) -> str:
        return self.reranker.name

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        ranking = self.reranker.rerank(query, candidates, limit)
        moved = self.gold.get(wording(query.question.text, query.question.history), frozenset())
        others = [id for id in ranking.ids if id not in moved]
        placed = [id for id in ranking.ids if id in moved]
        return _in_order(ranking, [*others[: self.place], *placed, *others[self.place :]])


def _hasty(opened: OpenedGeneration, _: Gold, asked: frozenset[str], tokens: int) -> OpenedGeneration:
    generation, settings = opened.generation, opened.parts.settings.reranking
    resources = plugins.RerankingResources(
        settings, generation.sparse.analyzer, opened.embedder, generation.vectors, generation.token_vectors
    )
    # Of its own, for a reranker may remember passages by their ids, and what this one is given is not the passage.
    reading = plugins.load("rerankers", settings.method)(resources)
    return replace(opened, parts=replace(opened.parts, reranker=_Hasty(opened.parts.reranker, reading, asked, tokens)))


@dataclass(frozen=True, slots=True)
class _Hasty:
    """A reranker that reads so many tokens of a passage; `reading` is the one that is given those."""

    reranker: Reranker
    reading: Reranker
    asked: frozenset[str]
    tokens: int

    @property
    def name(self) -> str:
        return self.reranker.name

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        if wording(query.question.text, query.question.history) not in self.asked:
            return self.reranker.rerank(query, candidates, limit)
        ranking = self.reading.rerank(query, [self._beginning(chunk) for chunk in candidates], limit)
        return replace(ranking, notes=(*ranking.notes, ("max_tokens", self.tokens)))

    def _beginning(self, chunk: Chunk) -> Chunk:
        words = chunk.text.split(" ")
        while words and count_tokens(replace(chunk, text=" ".join(words)).indexed_text) > self.tokens:
            words.pop()
        return replace(chunk, text=" ".join(words))
