"""What each stage let through, and why the rest fell. Captured as it happens; diagnosis and `explain` only read it.

The caller makes the trace and passes it in, so that a run which raises still leaves its evidence.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from evidex.types import ChunkId, DocumentId, Fall, GenerationId, Ranking

STAGES = ("scope", "understand", "retrieve", "fuse", "rerank", "assemble", "answer")
"""The stages of a question, in order; they have these names in code, traces, documents and pages."""


@dataclass(slots=True)
class StageRecord:
    """What one stage did: the rankings it produced, the chunks it kept in order, and those that fell with reasons.

    `watched` tells, for documents that the asker asked about, what this stage knew of them.
    """

    name: str
    rankings: tuple[Ranking, ...] = ()
    kept: tuple[ChunkId, ...] | None = None
    fallen: tuple[Fall, ...] = ()
    notes: dict[str, str | int | float] = field(default_factory=dict)
    watched: dict[DocumentId, str] = field(default_factory=dict)
    seconds: float = 0.0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One line of the ledger: where a chunk stood in every channel and stage, and where and why it fell.

    `ranks` pairs channels and the stages `fused` and `reranked` with the chunk's best rank there; `fell_at` is None
    for a chunk that the last stage kept: one that the answer cites, where there is an answer.
    """

    chunk: ChunkId
    document: DocumentId
    ranks: tuple[tuple[str, int], ...]
    scores: tuple[tuple[str, float], ...]
    fell_at: str | None
    reason: str | None


@dataclass(slots=True)
class Trace:
    """The evidence of one question on one generation.

    `documents` names the document of every chunk that was a candidate; `watch` holds the documents about which the
    asker wants to know why they are not in the answer.
    """

    generation: GenerationId
    question: str
    settings: str = ""
    watch: frozenset[DocumentId] = frozenset()
    stages: list[StageRecord] = field(default_factory=list)
    documents: dict[ChunkId, DocumentId] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[StageRecord]:
        """Record one stage: its time, and its error if it raises."""
        record = StageRecord(name)
        self.stages.append(record)
        started = time.perf_counter()
        try:
            yield record
        except Exception as error:
            record.error = f"{type(error).__name__}: {error}"
            raise
        finally:
            record.seconds = time.perf_counter() - started

    def ledger(self) -> tuple[Candidate, ...]:
        """Every chunk that any channel saw, best fused rank first, then by id."""
        ranks: dict[ChunkId, dict[str, int]] = {}
        scores: dict[ChunkId, dict[str, float]] = {}
        falls: dict[ChunkId, tuple[str, str]] = {}
        for record in self.stages:
            for ranking in record.rankings:
                for hit in ranking.hits:
                    if hit.rank < ranks.setdefault(hit.chunk, {}).get(ranking.channel, hit.rank + 1):
                        ranks[hit.chunk][ranking.channel] = hit.rank
                        scores.setdefault(hit.chunk, {})[ranking.channel] = hit.score
            for fall in record.fallen:
                falls[fall.chunk] = (record.name, fall.reason)
        return tuple(
            Candidate(
                chunk=chunk,
                document=self.documents[chunk],
                ranks=tuple(ranks[chunk].items()),
                scores=tuple(scores[chunk].items()),
                fell_at=falls[chunk][0] if chunk in falls else None,
                reason=falls[chunk][1] if chunk in falls else None,
            )
            for chunk in sorted(ranks, key=lambda id: (ranks[id].get("fused", len(ranks) + 1), id))
        )

    def why_not(self, document: DocumentId) -> tuple[tuple[str, str], ...]:
        """What the stages knew of a watched document, in order: (stage, sentence) pairs."""
        return tuple((record.name, record.watched[document]) for record in self.stages if document in record.watched)
