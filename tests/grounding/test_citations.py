from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.grounding.citations import NOTHING_DRAFTED, NOTHING_VERIFIED, verify
from evidex.types import (
    Answer,
    Chunk,
    ChunkId,
    Citation,
    Context,
    DocumentId,
    DocumentKey,
    Draft,
    DraftClaim,
    Passage,
    Quote,
)

REFUNDS = (
    "Refunds\n\nA customer must request a refund within 45 calendar days\nof purchase. Final-sale items are excluded."
)
KEY = DocumentKey("refunds-3")


def passage(id: str, text: str, start: int, end: int, merged: tuple[str, ...] = ()) -> Passage:
    chunk = Chunk(ChunkId(id), DocumentId("refunds"), "3", KEY, start, end, text[start:end])
    return Passage(chunk, "Refunds", 10, tuple(map(ChunkId, merged)))


def context(*passages: Passage) -> Context:
    return Context(passages, 10 * len(passages), 1000)


def holding(text: str | None) -> Callable[[DocumentKey], str | None]:
    return {KEY: text}.get


def line_of(text: str) -> Callable[[DocumentKey, int], tuple[str, int]]:
    return lambda key, offset: ("line", text.count("\n", 0, offset) + 1)


def checked(*quotes: tuple[str, str], text: str | None = REFUNDS, merged: tuple[str, ...] = ()) -> Answer:
    draft = Draft((DraftClaim("Refunds take 45 days.", tuple(Quote(ChunkId(id), words) for id, words in quotes)),))
    known = context(passage("c1", REFUNDS, 9, len(REFUNDS), merged))
    return verify(draft, known, holding(text), line_of(REFUNDS))


def statuses(answer: Answer) -> list[str]:
    return [citation.status for claim in (*answer.claims, *answer.rejected) for citation in claim.citations]


def test_a_verified_citation_is_the_slice_of_the_document_at_its_offsets_with_its_line() -> None:
    (claim,) = checked(("c1", "Final-sale items are excluded.")).claims
    start = REFUNDS.index("Final-sale")
    assert claim.citations == (
        Citation(
            ChunkId("c1"), DocumentId("refunds"), "3", KEY, start, len(REFUNDS),
            "Final-sale items are excluded.", "verified", "line", 4,
        ),
    )  # fmt: skip


def test_white_space_may_differ_and_the_citation_has_the_document_s_own() -> None:
    (claim,) = checked(("c1", "45 calendar days of purchase")).claims
    assert claim.citations[0].quote == "45 calendar days\nof purchase"


def test_a_fabricated_quote_rejects_its_claim_and_the_answer_abstains() -> None:
    answer = checked(("c1", "Refunds are instant and unlimited."))
    assert answer.claims == () and answer.abstention == NOTHING_VERIFIED
    assert statuses(answer) == ["not_verbatim"]
    assert answer.rejected[0].citations[0].quote == "Refunds are instant and unlimited."


def test_a_claim_with_one_verified_quote_stays_and_its_others_stay_marked() -> None:
    answer = checked(
        ("c1", "Final-sale items are excluded."), ("c1", "within 90 calendar days"), ("s9", "of purchase.")
    )
    assert len(answer.claims) == 1 and answer.abstention is None
    assert statuses(answer) == ["verified", "not_verbatim", "not_in_context"]


def test_a_chunk_that_was_not_delivered_is_no_source_though_the_words_stand_in_the_document() -> None:
    answer = checked(("c2", "Final-sale items are excluded."))
    citation = answer.rejected[0].citations[0]
    assert (citation.status, citation.chunk, citation.document, citation.end) == ("not_in_context", "c2", "", 0)


def test_a_merged_chunk_is_cited_as_the_passage_that_stands_for_it() -> None:
    answer = checked(("twin", "Final-sale items are excluded."), merged=("twin",))
    assert answer.claims[0].citations[0].chunk == "c1"


