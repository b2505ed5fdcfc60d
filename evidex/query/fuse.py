"""What do the channels say together, and what beside a reranker? Combined by rank or by score (`combine`)."""

from __future__ import annotations

from collections.abc import Sequence

from evidex.config import FusionSettings, Settings
from evidex.ports import Index
from evidex.query.combine import convex_combination, reciprocal_rank_fusion
from evidex.query.retrieve import Route, scores_of
from evidex.types import Query, Ranking, Scope


def fuse(
    routes: Sequence[Route], query: Query, indexes: Sequence[Index], scope: Scope, settings: FusionSettings
) -> Ranking:
    """One ranking of every chunk that a route found.

    Scores are combined whole: a channel is asked for what it says of chunks that only others found.
    """
    if settings.method == "rrf":
        return reciprocal_rank_fusion([route.ranking for route in routes], _weights(routes, settings), k=settings.k)
    window = tuple(dict.fromkeys(id for route in routes for id in route.ranking.ids))
    scored = scores_of(window, query, indexes, scope)
    return convex_combination(
        [route.ranking for route in scored], _weights(scored, settings), minima=settings.minima, channel="fused"
    )


def blend(judged: Ranking, query: Query, indexes: Sequence[Index], scope: Scope, settings: Settings) -> Ranking:
    """The candidates of a reranker, ordered by its scores and those of the channels together.

    Its own order stays where blending is off, and where it gives all the same score, which says nothing.
    """
    if not settings.reranking.blend or len({hit.score for hit in judged.hits}) < 2:
        return judged
    scored = scores_of(judged.ids, query, indexes, scope)
    return convex_combination(
        [judged, *(route.ranking for route in scored)],
        [settings.reranking.weight, *_weights(scored, settings.fusion)],
        minima=settings.fusion.minima,
        channel=judged.channel,
    )


def _weights(routes: Sequence[Route], settings: FusionSettings) -> list[float]:
    """What each route counts: the weight of its channel, shared out among the wordings."""
    by_channel = settings.weights.model_dump()
    return [by_channel.get(route.ranking.channel, 1.0) * route.variant.weight for route in routes]
