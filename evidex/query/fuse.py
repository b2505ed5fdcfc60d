"""How are the channels combined? Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections.abc import Sequence

from evidex.types import ChunkId, Ranking, ranked


def reciprocal_rank_fusion(rankings: Sequence[Ranking], weights: Sequence[float], *, k: float = 60.0) -> Ranking:
    """Score every chunk by the sum of weight / (k + rank) over the rankings that hold it; ties by id.

    A chunk that stands twice in one ranking counts once, at its better rank.
    """
    contributions: dict[ChunkId, list[float]] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        best: dict[ChunkId, int] = {}
        for hit in ranking.hits:
            best[hit.chunk] = min(hit.rank, best.get(hit.chunk, hit.rank))
        for chunk, rank in best.items():
            contributions.setdefault(chunk, []).append(weight / (k + rank))
    # Summed in order of size, so that the order of the channels cannot change the last bit of a score.
    return ranked("fused", [(chunk, sum(sorted(parts))) for chunk, parts in contributions.items()])
