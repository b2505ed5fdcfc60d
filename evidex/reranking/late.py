"""Late interaction: order candidates by MaxSim over token vectors (Khattab and Zaharia 2020).

The score is the mean over the query's tokens of the greatest cosine with any token of the passage, in [-1, 1]; it
compares only within one query. A candidate without token vectors gets -1: it stays behind those that have some, in
the order in which it came. A query without tokens leaves the order as it is, every score 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evidex.errors import ConfigError
from evidex.plugins import RerankingResources
from evidex.ports import Embedder, TokenVectorStore
from evidex.reranking.order import best_first, distinct
from evidex.types import Chunk, Query, Ranking, Vectors

WITHOUT_VECTORS = -1.0
"""The score of a candidate that has no token vectors: the least that a mean of cosines can be."""

GRID = np.float32(2**11)
"""Steps per unit to which the query's components are rounded, as those of passages are (`ports.TokenVectorStore`)."""


class Late:
    """Reorders by the mean MaxSim of the query's token vectors with each candidate's."""

    def __init__(self, embedder: Embedder, store: TokenVectorStore) -> None:
        self._embedder = embedder
        self._store = store

    @property
    def name(self) -> str:
        return "late/1"

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        chunks = distinct(candidates)
        if not chunks:
            return best_first((), (), limit)
        query_tokens = self._embedder.embed([query.text], role="query", token_vectors=True).token_vectors[0]
        passages = self._store.token_vectors([chunk.id for chunk in chunks])
        return best_first(chunks, mean_maxsim(query_tokens, passages), limit)


def mean_maxsim(query_tokens: Vectors, passages: Sequence[Vectors]) -> list[float]:
    """The mean MaxSim of a query with every passage, all passages in one product; rows have unit length.

    Times the number of query tokens it is the sum of the paper's equation 3, which grows with the query. The score of a
    passage depends neither on the passages beside it nor on the number of threads.
    """
    if not len(query_tokens):
        return [0.0] * len(passages)
    lengths = np.array([len(tokens) for tokens in passages])
    scores = np.full(len(passages), WITHOUT_VECTORS, dtype=np.float32)
    present = [i for i, tokens in enumerate(passages) if len(tokens)]
    if present:
        # Both sides are multiples of 1 / GRID of length one, so every partial sum is exact in float32, and no order of
        # summation that a matrix library may choose changes a score.
        similarities = np.concatenate([passages[i] for i in present]) @ (np.rint(query_tokens * GRID) / GRID).T
        starts = np.concatenate(([0], np.cumsum(lengths[present])[:-1]))
        best = np.maximum.reduceat(similarities, starts, axis=0)
        scores[present] = np.clip(best.mean(axis=1, dtype=np.float64), -1, 1)
    return [float(score) for score in scores]


def make(resources: RerankingResources) -> Late:
    """A late-interaction reranker. Raises `ConfigError` if the embedder has no token vectors."""
    embedder = resources.embedder
    if embedder is None or not embedder.has_token_vectors:
        model = "none" if embedder is None else embedder.contract.model
        raise ConfigError(
            f"The reranker 'late' needs vectors of single tokens, and the embedder {model!r} has none.",
            "Set reranking.method to 'features', or embedding.provider to 'minilm'.",
        )
    return Late(embedder, resources.token_vectors)
