"""How do several rankings become one? By rank or by score, any number of them in one pass, each with its weight.

* `reciprocal_rank_fusion`, from ranks alone: Cormack, Clarke and Büttcher (SIGIR 2009).
* `convex_combination`, from scores brought onto one scale: Bruch, Gai and Ingber, "An Analysis of Fusion Functions for
  Hybrid Retrieval" (ACM TOIS 2023).

Neither depends on the order of the rankings, and a ranking that is given twice at half its weight counts once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from evidex.types import Channel, ChunkId, Ranking, ranked

Minima: TypeAlias = Literal["window", "theoretical"]

LEAST: Mapping[Channel, float] = {"sparse": 0.0, "dense": -1.0, "late": -1.0}
"""The least score that a channel can give: BM25 is not negative, and a cosine not below -1."""


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking], weights: Sequence[float], *, k: float = 60.0, channel: Channel = "fused"
) -> Ranking:
    """Score every chunk by the sum of weight / (k + rank) over the rankings that hold it; ties by id.

    A chunk that stands twice in one ranking counts once, at its better rank.
    """
    contributions: dict[ChunkId, list[float]] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for chunk, rank in {hit.chunk: hit.rank for hit in reversed(ranking.hits)}.items():
            contributions.setdefault(chunk, []).append(weight / (k + rank))
    return _summed(contributions, channel)


def convex_combination(
    rankings: Sequence[Ranking], weights: Sequence[float], *, minima: Minima = "window", channel: Channel = "fused"
) -> Ranking:
    """Score every chunk by the weighted mean of its scores, each ranking's brought onto [0, 1] first; ties by id.

        (score - low) / (high - low)

    `high` is the best score of the ranking, `low` the worst of the window (all chunks that any ranking holds), or
    with theoretical minima the least that the channel can give. A chunk that a ranking does not hold has the score 0
    there: no term in common, no direction known. A ranking in which all are equal says nothing and adds 0.
    """
    window = sorted({hit.chunk for ranking in rankings for hit in ranking.hits})
    whole = sum(weights) or 1.0
    contributions: dict[ChunkId, list[float]] = {chunk: [] for chunk in window}
    for ranking, weight in zip(rankings, weights, strict=True):
        scores = dict.fromkeys(window, 0.0) | {hit.chunk: hit.score for hit in reversed(ranking.hits)}
        high, low = max(scores.values(), default=0.0), min(scores.values(), default=0.0)
        if minima == "theoretical":
            low = LEAST.get(ranking.channel, low)
        if high > low:
            for chunk, score in scores.items():
                contributions[chunk].append(weight / whole * (score - low) / (high - low))
    return _summed(contributions, channel)


def _summed(contributions: Mapping[ChunkId, Sequence[float]], channel: Channel) -> Ranking:
    # Summed in order of size, so that the order of the rankings cannot change the last bit of a score.
    return ranked(channel, [(chunk, sum(sorted(parts))) for chunk, parts in contributions.items()])
