"""What do those who judge a system see of it? What each question came to, and all that is there, whoever may read it.

Evaluation and diagnosis work on these values alone, so that both can judge any system that gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evidex.config import Settings
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
    GenerationId,
    Metadata,
    Query,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question came to: its trace, the query as understood, and every chunk found, in final order.

    `context` and `answer` are None where only a search was asked for. `error` is the sentence of a question that
    failed; the trace then ends at the stage that raised.
    """

    trace: Trace
    query: Query | None = None
    order: tuple[ChunkId, ...] = ()
    context: Context | None = None
    answer: Answer | None = None
    error: str | None = None

    @property
    def said(self) -> str:
        """The answer, or that there is none and why; "" where no answer was made."""
        if self.answer is None:
            return ""
        return self.answer.text or f"no answer: {self.answer.abstention}"


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of one document as catalog and generation know it.

    `in_force` and `readable` hold for the day and the asker of a case, `in_scope` says that the system let the case
    see it. `text` is None and `chunks` is empty when the generation does not hold it; chunks are in the order of the
    text, without those that are never found themselves (parents).
    """

    key: DocumentKey
    metadata: Metadata
    state: Literal["current", "superseded", "deleted"]
    in_force: bool
    readable: bool
    in_scope: bool
    text: str | None
    chunks: tuple[Chunk, ...]

    @property
    def family(self) -> str:
        """What versions of one document share; the document's own id where its owner names no family."""
        return self.metadata.family or self.metadata.id


@dataclass(frozen=True, slots=True)
class Substitution:
    """What one stage gives, replaced by what it should have given; everything after it runs as it is.

    `candidates` are put first among what the channels find, `first` before everything that is reranked, `budget`
    stands for the context's own (in tokens), `only` is all that is delivered, `draft` is what the generator says.
    """

    candidates: tuple[ChunkId, ...] = ()
    first: tuple[ChunkId, ...] = ()
    budget: int | None = None
    only: tuple[ChunkId, ...] = ()
    draft: Draft | None = None


AS_IT_IS = Substitution()
"""Nothing replaced."""


@dataclass(frozen=True, slots=True)
class System:
    """One generation under one set of settings, as whoever judges it may ask it. Every callable is deterministic.

    `built_with` is what decided the generation beside its documents: chunker, analyzer, embedding and index settings.
    `outcome` answers a case and `search` only finds and ranks; neither raises, whatever a part of the line does.
    `visible_chunks` counts what the asker may see, and `everything` names it in the order of documents. `revisions`
    are all of a document in the tenant of the case's asker, `relatives` those of a family, deleted ones included.
    `families` and `chunks` are asked by chunk ids. `source_text` is what a revision's source holds before it is
    parsed. `ranks` tells where chunks stand in every channel when nothing is cut off, for the original wording
    (absent: not matched), with `dense (exact)` beside a `dense` that approximates. `terms` is what keyword search
    makes of a text. `fidelity` is the cosine of a chunk's sealed vector and the one that the embedder gives now, None
    without vectors; `unread_tokens` counts those that the embedder did not read of a chunk.
    """

    generation: GenerationId
    corpus: str
    built_with: Mapping[str, Any]
    settings: Settings
    chunk_count: int
    outcome: Callable[[Case, Substitution], Outcome]
    search: Callable[[Case], Outcome]
    visible_chunks: Callable[[Case], int]
    everything: Callable[[Case], tuple[ChunkId, ...]]
    revisions: Callable[[DocumentId, Case], tuple[Revision, ...]]
    relatives: Callable[[str, Case], tuple[Revision, ...]]
    documents: Callable[[], tuple[DocumentId, ...]]
    chunks: Callable[[Sequence[ChunkId]], Sequence[Chunk]]
    families: Callable[[Sequence[ChunkId]], Sequence[str]]
    source_text: Callable[[DocumentKey], str | None]
    ranks: Callable[[Case, Sequence[ChunkId]], Mapping[Channel, Mapping[ChunkId, int]]]
    terms: Callable[[str], Sequence[str]]
    fidelity: Callable[[ChunkId], float | None]
    unread_tokens: Callable[[ChunkId], int]
