"""Late interaction: order candidates by MaxSim over token vectors (Khattab and Zaharia 2020).

The score is the mean over the query's tokens of the greatest cosine with any token of the passage, in [-1, 1]; it
compares only within one query. The note `max_tokens` tells how much of a passage was read. A candidate without token
vectors gets -1: it stays behind those that have some, in the order in which it came. A query without tokens leaves the
order as it is, every score 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evidex.errors import ConfigError
from evidex.plugins import RerankingResources
from evidex.ports import Embedder, TokenVectorStore
from evidex.reranking.order import best_first, distinct
from evidex.types import Chunk, Query, Ranking


class Late:
    """Reorders by the mean MaxSim of the query's token vectors with each candidate's."""

    def __init__(self, embedder: Embedder, store: TokenVectorStore) -> None:
        self._embedder = embedder
        self._store = store

    @property
    def name(self) -> str:
        return "late/2"

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        chunks = distinct(candidates)
        if not chunks:
            return best_first((), (), limit)
        query_tokens = self._embedder.embed([query.text], role="query", token_vectors=True).token_vectors[0]
        scores = self._store.maxsim(query_tokens, [chunk.id for chunk in chunks])
        longest = self._embedder.contract.max_tokens
        notes = (("max_tokens", longest),) if longest else ()
        return replace(best_first(chunks, scores.tolist(), limit), notes=notes)


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
