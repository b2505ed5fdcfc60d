from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from evidex.config import FusionSettings, Settings, parse_settings
from evidex.query.fuse import blend, fuse
from evidex.query.retrieve import Route, retrieve
from evidex.types import Channel, ChunkId, Principal, Query, Question, Ranking, Scope, Variant, ranked

ORIGINAL = Variant("refund window", "original", 1.0)
QUERY = Query(Question("refund window", Principal()), (ORIGINAL,))
SCOPE = Scope(np.ones(4, np.bool_))


class Scored:
    """A channel that knows the score of every chunk for every wording, and answers as the port says."""

    def __init__(self, channel: Channel, **scores: float) -> None:
        self.channel = channel
        self._scores: Mapping[ChunkId, float] = {ChunkId(id): score for id, score in scores.items()}

    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> tuple[Ranking, ...]:
        kept = self._scores if among is None else {id: self._scores[id] for id in among if id in self._scores}
        return tuple(ranked(self.channel, list(kept.items()), limit) for _ in queries)


def routes_of(*channels: Scored, limit: int = 10) -> tuple[Route, ...]:
    return retrieve(QUERY, channels, SCOPE, limit)


def test_a_chunk_that_one_channel_found_counts_with_what_the_other_says_of_it() -> None:
    channels = Scored("sparse", a=4.0, b=3.0, c=1.0), Scored("dense", c=0.9, b=0.5, a=0.1)
    routes = routes_of(*channels, limit=1)  # the one found a, the other c

    fused = fuse(routes, QUERY, channels, SCOPE, FusionSettings(method="convex"))

    assert [(hit.chunk, hit.score) for hit in fused.hits] == [("a", 1 / 2 * (1 + 0)), ("c", 1 / 2 * (0 + 1))]


def test_ranks_alone_decide_with_rrf() -> None:
    channels = Scored("sparse", a=4.0, b=3.0), Scored("dense", b=0.9, a=0.8)

    fused = fuse(routes_of(*channels), QUERY, channels, SCOPE, FusionSettings(method="rrf", k=60))

    assert {hit.score for hit in fused.hits} == {1 / 62 + 1 / 61}


def test_wordings_share_the_weight_of_their_channel() -> None:
    wordings = (Variant("refund window", "original", 2 / 3), Variant("refund period", "synonyms", 1 / 3))
    channels = Scored("sparse", a=4.0, b=2.0), Scored("dense", a=0.2, b=0.8)
    once = fuse(routes_of(*channels), QUERY, channels, SCOPE, FusionSettings())

    query = Query(QUERY.question, wordings)
    twice = fuse(retrieve(query, channels, SCOPE, 10), query, channels, SCOPE, FusionSettings())

    assert {hit.chunk: hit.score for hit in twice.hits} == pytest.approx({hit.chunk: hit.score for hit in once.hits})


def settings(**reranking: object) -> Settings:
    return parse_settings({"reranking": reranking})


JUDGED = ranked("reranked", [(ChunkId("a"), 0.2), (ChunkId("b"), 0.6), (ChunkId("c"), 0.4)])
CHANNELS = Scored("sparse", a=9.0, b=3.0, c=6.0, d=99.0), Scored("dense", a=0.5, b=0.5, c=0.1, d=0.99)


def test_a_blend_is_the_mean_of_what_channels_and_reranker_say_of_the_candidates_alone() -> None:
    blended = blend(JUDGED, QUERY, CHANNELS, SCOPE, settings())

    expected = {"a": (0 + 1 + 1) / 3, "b": (1 + 0 + 1) / 3, "c": (1 / 2 + 1 / 2 + 0) / 3}
    assert {hit.chunk: hit.score for hit in blended.hits} == pytest.approx(expected)
    assert blended.channel == "reranked"


def test_the_weight_of_a_reranker_is_its_share_beside_the_channels() -> None:
    blended = blend(JUDGED, QUERY, CHANNELS, SCOPE, settings(weight=2.0))

    assert {hit.chunk: hit.score for hit in blended.hits}[ChunkId("b")] == pytest.approx((2 * 1 + 0 + 1) / 4)


def test_without_blending_the_order_is_the_rerankers() -> None:
    assert blend(JUDGED, QUERY, CHANNELS, SCOPE, settings(blend=False)) is JUDGED


def test_a_reranker_that_scores_all_alike_has_kept_the_order() -> None:
    kept = Ranking("reranked", ranked("reranked", [(ChunkId("c"), 0.0), (ChunkId("a"), 0.0)]).hits[::-1])

    assert blend(kept, QUERY, CHANNELS, SCOPE, settings()) is kept
