from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.query.fuse import reciprocal_rank_fusion
from evidex.types import ChunkId, Hit, Ranking, ranked

IDS = [ChunkId(letter) for letter in "abcdefgh"]


def ranking(channel: str, *ids: str) -> Ranking:
    return Ranking(channel, tuple(Hit(ChunkId(id), rank, 1 / rank) for rank, id in enumerate(ids, start=1)))


def scores(fused: Ranking) -> dict[str, float]:
    return {hit.chunk: hit.score for hit in fused.hits}


def test_a_chunk_scores_the_sum_of_reciprocal_ranks() -> None:
    fused = scores(reciprocal_rank_fusion([ranking("sparse", "a", "x"), ranking("dense", "y", "z", "a")], [1, 1]))

    assert fused["a"] == pytest.approx(1 / 61 + 1 / 63)
    assert fused["a"] == pytest.approx(0.0323, abs=5e-5)
    assert fused["y"] == pytest.approx(1 / 61)
    assert fused["y"] == pytest.approx(0.0164, abs=5e-5)


def test_ranks_one_and_four_give_03202() -> None:
    fused = scores(reciprocal_rank_fusion([ranking("sparse", "a"), ranking("dense", "w", "x", "y", "a")], [1, 1]))

    assert fused["a"] == pytest.approx(1 / 61 + 1 / 64)
    assert fused["a"] == pytest.approx(0.03202, abs=5e-6)


def test_a_chunk_that_stands_twice_in_one_ranking_counts_once() -> None:
    fused = scores(reciprocal_rank_fusion([ranking("sparse", "a", "b", "a")], [1]))

    assert fused["a"] == 1 / 61


def test_a_chunk_in_both_lists_beats_a_single_first_place_up_to_rank_k_plus_one() -> None:
    def in_both_at(rank: int) -> float:
        fillers = [f"{n:03}" for n in range(rank - 1)]
        both = [ranking("sparse", *fillers, "both"), ranking("dense", *(f"d{name}" for name in fillers), "both")]
        return scores(reciprocal_rank_fusion(both, [1, 1]))["both"]

    assert in_both_at(60 + 1) > 1 / 61
    assert in_both_at(60 + 2) == pytest.approx(1 / 61)


def test_equal_scores_are_ordered_by_id() -> None:
    fused = reciprocal_rank_fusion([ranking("sparse", "b"), ranking("dense", "a")], [1, 1])

    assert fused.ids == ("a", "b")


def test_a_weight_scales_what_its_ranking_contributes() -> None:
    fused = scores(reciprocal_rank_fusion([ranking("sparse", "a"), ranking("dense", "b")], [3, 1]))

    assert fused["a"] == pytest.approx(3 / 61)


lists = st.lists(st.permutations(IDS).map(lambda ids: ids[:5]), min_size=1, max_size=4)


@given(lists)
def test_the_order_of_the_channels_changes_nothing(orders: list[list[ChunkId]]) -> None:
    rankings = [ranking(str(n), *order) for n, order in enumerate(orders)]
    weights = [1.0] * len(rankings)

    assert reciprocal_rank_fusion(rankings, weights).hits == reciprocal_rank_fusion(rankings[::-1], weights).hits


@given(
    st.dictionaries(st.sampled_from(IDS), st.integers(-1000, 1000), min_size=1), st.integers(1, 9), st.integers(-9, 9)
)
def test_any_increasing_transformation_of_scores_changes_nothing(
    found: dict[ChunkId, int], factor: int, shift: int
) -> None:
    plain = ranked("sparse", [(id, float(score)) for id, score in found.items()])
    transformed = ranked("sparse", [(id, float(factor * score**3 + shift)) for id, score in found.items()])

    assert reciprocal_rank_fusion([plain], [1]).hits == reciprocal_rank_fusion([transformed], [1]).hits


@given(lists)
def test_a_route_that_is_asked_twice_at_half_weight_votes_once(orders: list[list[ChunkId]]) -> None:
    rankings = [ranking(str(n), *order) for n, order in enumerate(orders)]
    once = reciprocal_rank_fusion(rankings, [1.0] * len(rankings))
    twice = reciprocal_rank_fusion([*rankings, rankings[0]], [0.5, *[1.0] * (len(rankings) - 1), 0.5])

    assert {h.chunk: pytest.approx(h.score) for h in once.hits} == scores(twice)
