"""Search by meaning: the passages whose vectors are nearest to that of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ContractError, ProviderError
from evidex.index.approximate import Approximation
from evidex.index.chunks import rows_of
from evidex.index.exact import Found, best_of, nearest
from evidex.index.ranges import RangesOfScopes
from evidex.index.top import hits
from evidex.index.vectors import LONGEST, SealedVectors, lengths_of, prepared
from evidex.ports import Embedder, Embedding
from evidex.types import Channel, ChunkId, Ranking, Scope, Vectors

CHANNEL = "dense"


@dataclass(frozen=True, slots=True, eq=False)
class DenseIndex:
    """The `dense` channel of an opened generation: nearest neighbours by cosine or dot product.

    The search is exact unless the generation was built with an `approximation`; scores are exact in any case.
    The notes of a ranking are `effective_terms` (tokens of the query that the embedder knows), `oov_rate` (the share
    that it does not; 0 for a query without tokens) and `truncated` (tokens that it never saw). A query of which the
    embedder knows nothing has an empty ranking.
    """

    store: SealedVectors
    embedder: Embedder
    approximation: Approximation | None = None
    _ranges: RangesOfScopes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ranges", RangesOfScopes(self.store.lengths > 0))

    @property
    def channel(self) -> Channel:
        return CHANNEL

    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> tuple[Ranking, ...]:
        """One ranking per query over the rows of `scope`, or over the chunks `among` them.

        Raises `ContractError` for queries of another width than the index, `ProviderError` for vectors not finite.
        """
        ranges = self._ranges[scope]
        if not queries:
            return ()
        embedding = self.embedder.embed(queries, role="query")
        vectors, asked = self._query_vectors(embedding)
        if among is None:
            near = nearest if self.approximation is None else self.approximation.nearest
            found = near(self.store, vectors[asked], ranges, limit)
        else:
            rows = self._rows(among)
            found = [best_of(self.store, rows, query, limit) for query in vectors[asked]]
        by_query: dict[int, Found] = dict(zip(asked.tolist(), found, strict=True))
        return tuple(self._ranking(by_query.get(query), embedding, query) for query in range(len(queries)))

    def _query_vectors(self, embedding: Embedding) -> tuple[Vectors, NDArray[np.intp]]:
        if embedding.vectors.shape[1] != self.store.width:
            raise ContractError("width", self.store.width, embedding.vectors.shape[1])
        lengths = lengths_of(embedding.vectors)
        if not np.all(lengths <= LONGEST):
            raise ProviderError(
                f"The embedder {self.embedder.contract.model!r} gave a query vector of length {lengths.max()}.",
                "Check the model; a vector must be finite.",
            )
        asked = np.flatnonzero((np.array(embedding.known) > 0) & (lengths > 0))
        return prepared(embedding.vectors, lengths, self.embedder.contract), asked

    def _rows(self, among: Sequence[ChunkId]) -> NDArray[np.uint32]:
        rows = np.unique(rows_of(self.store.ids, among))
        return rows[self.store.lengths[rows] > 0].astype(np.uint32)

    def _ranking(self, found: Found | None, embedding: Embedding, query: int) -> Ranking:
        return Ranking(CHANNEL, () if found is None else hits(*found, self.store.ids), _notes(embedding, query))


def _notes(embedding: Embedding, query: int) -> tuple[tuple[str, str | int | float], ...]:
    known, unknown = embedding.known[query], embedding.unknown[query]
    return (
        ("effective_terms", known),
        ("oov_rate", unknown / (known + unknown) if known + unknown else 0.0),
        ("truncated", embedding.truncated[query]),
    )
