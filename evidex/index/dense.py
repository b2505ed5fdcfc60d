"""Search by meaning: an exact scan over passage vectors, the same to the last bit whatever else is in the index.

A first pass in float32 finds every row that could be among the best, with a margin for its rounding; those few are
scored again in float64, each by itself. What BLAS does with threads and block sizes can therefore move no result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ContractError, GenerationError, ProviderError
from evidex.index.chunks import rows_of
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.index.top import best, hits, visible_rows
from evidex.ports import Embedder, EmbedderContract, Embedding
from evidex.storage import Folder
from evidex.types import Channel, ChunkId, Hit, Ranking, Scope, Vectors

PART = "dense"
CHANNEL = "dense"
LONGEST = 2.0**60
"""The longest vector that is taken: the dot product of two such is still a finite float32."""
UNIT_TOLERANCE = 1e-3
_BLOCK_VALUES = 2**20


def write_vectors(folder: Folder, vectors: Vectors, *, contract: EmbedderContract) -> None:
    """Write passage vectors, shape (chunks, width), in row order; a chunk with the zero vector is never found.

    Vectors of a cosine contract that are not normalised yet are normalised here. Raises `ContractError` for another
    width, and `GenerationError` naming the first row that is not finite, too long, or not normalised as promised.
    """
    if vectors.ndim != 2 or vectors.shape[1] != contract.width:
        raise ContractError("width", contract.width, vectors.shape[-1] if vectors.ndim else 0)
    lengths = _lengths(vectors)
    _require_sound(lengths, contract)
    rows = _prepared(vectors, lengths, contract)
    write_part(folder.child(PART), {"vectors": rows, "lengths": _lengths(rows)}, {})


@dataclass(frozen=True, slots=True, eq=False)
class SealedVectors:
    """The passage vectors of an opened generation; implements `VectorStore`.

    `matrix` has one row a chunk, and `lengths` the Euclidean length of each.
    """

    ids: Strings
    matrix: Vectors
    lengths: NDArray[np.float64]

    @classmethod
    def open(cls, path: Path, *, ids: Strings) -> SealedVectors:
        """Open the vectors of the generation in `path`; `ids` are the ids of its chunks."""
        part = open_part(path / PART)
        return cls(ids, part.arrays["vectors"], part.arrays["lengths"])

    @classmethod
    def none(cls, ids: Strings) -> SealedVectors:
        """The vectors of a generation that was built without an embedder: all of width 0."""
        return cls(ids, np.zeros((len(ids), 0), np.float32), np.zeros(len(ids)))

    def vectors(self, ids: Sequence[ChunkId]) -> Vectors:
        """Passage vectors of chunks, shape (ids, width). Raises `GenerationError` for an unknown id."""
        return self.matrix[rows_of(self.ids, ids)]


@dataclass(frozen=True, slots=True, eq=False)
class DenseIndex:
    """The `dense` channel of an opened generation: exact nearest neighbours by cosine or dot product.

    The notes of a ranking are `effective_terms` (tokens of the query that the embedder knows), `oov_rate` (the share
    that it does not; 0 for a query without tokens) and `truncated` (tokens that it never saw). A query of which the
    embedder knows nothing has an empty ranking.
    """

    store: SealedVectors
    embedder: Embedder

    @property
    def channel(self) -> Channel:
        return CHANNEL

    def search(self, queries: Sequence[str], scope: Scope, limit: int) -> tuple[Ranking, ...]:
        """One ranking per query over the rows of `scope`.

        Raises `ContractError` for queries of another width than the index, `ProviderError` for vectors not finite.
        """
        visible = visible_rows(scope, len(self.store.lengths)) & (self.store.lengths > 0)
        if not queries:
            return ()
        embedding = self.embedder.embed(queries, role="query")
        vectors, asked = self._query_vectors(embedding)
        found = dict(zip(asked.tolist(), self._nearest(vectors[asked], np.flatnonzero(visible), limit), strict=True))
        return tuple(Ranking(CHANNEL, found.get(query, ()), _notes(embedding, query)) for query in range(len(queries)))

    def _query_vectors(self, embedding: Embedding) -> tuple[Vectors, NDArray[np.intp]]:
        width = self.store.matrix.shape[1]
        if embedding.vectors.shape[1] != width:
            raise ContractError("width", width, embedding.vectors.shape[1])
        lengths = _lengths(embedding.vectors)
        if not np.all(lengths <= LONGEST):
            raise ProviderError(
                f"The embedder {self.embedder.contract.model!r} gave a query vector of length {lengths.max()}.",
                "Check the model; a vector must be finite.",
            )
        asked = np.flatnonzero((np.array(embedding.known) > 0) & (lengths > 0))
        return _prepared(embedding.vectors, lengths, self.embedder.contract), asked

    def _nearest(self, queries: Vectors, rows: NDArray[np.intp], limit: int) -> list[tuple[Hit, ...]]:
        shortlists = _shortlists(queries, self.store, rows, limit)
        return [
            hits(*best(shortlist, exact_scores(self.store.matrix, shortlist, query), limit), self.store.ids)
            for query, shortlist in zip(queries, shortlists, strict=True)
        ]


def exact_scores(matrix: Vectors, rows: NDArray[np.intp], query: Vectors) -> NDArray[np.float32]:
    """Dot products of some rows with one query vector, in float64, rounded to float32.

    Products of two float32 are exact in float64, and each row is summed along its own contiguous axis: its score
    depends on nothing but the two vectors.
    """
    wide, block = query.astype(np.float64), _block_rows(len(query))
    parts = [(matrix[rows[at : at + block]] * wide).sum(axis=1) for at in range(0, len(rows), block)]
    return np.concatenate([np.empty(0), *parts]).astype(np.float32)


def _shortlists(queries: Vectors, store: SealedVectors, rows: NDArray[np.intp], limit: int) -> list[NDArray[np.intp]]:
    """For each query, rows that hold its `limit` best with certainty, and few others."""
    margins = _margins(queries, store)
    kept = [(rows[:0], np.empty(0, np.float32)) for _ in queries]
    block = _block_rows(max(queries.shape))
    for start in range(0, len(rows), block):
        part = rows[start : start + block]
        scores = _scores(store.matrix, part, queries)
        for number, (earlier, earlier_scores) in enumerate(kept):
            candidates = np.concatenate([earlier, part])
            candidate_scores = np.concatenate([earlier_scores, scores[:, number]])
            kept[number] = _within_margin(candidates, candidate_scores, limit, margins[number])
    return [candidates for candidates, _ in kept]


def _scores(matrix: Vectors, rows: NDArray[np.intp], queries: Vectors) -> Vectors:
    """Dot products of ascending rows with queries, shape (rows, queries), in float32."""
    first, last = rows[0], rows[-1] + 1
    scores: Vectors
    if 2 * len(rows) < last - first:
        scores = matrix[rows] @ queries.T
        return scores
    scores = (matrix[first:last] @ queries.T)[rows - first]  # with fewer gaps than rows, cheaper than copying rows out
    return scores


def _margins(queries: Vectors, store: SealedVectors) -> NDArray[np.float64]:
    """Twice the rounding error that a float32 dot product can have, and room for ties.

    The error is at most n u |x| |y| for vectors of n values and unit roundoff u = 2^-24, in whatever order they are
    summed (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.1).
    """
    longest = store.lengths.max(initial=0.0)
    margins: NDArray[np.float64] = 4 * (queries.shape[1] + 2) * 2.0**-24 * _lengths(queries) * longest
    return margins


def _within_margin(
    rows: NDArray[np.intp], scores: NDArray[np.float32], limit: int, margin: float
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    if not 0 < limit < len(rows):
        return rows, scores
    kept = scores >= np.partition(scores, -limit)[-limit] - margin
    return rows[kept], scores[kept]


def _block_rows(width: int) -> int:
    """How many rows of `width` values to take at once; small blocks stay in the processor's cache."""
    return max(1, _BLOCK_VALUES // max(1, width))


def _lengths(vectors: Vectors) -> NDArray[np.float64]:
    """Euclidean lengths of the rows."""
    rows = _block_rows(vectors.shape[1])
    squares = (np.square(vectors[at : at + rows], dtype=np.float64) for at in range(0, len(vectors), rows))
    lengths: NDArray[np.float64] = np.sqrt(np.concatenate([np.empty(0), *(block.sum(axis=1) for block in squares)]))
    return lengths


def _require_sound(lengths: NDArray[np.float64], contract: EmbedderContract) -> None:
    unsound = np.flatnonzero(~(lengths <= LONGEST))
    if len(unsound):
        raise GenerationError(
            f"The vector of row {unsound[0]} has length {lengths[unsound[0]]}.",
            f"Check the embedder {contract.model!r}: its vectors must be finite.",
        )
    uneven = np.flatnonzero((lengths > 0) & (np.abs(lengths - 1) > UNIT_TOLERANCE))
    if contract.normalized and len(uneven):
        raise GenerationError(
            f"The vector of row {uneven[0]} has length {lengths[uneven[0]]}, but the contract of "
            f"{contract.model!r} says that vectors are normalised.",
            "Normalise them, or say so in the contract.",
        )


def _prepared(vectors: Vectors, lengths: NDArray[np.float64], contract: EmbedderContract) -> Vectors:
    """Vectors whose dot product is the score that the contract's metric asks for."""
    if contract.normalized or contract.metric == "dot":
        return np.ascontiguousarray(vectors, np.float32)
    return (vectors / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)


def _notes(embedding: Embedding, query: int) -> tuple[tuple[str, str | int | float], ...]:
    known, unknown = embedding.known[query], embedding.unknown[query]
    return (
        ("effective_terms", known),
        ("oov_rate", unknown / (known + unknown) if known + unknown else 0.0),
        ("truncated", embedding.truncated[query]),
    )
