"""The life of a question, top to bottom: scope, understand, retrieve, fuse, rerank, assemble, answer.

Each stage records in the trace what it let through and why the rest fell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from evidex.config import Settings, UnderstandingSettings
from evidex.grounding.citations import verify
from evidex.ports import ChunkStore, Generator, Index, Reranker
from evidex.query.assemble import assemble
from evidex.query.fuse import blend, fuse
from evidex.query.retrieve import Route, ranks_beyond, retrieve
from evidex.query.understand import Synonyms, understand
from evidex.trace import StageRecord, Trace
from evidex.types import (
    Answer,
    Chunk,
    ChunkId,
    Citation,
    Context,
    DocumentId,
    DocumentKey,
    Draft,
    Fall,
    Query,
    Question,
    Ranking,
    Scope,
    Term,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """What the line runs on: one generation, opened, and the settings in force.

    `scope` asks the catalog what the asker may see, and `why_outside` why a document is not in that; `term_weights`
    gives the terms of a text with their inverse document frequencies within a scope. `understand` words a question.
    """

    settings: Settings
    synonyms: Synonyms
    scope: Callable[[Question], Scope]
    why_outside: Callable[[DocumentId, Question], str | None]
    term_weights: Callable[[str, Scope], tuple[Term, ...]]
    indexes: Sequence[Index]
    chunks: ChunkStore
    documents_of: Callable[[Sequence[ChunkId]], Sequence[DocumentId]]
    title_of: Callable[[Chunk], str]
    text_within: Callable[[Scope, DocumentKey], str | None]
    origin_of: Callable[[DocumentKey, int], tuple[str, int]]
    reranker: Reranker
    generator: Generator
    understand: Callable[[Question, Synonyms, UnderstandingSettings], Query] = understand


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: every route, their fusion, and the reranked chunks that an answer may be made from.

    `order` is the whole result, reranked candidates first and the rest as fused, so that a longer page of results
    always begins with the shorter one.
    """

    query: Query
    routes: tuple[Route, ...]
    fused: Ranking
    reranked: Ranking
    order: tuple[ChunkId, ...]
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, with what it was made from."""

    found: Found
    context: Context
    answer: Answer


def ask(question: Question, parts: Parts, trace: Trace) -> Reply:
    """Answer a question from the evidence its asker may see, or abstain."""
    found = search(question, parts, trace)

    with trace.stage("assemble") as record:
        context = assemble(
            found.chunks,
            parts.settings.context,
            title_of=parts.title_of,
            parent_of=lambda parent: parts.chunks.get([parent])[0],
        )
        record.kept = context.ids
        record.fallen = context.evicted
        record.notes |= {"tokens": context.tokens, "budget_tokens": context.budget}
        record.notes |= {"merged": sum(len(passage.merged) for passage in context.passages)}

    with trace.stage("answer") as record:
        draft = parts.generator.answer(found.query, context)
        # A model may take a minute: what was revoked or deleted meanwhile is no longer evidence.
        scope = parts.scope(question)
        answer = verify(draft, context, lambda key: parts.text_within(scope, key), parts.origin_of)
        _record_answer(record, parts, draft, answer, context)

    return Reply(found, context, answer)


def search(question: Question, parts: Parts, trace: Trace) -> Found:
    """Find and rank the evidence for a question."""
    settings = parts.settings

    with trace.stage("scope") as record:
        scope = parts.scope(question)
        record.notes["visible_chunks"] = scope.size
        outside = {document: parts.why_outside(document, question) for document in sorted(trace.watch)}
        record.watched = {document: reason for document, reason in outside.items() if reason is not None}

    with trace.stage("understand") as record:
        query = parts.understand(question, parts.synonyms, settings.understanding)
        query = replace(query, terms=parts.term_weights(query.text, scope))
        record.notes |= {f"wording {n} ({v.origin})": v.text for n, v in enumerate(query.variants, start=1)}
        record.notes |= {"synonyms": parts.synonyms.version, "terms": len(query.terms)}
        record.notes["unknown_terms"] = " ".join(term.text for term in query.terms if term.idf == 0)

    with trace.stage("retrieve") as record:
        routes = retrieve(query, parts.indexes, scope, settings.retrieval.limit)
        _record_routes(record, trace, parts, query, scope, routes)

    with trace.stage("fuse") as record:
        fused = fuse(routes, query, parts.indexes, scope, settings.fusion)
        limit = settings.reranking.candidates
        record.rankings = (fused,)
        record.kept = fused.ids[:limit]
        record.fallen = _beyond(fused, limit, "reranked")
        record.notes["method"] = settings.fusion.method

    with trace.stage("rerank") as record:
        candidates = tuple(parts.chunks.get(fused.ids[:limit]))
        judged = parts.reranker.rerank(query, candidates, len(candidates))
        ranking = blend(judged, query, parts.indexes, scope, settings)
        reranked = replace(ranking, hits=ranking.hits[: settings.reranking.limit])
        record.rankings = (ranking,) if ranking is judged else (replace(judged, channel="reranker"), ranking)
        record.kept = reranked.ids
        record.fallen = _beyond(ranking, settings.reranking.limit, "kept")
        record.notes |= {"reranker": parts.reranker.name, **dict(judged.notes)}

    by_id = {chunk.id: chunk for chunk in candidates}
    order = (*ranking.ids, *fused.ids[limit:])
    return Found(query, routes, fused, reranked, order, tuple(by_id[id] for id in reranked.ids))


def _record_routes(
    record: StageRecord, trace: Trace, parts: Parts, query: Query, scope: Scope, routes: Iterable[Route]
) -> None:
    record.rankings = tuple(route.ranking for route in routes)
    record.kept = tuple(dict.fromkeys(id for ranking in record.rankings for id in ranking.ids))
    trace.documents |= zip(record.kept, parts.documents_of(record.kept), strict=True)
    for number, ranking in enumerate(record.rankings):
        wording = f" wording {number % len(query.variants) + 1}" if len(query.variants) > 1 else ""
        record.notes |= {f"{ranking.channel}{wording} {name}": value for name, value in ranking.notes}
    limit = parts.settings.retrieval.limit
    for document in sorted(trace.watch - trace.stages[0].watched.keys()):
        record.watched[document] = ranks_beyond(document, query, parts.indexes, scope, parts.documents_of, limit)


def _record_answer(record: StageRecord, parts: Parts, draft: Draft, answer: Answer, context: Context) -> None:
    citations: list[Citation] = [citation for claim in answer.claims for citation in claim.citations]
    cited = {citation.chunk for citation in citations if citation.status == "verified"}
    record.kept = tuple(id for id in context.ids if id in cited)
    why = "delivered, not cited" if answer.claims else f"delivered, but the answer abstains: {answer.abstention}"
    record.fallen = tuple(Fall(id, why) for id in context.ids if id not in cited)
    record.notes |= {"generator": parts.generator.name, "drafted_claims": len(draft.claims)}
    record.notes |= {"claims": len(answer.claims), "rejected_claims": len(answer.rejected)}
    if draft.support is not None:
        record.notes["support"] = draft.support
    if answer.abstention is not None:
        record.notes["abstention"] = answer.abstention


def _beyond(ranking: Ranking, limit: int, what: str) -> tuple[Fall, ...]:
    return tuple(
        Fall(hit.chunk, f"rank {hit.rank} of {len(ranking.hits)}; {limit} are {what}") for hit in ranking.hits[limit:]
    )
