"""A system small enough to be written down: documents, and what each stage of one question gave of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.budget import count_tokens
from evidex.config import AnalysisSettings, parse_settings
from evidex.diagnosis.inquiry import Inquiry, needs_of
from evidex.errors import GenerationError
from evidex.grounding.citations import verify
from evidex.judging import AS_IT_IS, Outcome, Revision, Substitution, System
from evidex.trace import Trace
from evidex.types import (
    Answer,
    Case,
    Channel,
    Chunk,
    ChunkId,
    Context,
    DocumentId,
    DocumentKey,
    Draft,
    DraftClaim,
    Evidence,
    Fall,
    GenerationId,
    Hit,
    Metadata,
    Passage,
    Principal,
    Query,
    Question,
    Quote,
    Ranking,
    Variant,
)

ANALYZER = make_analyzer(AnalysisSettings())
LIMITS = parse_settings({"retrieval": {"limit": 3}, "reranking": {"candidates": 3, "limit": 2}})


@dataclass(frozen=True)
class Page:
    """One revision. `cuts` are the places at which it is cut into chunks, `left_out` the numbers of those left out."""

    id: str
    text: str
    version: str = "1"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    state: Literal["current", "superseded", "deleted"] = "current"
    in_force: bool = True
    readable: bool = True
    in_scope: bool = True
    sealed: bool = True
    source: str | None = None
    cuts: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    section: tuple[str, ...] = ()

    @property
    def key(self) -> DocumentKey:
        return DocumentKey(f"{self.id}@{self.version}")

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        edges = (0, *self.cuts, len(self.text))
        return tuple(
            Chunk(
                ChunkId(f"{self.id}@{self.version}#{n}"),
                DocumentId(self.id),
                self.version,
                self.key,
                start,
                end,
                self.text[start:end],
                self.section,
            )
            for n, (start, end) in enumerate(itertools.pairwise(edges))
            if n not in self.left_out
        )

    @property
    def revision(self) -> Revision:
        return Revision(
            key=self.key,
            metadata=Metadata(DocumentId(self.id), self.version, **self.metadata),
            state=self.state,
            in_force=self.in_force,
            readable=self.readable,
            in_scope=self.in_scope,
            text=self.text if self.sealed else None,
            chunks=self.chunks if self.sealed else (),
        )


@dataclass(frozen=True)
class Line:
    """What the stages of a question gave; what is None follows from the stage before, as it does in a healthy line.

    `found` are the lists of each channel for each wording, `ranks` where chunks stand with nothing cut off, `say` what
    the generator drafts from its context.
    """

    wordings: tuple[tuple[str, Literal["original", "history", "synonyms"], float], ...] | None = None
    found: tuple[tuple[Channel, tuple[str, ...]], ...] | None = None
    fused: tuple[str, ...] | None = None
    reranked: tuple[str, ...] | None = None
    notes: Mapping[str, str | int | float] = field(default_factory=dict)
    passages: tuple[Passage, ...] | None = None
    evicted: tuple[Fall, ...] = ()
    say: Callable[[Context], Draft] | None = None
    ranks: Mapping[Channel, Mapping[str, int]] = field(default_factory=dict)
    terms: Callable[[str], Sequence[str]] = ANALYZER.terms
    fidelity: float | None = 1.0
    error: str | None = None
    answering: bool = True
    revoked: bool = False


def first_sentence(context: Context) -> Draft:
    """Says what the first passage says, and nothing where there is none."""
    if not context.passages:
        return Draft(abstention="No passage was found.")
    return quoting(context.passages[0].chunk.id, context.passages[0].chunk.text)


def quoting(chunk: str, words: str, claim: str = "") -> Draft:
    """A claim that quotes these words of a chunk."""
    words = words.strip()
    return Draft((DraftClaim(claim or words, (Quote(ChunkId(chunk), words),)),))


def passage(chunk: Chunk, *, merged: tuple[str, ...] = (), title: str = "") -> Passage:
    """A chunk as it is delivered."""
    return Passage(chunk, title, count_tokens(chunk.indexed_text), tuple(map(ChunkId, merged)))


def system(pages: Sequence[Page], line: Line = Line()) -> System:
    """The system that these pages and this line make."""
    return _Told(tuple(pages), line).system()


def asked(pages: Sequence[Page], case: Case, line: Line = Line()) -> Inquiry:
    """A case that was asked of this system."""
    made = system(pages, line)
    return Inquiry(case, needs_of(case, made), made.outcome(case, AS_IT_IS), made)


def case(question: str, *quotes: str, document: str = "policy", **changes: Any) -> Case:
    """A case that is answered by these words of a document."""
    evidence = tuple(Evidence(DocumentId(document), quote=quote) for quote in quotes)
    return replace(Case("c-1", question, evidence, answerable=True), **changes)


@dataclass(frozen=True)
class _Told:
    pages: tuple[Page, ...]
    line: Line

    def system(self) -> System:
        return System(
            generation=GenerationId("g"),
            corpus="",
            built_with={},
            settings=LIMITS,
            chunk_count=sum(len(page.chunks) for page in self.pages),
            outcome=self.outcome,
            search=lambda case: self.outcome(case, AS_IT_IS),
            visible_chunks=lambda case: len(self._visible()),
            everything=lambda case: tuple(chunk.id for chunk in self._visible()),
            revisions=lambda id, case: tuple(p.revision for p in self.pages if p.id == id),
            relatives=lambda family, case: tuple(p.revision for p in self.pages if p.revision.family == family),
            documents=lambda: tuple(dict.fromkeys(DocumentId(page.id) for page in self.pages)),
            chunks=self.chunks,
            families=lambda ids: tuple(chunk.document for chunk in self.chunks(ids)),
            source_text=self.source_text,
            ranks=self.ranks,
            terms=self.line.terms,
            fidelity=lambda id: self.line.fidelity,
            unread_tokens=lambda id: 0,
        )

    def chunks(self, ids: Sequence[ChunkId]) -> tuple[Chunk, ...]:
        known = {chunk.id: chunk for page in self.pages for chunk in page.chunks}
        if unknown := [id for id in ids if id not in known]:
            raise GenerationError(f"There is no chunk {unknown[0]!r}.")
        return tuple(known[id] for id in ids)

    def source_text(self, key: DocumentKey) -> str | None:
        page = next(page for page in self.pages if page.key == key)
        return page.text if page.source is None else page.source

    def ranks(self, case: Case, ids: Sequence[ChunkId]) -> dict[Channel, dict[ChunkId, int]]:
        if self.line.ranks:
            return {c: {ChunkId(id): r for id, r in found.items() if id in ids} for c, found in self.line.ranks.items()}
        question = frozenset(self.line.terms(case.question))
        common = {c.id: len(question & frozenset(self.line.terms(c.indexed_text))) for c in self._visible()}
        order = sorted((id for id in common if common[id]), key=lambda id: (-common[id], id))
        return {"sparse": {id: rank for rank, id in enumerate(order, start=1) if id in ids}}

    def _visible(self) -> list[Chunk]:
        return [chunk for page in self.pages if page.in_scope and page.sealed for chunk in page.chunks]

    def outcome(self, case: Case, substitution: Substitution) -> Outcome:
        line = self.line
        trace = Trace(GenerationId("g"), case.question)
        if line.error is not None:
            return Outcome(trace, error=line.error)
        wordings = line.wordings or ((case.question, "original", 1.0),)
        query = Query(Question(case.question, Principal(), case.history), tuple(Variant(*w) for w in wordings))
        found = line.found or tuple(("sparse", self._by_words(text)) for text, _, _ in wordings)
        rankings = tuple(_ranking(channel, ids) for channel, ids in found)
        together = tuple(dict.fromkeys(id for ranking in rankings for id in ranking.ids))
        with trace.stage("scope"):
            pass
        with trace.stage("understand"):
            pass
        with trace.stage("retrieve") as record:
            record.rankings, record.kept = rankings, together
            trace.documents |= {id: chunk.document for id, chunk in zip(together, self.chunks(together), strict=True)}
        fused = together if line.fused is None else tuple(map(ChunkId, line.fused))
        with trace.stage("fuse") as record:
            record.rankings = (_ranking("fused", fused),)
            record.kept = fused[: LIMITS.reranking.candidates]
        reranked = record.kept if line.reranked is None else tuple(map(ChunkId, line.reranked))
        first = (*substitution.only, *substitution.first, *substitution.candidates)
        reranked = substitution.only or tuple(dict.fromkeys((*first, *reranked)))
        with trace.stage("rerank") as record:
            record.rankings = (_ranking("reranked", reranked),)
            record.kept = reranked[: max(LIMITS.reranking.limit, len(substitution.only))]
            record.notes |= {"reranker": "told/1", **line.notes}
        if not line.answering:
            return Outcome(trace, query, reranked)
        given = tuple(passage(chunk) for chunk in self.chunks(record.kept))
        if line.passages is not None and not first and substitution.budget is None:
            given = line.passages
        context = Context(given, sum(p.tokens for p in given), 1500, line.evicted)
        with trace.stage("assemble") as record:
            record.kept = context.ids
        with trace.stage("answer"):
            draft = substitution.draft or (line.say or first_sentence)(context)
            answer = self._verified(draft, context)
        return Outcome(trace, query, reranked, context, answer)

    def _verified(self, draft: Draft, context: Context) -> Answer:
        texts = {page.key: page.text for page in self.pages}
        return verify(draft, context, lambda key: None if self.line.revoked else texts[key], lambda *_: ("line", 1))

    def _by_words(self, text: str) -> tuple[str, ...]:
        question = frozenset(self.line.terms(text))
        scored = [(len(question & frozenset(self.line.terms(c.indexed_text))), c.id) for c in self._visible()]
        return tuple(id for score, id in sorted(scored, key=lambda pair: (-pair[0], pair[1])) if score)[:3]


def _ranking(channel: Channel, ids: Sequence[str]) -> Ranking:
    return Ranking(channel, tuple(Hit(ChunkId(id), rank, 1.0 / rank) for rank, id in enumerate(ids, start=1)))
