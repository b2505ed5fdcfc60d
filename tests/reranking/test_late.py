from __future__ import annotations

from dataclasses import replace

import pytest

from evidex.errors import ConfigError
from evidex.reranking.late import make
from tests.reranking.world import HashedWords, chunk, query, resources

REFUND = chunk("refund", "The refund window is 45 days.")
PARCEL = chunk("parcel", "A missing parcel is investigated.")
WINDOW = chunk("window", "Close the window.")
CHUNKS = (PARCEL, WINDOW, REFUND)


def test_candidates_are_ordered_by_the_share_of_the_question_that_they_match() -> None:
    ranking = make(resources(CHUNKS, HashedWords())).rerank(query("refund window"), CHUNKS, 3)
    assert [(hit.chunk, hit.score) for hit in ranking.hits] == [("refund", 1.0), ("window", 1 / 2), ("parcel", 0.0)]


def test_candidates_without_token_vectors_stay_behind_the_others_in_their_order() -> None:
    parts = resources(CHUNKS, HashedWords(), without=frozenset({"parcel", "refund"}))
    ranking = make(parts).rerank(query("refund window"), CHUNKS, 3)
    assert ranking.ids == ("window", "parcel", "refund")
    assert [hit.score for hit in ranking.hits[1:]] == [-1.0] * 2


def test_a_question_without_tokens_leaves_the_order_as_it_is() -> None:
    ranking = make(resources(CHUNKS, HashedWords())).rerank(query("the"), CHUNKS, 3)
    assert [(hit.chunk, hit.score) for hit in ranking.hits] == [("parcel", 0.0), ("window", 0.0), ("refund", 0.0)]


def test_an_index_without_any_token_vectors_leaves_the_order_as_it_is() -> None:
    parts = resources(CHUNKS, HashedWords(), without=frozenset({"parcel", "window", "refund"}))
    assert make(parts).rerank(query("refund window"), CHUNKS, 2).ids == ("parcel", "window")


def test_duplicates_collapse_and_no_candidates_give_no_hits() -> None:
    late = make(resources(CHUNKS, HashedWords()))
    assert late.rerank(query("refund"), (REFUND, PARCEL, REFUND), 5).ids == ("refund", "parcel")
    assert late.rerank(query("refund"), (), 5).hits == ()


@pytest.mark.parametrize("embedder", [None, HashedWords(has_token_vectors=False)])
def test_without_token_vectors_the_error_names_what_to_use_instead(embedder: HashedWords | None) -> None:
    with pytest.raises(ConfigError, match=r"reranking\.method to 'features'"):
        make(replace(resources(CHUNKS, HashedWords()), embedder=embedder))
