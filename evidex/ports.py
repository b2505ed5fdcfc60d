"""The places where evidex can be extended: one Protocol each, one method each, sequences in, sequences out.

A plug-in offers a factory under the entry-point group of its port (see `plugins`); what evidex ships comes in by
the same door. `name` properties end in a version (`markdown/1`): it is sealed into generations and cache keys, so
raise it whenever the same input would give another output.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from evidex.types import (
    Channel,
    Chunk,
    ChunkId,
    Context,
    Document,
    Draft,
    Failure,
    Parsed,
    Query,
    Ranking,
    Scope,
    SourceItem,
    Vectors,
)


class Source(Protocol):
    """What may be read, in which version, by whom."""

    def documents(self) -> Iterable[SourceItem | Failure]: ...


class Parser(Protocol):
    """Bytes into a text that maps back to its source. Raises `ParseError` for bytes that it cannot read."""

    @property
    def name(self) -> str: ...
    def parse(self, item: SourceItem) -> Parsed: ...


class Chunker(Protocol):
    """A document into chunks with exact offsets, in text order; parents (if any) come before their children."""

    @property
    def name(self) -> str: ...
    def chunk(self, document: Document) -> Sequence[Chunk]: ...


class Analyzer(Protocol):
    """A text into the terms that keyword search matches; a named, versioned value."""

    @property
    def name(self) -> str: ...
    def terms(self, text: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class EmbedderContract:
    """Everything that must be equal between the vectors of an index and the vector of a query.

    `max_tokens` is the longest input in the model's own tokens (0: unbounded).
    """

    model: str
    revision: str
    weights: str
    query_prefix: str
    passage_prefix: str
    pooling: Literal["mean", "cls", "sum", "provider"]
    normalized: bool
    width: int
    max_tokens: int
    metric: Literal["cosine", "dot"]

    def differences(self, other: EmbedderContract) -> list[tuple[str, object, object]]:
        """Fields that differ, each with this contract's value and the other's."""
        mine, theirs = asdict(self), asdict(other)
        return [(name, mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]]


@dataclass(frozen=True, slots=True)
class Embedding:
    """Vectors of texts, shape (texts, width), and what the embedder knew of each text.

    `known[i]` counts the tokens of text i that the model knows, `unknown[i]` those that it does not, and
    `truncated[i]` those beyond `max_tokens` that it never saw. A text without a known token has the zero vector.
    `token_vectors[i]`, shape (tokens, width), is empty for embedders that have none or were not asked.
    """

    vectors: Vectors
    known: tuple[int, ...]
    unknown: tuple[int, ...]
    truncated: tuple[int, ...]
    token_vectors: tuple[Vectors, ...] = ()


class Embedder(Protocol):
    """Texts into vectors under a contract. The vector of a text never depends on the texts beside it."""

    @property
    def contract(self) -> EmbedderContract: ...
    @property
    def has_token_vectors(self) -> bool: ...
    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding: ...


class Trainer(Protocol):
    """Learns an embedder's weights from a corpus and writes them into `folder`, the same bytes for the same texts.

    `name` ends in a version; raise it when the same texts would give other weights.
    """

    @property
    def name(self) -> str: ...
    def __call__(self, texts: Sequence[str], folder: Path) -> None: ...


class Index(Protocol):
    """One channel of one generation. Searching never writes, and never returns a chunk that did not match.

    One ranking per query text, best first, at most `limit` hits, taken from the rows of `scope` alone. With `among`,
    they are taken from these chunks (all of them in `scope`), each with the score that it has without: statistics
    stay those of the scope.
    """

    @property
    def channel(self) -> Channel: ...
    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> Sequence[Ranking]: ...


class ChunkStore(Protocol):
    """Chunks by id, in the order asked for."""

    def get(self, ids: Sequence[ChunkId]) -> Sequence[Chunk]: ...


class TokenVectorStore(Protocol):
    """Late interaction with sealed token vectors: the mean MaxSim of a query with chunks, in this order.

    `query_tokens` has shape (tokens, width) and unit rows. The score of a chunk is the mean over the query's tokens of
    the greatest cosine with any token of the chunk, in [-1, 1]; -1 for a chunk without token vectors, 0 for every
    chunk when the query has no tokens. It depends on nothing but the query and the chunk.
    """

    def maxsim(self, query_tokens: Vectors, ids: Sequence[ChunkId]) -> NDArray[np.float32]: ...


class VectorStore(Protocol):
    """Passage vectors of chunks by id, shape (ids, width)."""

    def vectors(self, ids: Sequence[ChunkId]) -> Vectors: ...


class Reranker(Protocol):
    """Reorders candidates, best first; keeps at most `limit` of them and adds none. Ties keep the earlier order."""

    @property
    def name(self) -> str: ...
    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking: ...


class Generator(Protocol):
    """Answers from a context, quoting it, or abstains with a reason."""

    @property
    def name(self) -> str: ...
    def answer(self, query: Query, context: Context) -> Draft: ...
