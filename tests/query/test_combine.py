from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.query.combine import convex_combination, reciprocal_rank_fusion
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


def scored(channel: str, **found: float) -> Ranking:
    return ranked(channel, [(ChunkId(id), score) for id, score in found.items()])


def test_scores_of_a_window_are_brought_between_its_worst_and_its_best() -> None:
    keywords = scored("sparse", a=12.0, b=9.0, c=6.0)
    meaning = scored("dense", a=0.2, b=0.8, c=0.5)

    fused = scores(convex_combination([keywords, meaning], [1, 1]))

    assert fused == {"a": 1 / 2 * (1 + 0), "b": 1 / 2 * (1 / 2 + 1), "c": pytest.approx(1 / 2 * (0 + 1 / 2))}


def test_theoretical_minima_are_0_for_keywords_and_minus_1_for_cosines() -> None:
    keywords = scored("sparse", a=12.0, b=9.0)
    meaning = scored("dense", a=0.0, b=0.5)

    fused = scores(convex_combination([keywords, meaning], [1, 1], minima="theoretical"))

    assert fused["a"] == pytest.approx(1 / 2 * (12 / 12 + (0 + 1) / (0.5 + 1)))
    assert fused["b"] == pytest.approx(1 / 2 * (9 / 12 + 1))


def test_a_chunk_that_a_channel_does_not_match_has_no_score_there() -> None:
    fused = scores(convex_combination([scored("sparse", a=4.0, b=2.0), scored("dense", a=0.4, c=0.2)], [1, 1]))

    assert fused == {"a": 1.0, "b": 1 / 2 * (2 / 4), "c": pytest.approx(1 / 2 * (0.2 / 0.4))}


def test_a_channel_whose_scores_are_all_equal_decides_nothing() -> None:
    keywords = scored("sparse", a=3.0, b=2.0, c=1.0)
    even = scored("dense", a=0.7, b=0.7, c=0.7)

    assert convex_combination([keywords, even], [1, 1]).ids == convex_combination([keywords], [1]).ids


def test_nothing_found_is_fused_to_nothing() -> None:
    assert convex_combination([scored("sparse"), scored("dense")], [1, 1]).hits == ()
    assert convex_combination([], []).hits == ()


windows = st.lists(
    st.dictionaries(st.sampled_from(IDS), st.floats(-4, 4, width=32), min_size=1), min_size=1, max_size=4
)


@given(windows)
def test_the_order_of_the_channels_changes_no_convex_score(found: list[dict[ChunkId, float]]) -> None:
    rankings = [ranked(f"channel {n}", list(scores.items())) for n, scores in enumerate(found)]
    weights = [1.0] * len(rankings)

    assert convex_combination(rankings, weights).hits == convex_combination(rankings[::-1], weights).hits


@given(windows)
def test_a_convex_score_is_between_0_and_1_and_a_route_asked_twice_at_half_weight_votes_once(
    found: list[dict[ChunkId, float]],
) -> None:
    rankings = [ranked(f"channel {n}", list(scores.items())) for n, scores in enumerate(found)]
    once = convex_combination(rankings, [1.0] * len(rankings))
    twice = convex_combination([*rankings, rankings[0]], [0.5, *[1.0] * (len(rankings) - 1), 0.5])

    assert all(0 <= hit.score <= 1 + 1e-12 for hit in once.hits)
    assert {h.chunk: pytest.approx(h.score) for h in once.hits} == scores(twice)


@given(st.dictionaries(st.sampled_from(IDS), st.integers(-99, 99), min_size=1), st.integers(1, 9), st.integers(-9, 9))
def test_the_scale_on_which_a_full_window_is_scored_changes_nothing(
    found: dict[ChunkId, int], factor: int, shift: int
) -> None:
    plain = ranked("dense", [(id, float(score)) for id, score in found.items()])
    scaled = ranked("dense", [(id, float(factor * score + shift)) for id, score in found.items()])

    assert scores(convex_combination([plain], [1])) == pytest.approx(scores(convex_combination([scaled], [1])))
