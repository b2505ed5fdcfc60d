"""Where would a chunk stand if rankings were combined by rank alone? A yardstick that no setting can move."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evidex.types import ChunkId, Ranking

_K = 60.0


def fused_rank(chunks: Collection[ChunkId], rankings: Sequence[tuple[Ranking, float]]) -> int | None:
    """The best rank of some chunks under weighted reciprocal rank fusion; None where no ranking has any of them.

    Cormack, Clarke and Büttcher (SIGIR 2009), with their k of 60.
    """
    parts: dict[ChunkId, list[float]] = {}
    for ranking, weight in rankings:
        for hit in ranking.hits:
            parts.setdefault(hit.chunk, []).append(weight / (_K + hit.rank))
    scores = {id: sum(sorted(found)) for id, found in parts.items()}
    order = sorted(scores, key=lambda id: (-scores[id], id))
    return next((rank for rank, id in enumerate(order, start=1) if id in chunks), None)
