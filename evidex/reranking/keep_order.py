"""No reranking: the candidates stay as fusion ordered them."""

from __future__ import annotations

from collections.abc import Sequence

from evidex.plugins import RerankingResources
from evidex.reranking.order import best_first, distinct
from evidex.types import Chunk, Query, Ranking


class KeepOrder:
    """Keeps the order it is given: every score is 0."""

    @property
    def name(self) -> str:
        return "keep_order/1"

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:  # noqa: ARG002 - the port's
        chunks = distinct(candidates)
        return best_first(chunks, [0.0] * len(chunks), limit)


def make(resources: RerankingResources) -> KeepOrder:  # noqa: ARG001 - the signature of every reranker's factory
    """The reranker that changes nothing."""
    return KeepOrder()
