from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.reranking.features import WEIGHTS, coverage, frequency, identifier_match, make, phrase
from tests.reranking.world import HashedWords, chunk, query, resources

GATEWAY = chunk("gateway", "The payment gateway timed out. Wait 60 seconds.", ("Error E1492",))
DISPLAY = chunk("display", "A1492 is a retired display and means nothing for an error in checkout.", ("Asset A1492",))
SILENT = chunk("silent", "Errors are listed with what they mean.")


def test_coverage_is_the_share_of_idf_that_the_passage_has() -> None:
    assert coverage({"refund": 3.0, "window": 1.0}, frozenset({"refund", "days"})) == 3 / 4


def test_coverage_of_a_question_without_weight_is_zero() -> None:
    assert coverage({}, frozenset({"refund"})) == 0
    assert coverage({"zzz": 0.0}, frozenset({"refund"})) == 0


def test_frequency_saturates_and_falls_with_length() -> None:
    usual = ["refund"] * 2 + ["word"] * 98
    assert frequency({"refund": 1.0, "window": 1.0}, usual) == pytest.approx((2 / (2 + 1.2)) / 2)
    assert frequency({"refund": 1.0}, ["refund"] * 3 + ["word"] * 97) > frequency({"refund": 1.0}, usual)
    assert frequency({"refund": 1.0}, [*usual, *["word"] * 100]) < frequency({"refund": 1.0}, usual)
    assert frequency({}, usual) == 0


def test_phrase_is_the_share_of_neighbouring_pairs_that_are_neighbours_in_the_same_order() -> None:
    assert phrase(("refund", "window", "days"), ("a", "refund", "window", "b", "days")) == 1 / 2
    assert phrase(("window", "refund"), ("refund", "window")) == 0
    assert phrase(("refund",), ("refund",)) == 0


def test_an_identifier_counts_present_one_absent_half_and_beside_a_rival_nothing() -> None:
    assert identifier_match(("e1492",), ("e1492", "e7710")) == 1
    assert identifier_match(("e1492",), ()) == 1 / 2
    assert identifier_match(("e1492",), ("a77",)) == 0
    assert identifier_match(("e1492",), ("err-4012",)) == 1 / 2
    assert identifier_match(("e1492", "err-4012"), ("e1492", "err-4013")) == 1 / 2
    assert identifier_match((), ("e1492",)) == 0


def test_a_passage_with_another_code_of_the_same_shape_falls_behind_one_without_any() -> None:
    candidates = (DISPLAY, SILENT, GATEWAY)
    ranking = make(resources(candidates, None)).rerank(query("What does error E1492 mean?"), candidates, 3)
    assert ranking.ids == ("gateway", "silent", "display")


def test_a_passage_is_read_with_its_breadcrumb() -> None:
    candidates = (chunk("bare", "Wait 60 seconds."), GATEWAY)
    assert make(resources(candidates, None)).rerank(query("E1492"), candidates, 1).ids == ("gateway",)


def test_without_an_embedder_the_cosine_is_zero_and_with_one_it_is_one_for_the_question_itself() -> None:
    candidates = (chunk("same", "refund window"),)
    without, with_one = (make(resources(candidates, each)) for each in (None, HashedWords()))
    assert without.features(query("refund window"), candidates)[0].cosine == 0
    assert with_one.features(query("refund window"), candidates)[0].cosine == pytest.approx(1)


def test_the_same_form_of_a_word_counts_above_another_form_of_it() -> None:
    candidates = (chunk("stem", "Refunded purchases."), chunk("form", "Refunds."))
    assert make(resources(candidates, None)).rerank(query("refunds"), candidates, 2).ids == ("form", "stem")


def test_the_score_is_the_weighted_mean_of_the_features() -> None:
    (features,) = make(resources((GATEWAY,), HashedWords())).features(query("E1492 gateway timeout"), (GATEWAY,))
    expected = sum(w * part for w, part in zip(WEIGHTS, astuple(features), strict=True)) / sum(WEIGHTS)
    assert features.score == pytest.approx(expected)


def test_a_question_without_words_leaves_the_order_as_it_is() -> None:
    candidates = (SILENT, DISPLAY, GATEWAY)
    ranking = make(resources(candidates, HashedWords())).rerank(query(""), candidates, 3)
    assert ranking.ids == ("silent", "display", "gateway")
    assert {hit.score for hit in ranking.hits} == {0.0}


WORDS = st.sampled_from(["refund", "refunds", "window", "E1492", "A77", "the", "45", "days", "退款", ""])
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


@given(TEXTS, st.lists(TEXTS, max_size=6), st.integers(0, 8), st.booleans())
def test_what_comes_out_is_among_what_went_in_and_every_feature_is_bounded(
    question: str, texts: list[str], limit: int, embedded: bool
) -> None:
    candidates = tuple(chunk(str(number % 4), text) for number, text in enumerate(texts))
    reranker = make(resources(candidates, HashedWords() if embedded else None))
    ranking = reranker.rerank(query(question), candidates, limit)
    assert set(ranking.ids) <= {candidate.id for candidate in candidates}
    assert len(set(ranking.ids)) == len(ranking.ids) <= limit
    assert all(0 <= part <= 1 for row in reranker.features(query(question), candidates) for part in astuple(row))
    assert all(0 <= hit.score <= 1 for hit in ranking.hits)