def test_a_document_that_is_gone_or_no_longer_in_force_verifies_nothing() -> None:
    answer = checked(("c1", "Final-sale items are excluded."), text=None)
    assert statuses(answer) == ["not_in_force"] and answer.abstention == NOTHING_VERIFIED


def test_words_outside_the_chunk_are_not_verbatim_in_it() -> None:
    assert statuses(checked(("c1", "Refunds\n\nA customer must"))) == ["not_verbatim"]


@pytest.mark.parametrize("quote", ["", "  ", ".", "the", "must", "a refund", "45"])
def test_quotes_too_short_to_carry_a_claim_do_not_verify(quote: str) -> None:
    assert statuses(checked(("c1", quote))) == ["not_verbatim"]


def test_the_first_place_at_which_a_quote_can_carry_a_claim_counts() -> None:
    text = "Wait 60 seconds. Then wait. Wait 60 seconds."
    draft = Draft((DraftClaim("Wait.", (Quote(ChunkId("c1"), "Wait 60 seconds."),)),))
    answer = verify(draft, context(passage("c1", text, 0, len(text))), holding(text), line_of(text))
    assert answer.claims[0].citations[0].start == 0


def test_a_quote_given_twice_is_cited_once() -> None:
    assert statuses(checked(("c1", "Final-sale items are excluded."), ("c1", "Final-sale items  are excluded."))) == [
        "verified"
    ]


def test_a_claim_without_quotes_or_without_words_is_rejected() -> None:
    silent = DraftClaim(" ", (Quote(ChunkId("c1"), "Final-sale items are excluded."),))
    draft = Draft((DraftClaim("Refunds are instant.", ()), silent))
    known = context(passage("c1", REFUNDS, 0, len(REFUNDS)))
    answer = verify(draft, known, holding(REFUNDS), line_of(REFUNDS))
    assert answer.abstention == NOTHING_VERIFIED and len(answer.rejected) == 2


def test_an_abstention_passes_with_its_reason_and_a_draft_of_nothing_becomes_one() -> None:
    known = context(passage("c1", REFUNDS, 0, len(REFUNDS)))
    assert verify(Draft(abstention="No."), known, holding(None), line_of("")) == Answer(abstention="No.")
    assert verify(Draft(), known, holding(None), line_of("")) == Answer(abstention=NOTHING_DRAFTED)


ALPHABET = st.sampled_from("aB1 \n.|-é\u0301\u200b\u202e退款🙂'\"<")
TEXTS = st.text(ALPHABET, max_size=60)


@given(TEXTS, st.lists(st.tuples(st.sampled_from(["c1", "c2", "zz"]), TEXTS), max_size=4), st.integers(0, 60))
def test_a_verified_citation_is_verbatim_at_its_offsets_in_the_pinned_text(
    text: str, quotes: list[tuple[str, str]], cut: int
) -> None:
    cut = min(cut, len(text))
    known = context(passage("c1", text, 0, cut), passage("c2", text, cut, len(text)))
    inside = [("c1", text[:cut]), ("c2", text[cut:])]
    draft = Draft(tuple(DraftClaim("claim", (Quote(ChunkId(id), words),)) for id, words in (*quotes, *inside)))
    answer = verify(draft, known, holding(text), line_of(text))
    spans = {"c1": (0, cut), "c2": (cut, len(text))}
    assert answer == verify(draft, known, holding(text), line_of(text))
    for claim in answer.claims:
        for citation in claim.citations:
            assert citation.status == "verified"
            assert text[citation.start : citation.end] == citation.quote != ""
            assert spans[citation.chunk][0] <= citation.start < citation.end <= spans[citation.chunk][1]


@given(TEXTS, TEXTS)
def test_words_that_the_text_does_not_hold_never_verify(text: str, quote: str) -> None:
    fabricated = f"{quote} fabricated"
    draft = Draft((DraftClaim("claim", (Quote(ChunkId("c1"), fabricated),)),))
    answer = verify(draft, context(passage("c1", text, 0, len(text))), holding(text), line_of(text))
    assert answer.claims == () and statuses(answer) == ["not_verbatim"]
