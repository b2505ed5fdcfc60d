"""Scored candidates into a ranking: a subset of what came in, and equals stay in the order they had."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evidex.types import Chunk, ChunkId, Hit, Ranking

CHANNEL = "reranked"
"""The name of every reranker's ranking, in traces and in the ledger."""


def distinct(candidates: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """The candidates in their order, each id once, at its first place."""
    first: dict[ChunkId, Chunk] = {}
    for chunk in candidates:
        first.setdefault(chunk.id, chunk)
    return tuple(first.values())


def best_first(candidates: Sequence[Chunk], scores: Sequence[float], limit: int) -> Ranking:
    """Order by score, descending, and keep at most `limit`; equal scores keep the order of `candidates`.

    The ranking's note `pairs` counts the pairs of question and passage that were scored, which is what reranking costs.
    """
    order = sorted(range(len(candidates)), key=lambda i: -scores[i])[: max(limit, 0)]
    hits = tuple(Hit(candidates[i].id, rank, float(scores[i])) for rank, i in enumerate(order, 1))
    return Ranking(CHANNEL, hits, notes=(("pairs", len(candidates)),))
