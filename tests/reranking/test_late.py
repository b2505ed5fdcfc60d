from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evidex.errors import ConfigError
from evidex.reranking.late import WITHOUT_VECTORS, make, mean_maxsim
from evidex.types import Vectors
from tests.reranking.maxsim import maxsim
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
    assert [hit.score for hit in ranking.hits[1:]] == [WITHOUT_VECTORS] * 2


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


def unit(rows: Vectors) -> Vectors:
    unit_rows: Vectors = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)).astype(np.float32)
    return unit_rows


def tokens(least: int) -> st.SearchStrategy[Vectors]:
    values = st.floats(-1, 1, width=16).map(lambda value: value if abs(value) > 0.01 else 0.5)
    shapes = st.tuples(st.integers(least, 5), st.just(6))
    return shapes.flatmap(lambda shape: arrays(np.float32, shape, elements=values)).map(unit)


def stored(vectors: Vectors) -> Vectors:
    """As a store of token vectors gives them: in steps of 1 / 2048."""
    steps: Vectors = np.rint(vectors * np.float32(2048)) / np.float32(2048)
    return steps


@settings(max_examples=50)
@given(tokens(1), st.lists(tokens(0).map(stored), min_size=1, max_size=5))
def test_the_batch_agrees_with_maxsim_and_a_score_does_not_depend_on_its_neighbours(
    question: Vectors, passages: list[Vectors]
) -> None:
    scores = mean_maxsim(question, passages)
    assert scores == [mean_maxsim(question, [passage])[0] for passage in passages]
    for score, passage in zip(scores, passages, strict=True):
        expected = maxsim(question, passage) / len(question) if len(passage) else WITHOUT_VECTORS
        assert score == pytest.approx(expected, abs=2e-3)
        assert -1 <= score <= 1
