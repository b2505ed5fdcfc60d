from __future__ import annotations

from evidex.evaluation.metrics.citations import citation_containment, citation_validity
from evidex.types import Answer, ChunkId, Citation, CitationStatus, Claim, DocumentId, DocumentKey


def citation(quote: str, status: CitationStatus = "verified") -> Citation:
    return Citation(ChunkId("c"), DocumentId("d"), "1", DocumentKey("k"), 0, len(quote), quote, status)


def claim(text: str, *quotes: str | Citation) -> Claim:
    return Claim(text, tuple(citation(quote) if isinstance(quote, str) else quote for quote in quotes))


REFUND = "A customer must request a refund within 45 calendar days of purchase."


def test_validity_is_the_share_of_citations_that_are_verified() -> None:
    answer = Answer((claim("One.", REFUND, citation("x", "not_verbatim")), claim("Two.", REFUND)))

    assert citation_validity(answer) == 2 / 3


def test_citations_of_rejected_claims_count_and_their_claims_do_not() -> None:
    rejected = claim("Refunds are instant.", citation("instant", "not_in_context"))

    assert citation_validity(Answer((claim(REFUND, REFUND),), rejected=(rejected,))) == 1 / 2
    assert citation_containment(Answer((claim(REFUND, REFUND),), rejected=(rejected,))) == 1
    assert citation_validity(Answer(abstention="nothing holds", rejected=(rejected,))) == 0


def test_a_valid_citation_may_not_contain_its_claim() -> None:
    answer = Answer((claim("Refunds are instant and unlimited.", REFUND),))

    assert citation_validity(answer) == 1
    assert citation_containment(answer) == 0


def test_a_claim_is_contained_word_for_word_or_in_another_order() -> None:
    answer = Answer(
        (claim(REFUND, REFUND), claim("Within 45 days of purchase, a customer must request a refund.", REFUND))
    )

    assert citation_containment(answer) == 1


def test_quotes_bear_a_claim_together() -> None:
    together = claim(
        "Refunds take 5 days and go to the original card.", "take 5 days", "Refunds go to the original card"
    )

    assert citation_containment(Answer((together,))) == 1


def test_a_quote_that_is_not_verified_bears_nothing() -> None:
    assert citation_containment(Answer((claim(REFUND, citation(REFUND, "not_in_force")),))) == 0


def test_negation_figure_and_identifier_have_to_be_those_of_the_quote() -> None:
    for text, quote in (
        ("Final-sale items are refundable.", "Final-sale items are not refundable."),
        ("Final-sale items are not refundable.", "Final-sale items are refundable."),
        ("A customer must request a refund within 90 calendar days of purchase.", REFUND),
        ("Error A1492 is a timeout.", "Error E1492 is a timeout."),
    ):
        assert citation_containment(Answer((claim(text, quote),))) == 0


def test_claims_that_say_nothing_do_not_count() -> None:
    for text in ("", "the", "Do not"):
        assert citation_containment(Answer((claim(text, REFUND),))) is None
        assert citation_containment(Answer((claim(text, REFUND), claim(REFUND, REFUND)))) == 1


def test_where_nothing_was_claimed_both_are_undefined() -> None:
    abstained = Answer(abstention="No passage answers this.")

    assert citation_validity(abstained) is None
    assert citation_containment(abstained) is None
    assert citation_validity(Answer((Claim("Bare.", ()),))) is None
    assert citation_containment(Answer((Claim("Bare.", ()),))) == 0
