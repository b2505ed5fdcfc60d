from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evidex.reranking.order import CHANNEL, best_first, distinct
from tests.reranking.world import chunk


def test_equal_scores_keep_the_order_in_which_they_came_whatever_their_ids() -> None:
    chunks = [chunk("z", "one"), chunk("a", "two"), chunk("m", "three")]
    assert best_first(chunks, [0.5, 0.5, 0.9], 3).ids == ("m", "z", "a")


def test_a_chunk_that_comes_twice_keeps_its_first_place() -> None:
    a, b = chunk("a", "one"), chunk("b", "two")
    assert distinct([b, a, b]) == (b, a)


def test_the_ranking_says_how_many_pairs_were_scored_and_is_named_after_its_stage() -> None:
    ranking = best_first([chunk("a", "one"), chunk("b", "two")], [1, 2], 1)
    assert ranking.notes == (("pairs", 2),)
    assert ranking.channel == CHANNEL == "reranked"


@given(st.lists(st.floats(-1, 1)), st.integers(-2, 12))
def test_a_ranking_is_a_subset_of_its_candidates_in_falling_order_within_the_limit(
    scores: list[float], limit: int
) -> None:
    chunks = [chunk(str(number), "text") for number in range(len(scores))]
    hits = best_first(chunks, scores, limit).hits
    assert len(hits) == min(len(chunks), max(limit, 0))
    assert {hit.chunk for hit in hits} <= {candidate.id for candidate in chunks}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert all(earlier.score >= later.score for earlier, later in pairwise(hits))
    assert all(math.isfinite(hit.score) for hit in hits)
