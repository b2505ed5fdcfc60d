"""B3: chunks that are not there, cannot be returned, or were sealed in other terms than they are asked for."""

from __future__ import annotations

import re

from evidex.diagnosis import index
from tests.diagnosis.told import ANALYZER, Line, Page, asked, case, quoting

WORDS = "The error E1492 means that the payment timed out."
QUESTION = case("What does E1492 mean?", WORDS)
ELSEWHERE = Page("other", "Nothing is settled.")


OTHER = Line(say=lambda _: quoting("other@1#0", "Nothing is settled."))


def test_a_chunk_that_was_left_out_is_omitted() -> None:
    text = f"Codes are listed here. {WORDS}"
    page = Page("policy", text, cuts=(text.index(WORDS),), left_out=(1,))

    assert index.check(asked([page, ELSEWHERE], QUESTION, OTHER)).type == "OMITTED"


def test_a_document_that_came_after_the_build_is_omitted() -> None:
    found = index.check(asked([Page("policy", WORDS, sealed=False, in_scope=False), ELSEWHERE], QUESTION, OTHER))

    assert found.type == "OMITTED"
    assert "built before" in found.sentence


def test_a_chunk_that_no_channel_returns_though_it_has_the_words_is_omitted() -> None:
    line = Line(say=OTHER.say, ranks={"sparse": {}, "dense": {}})

    assert index.check(asked([Page("policy", WORDS), ELSEWHERE], QUESTION, line)).type == "OMITTED"


def test_a_chunk_that_is_out_of_scope_is_not_omitted_for_being_in_no_list() -> None:
    line = Line(say=OTHER.say, ranks={"sparse": {}})

    assert index.check(asked([Page("policy", WORDS, in_scope=False), ELSEWHERE], QUESTION, line)).type is None


def test_a_chunk_of_other_words_than_the_question_is_not_omitted_for_being_in_no_list() -> None:
    line = Line(say=OTHER.say, ranks={"sparse": {}})
    other_words = case("Why was the card declined?", WORDS)

    assert index.check(asked([Page("policy", WORDS), ELSEWHERE], other_words, line)).type is None


def test_a_vector_sealed_without_the_prefix_breaks_the_contract() -> None:
    found = index.check(asked([Page("policy", WORDS), ELSEWHERE], QUESTION, Line(say=OTHER.say, fidelity=0.31)))

    assert found.type == "EMBED_CONTRACT"
    assert "0.310" in found.sentence


def test_a_vector_that_differs_by_rounding_keeps_the_contract() -> None:
    assert (
        index.check(asked([Page("policy", WORDS), ELSEWHERE], QUESTION, Line(say=OTHER.say, fidelity=0.996))).type
        is None
    )


def test_without_vectors_there_is_no_contract() -> None:
    assert (
        index.check(asked([Page("policy", WORDS), ELSEWHERE], QUESTION, Line(say=OTHER.say, fidelity=None))).type
        is None
    )


def test_an_identifier_that_is_in_no_term_is_lost() -> None:
    def blind(text: str) -> list[str]:
        return re.findall(r"[a-z]{4,}|\d+", text.lower())

    found = index.check(asked([Page("policy", WORDS), ELSEWHERE], QUESTION, Line(say=OTHER.say, terms=blind)))

    assert found.type == "TERMS_LOST"
    assert "e1492" in found.sentence


def test_an_identifier_that_only_the_question_has_is_not_the_index_s_loss() -> None:
    def blind(text: str) -> list[str]:
        return [term for term in ANALYZER.terms(text) if "1492" not in term]

    page = Page("policy", "The error A1492 means that the payment timed out.")
    question = case("What does E1492 mean?", page.text)

    assert index.check(asked([page, ELSEWHERE], question, Line(say=OTHER.say, terms=blind))).type is None
