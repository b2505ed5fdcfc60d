from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.generating.candidates import candidates
from evidex.generating.support import (
    COVERAGE_SHARE,
    OTHER_KIND,
    SHORTLIST,
    Support,
    mentions,
    supports,
    term_weights,
)
from evidex.types import Context, Query
from tests.generating.world import ANALYZER, HashedWords, context, passage, query


def parts(asked: Query, known: Context, *, embedder: HashedWords | None = None) -> tuple[Support, ...]:
    return supports(asked, known, candidates(known), analyzer=ANALYZER, embedder=embedder)


def test_coverage_is_the_idf_weighted_share_of_the_question_in_the_sentence() -> None:
    (support,) = parts(query("refund window", {"refund": 3.0, "window": 1.0}), context(passage("A refund is made.")))
    assert support.coverage == 3 / 4


def test_terms_count_less_in_headings_less_in_neighbours_and_least_elsewhere_in_the_passage() -> None:
    text = "It is one here. A window shuts. It is two here. It is far here."
    found = parts(query("refund window"), context(passage(text, section=("Refund",))))
    assert [support.coverage for support in found] == pytest.approx(
        [(0.6 + 0.4) / 2, (0.6 + 1) / 2, (0.6 + 0.4) / 2, (0.6 + 0.2) / 2]
    )


def test_an_unknown_term_weighs_as_much_as_the_rarest_known_one() -> None:
    asked = query("hipaa service certified", {"hipaa": 0.0, "servic": 1.0, "certifi": 3.0})
    assert term_weights(asked) == {"hipaa": 3.0, "servic": 1.0, "certifi": 3.0}
    (support,) = parts(asked, context(passage("The service is fast.")))
    assert support.coverage == 1 / 7


def test_reach_joins_coverage_and_cosine_as_a_noisy_or() -> None:
    assert Support(0.5, 0.5, 1, 1, 1).score == pytest.approx(1 - (1 - COVERAGE_SHARE / 2) * (1 - 1 / 2))
    assert Support(0.0, 0.5, 1, 1, 1).score == 1 / 2
    assert Support(0.5, None, 1, 1, 1).score == 1 / 2


def test_the_other_parts_only_take_away() -> None:
    assert Support(1, None, 0.5, 0.5, 0.5).score == 1 / 8


def test_a_cosine_speaks_only_for_the_share_of_the_question_that_its_embedder_knows() -> None:
    class HalfKnown(HashedWords):
        def embed(self, texts, *, role, token_vectors=False):  # type: ignore[no-untyped-def]
            found = super().embed(texts, role=role)
            return replace(found, unknown=found.known)

    known = context(passage("A refund window."))
    (full,) = parts(query("refund window"), known, embedder=HashedWords())
    (half,) = parts(query("refund window"), known, embedder=HalfKnown())
    assert full.cosine == pytest.approx(1) and half.cosine == pytest.approx(1 / 2)


def test_all_sentences_of_a_short_context_are_embedded_in_one_call_beside_the_question() -> None:
    embedder = HashedWords()
    parts(query("refund"), context(passage("It is one. It is two. It is three.")), embedder=embedder)
    assert embedder.calls == [1, 3]


LONG = context(
    passage(" ".join(f"It is number {number}." for number in range(SHORTLIST))),
    passage("A refund is made. It is the last.", id="c2"),
)


def test_only_the_sentences_that_the_other_parts_support_best_are_embedded() -> None:
    embedder = HashedWords()
    found = parts(query("refund made"), LONG, embedder=embedder)
    assert embedder.calls == [1, SHORTLIST]
    assert found[SHORTLIST].cosine == max(support.cosine or 0.0 for support in found) > 0.5


def test_a_sentence_that_is_not_embedded_has_all_its_parts_and_no_cosine() -> None:
    asked = query("refund made")
    found, without = parts(asked, LONG, embedder=HashedWords()), parts(asked, LONG)
    assert [replace(support, cosine=None) for support in found] == list(without)
    assert found[-1].cosine == 0.0


def test_equally_supported_sentences_are_embedded_in_their_order() -> None:
    same = context(passage("The refund is made. " * (SHORTLIST + 2)))
    found = parts(query("refund"), same, embedder=HashedWords())
    assert [bool(support.cosine) for support in found] == [True] * SHORTLIST + [False] * 2


def test_a_sentence_whose_passage_lacks_the_identifier_is_held_back() -> None:
    known = context(passage("E1492 means a timeout.", id="a"), passage("E7710 means a timeout.", id="b"))
    asked, other = parts(query("E1492 timeout"), known)
    assert (asked.identifiers, other.identifiers) == (1.0, 0.4)


def test_a_sentence_that_gives_no_number_is_held_back_where_one_is_wanted() -> None:
    found = parts(query("How long is the window?"), context(passage("The window is 45 days. The window is shut.")))
    assert [support.kind for support in found] == [1.0, OTHER_KIND]


def test_mentions_are_whole_words_in_any_case() -> None:
    assert mentions("Error e1492.", "e1492") and mentions("ERR-4012: tunnel", "err-4012")
    assert not mentions("E14921", "e1492") and not mentions("AE1492", "e1492")


WORDS = st.sampled_from(
    ["refund", "window", "E1492", "A77", "45", "days", "the", "Why", "how", "long", "退款", ".", "?"]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


@given(TEXTS, st.lists(TEXTS, max_size=4), st.sampled_from([0.0, 0.5, 7.0]), st.booleans())
def test_support_and_its_parts_are_bounded(question: str, texts: list[str], idf: float, embedded: bool) -> None:
    known = context(*(passage(text, id=str(number)) for number, text in enumerate(texts)))
    asked = query(question, {"refund": idf, "window": idf})
    for support in parts(asked, known, embedder=HashedWords() if embedded else None):
        values = (
            support.coverage,
            support.cosine or 0.0,
            support.kind,
            support.identifiers,
            support.rank,
            support.score,
        )
        assert all(0 <= value <= 1 for value in values)
