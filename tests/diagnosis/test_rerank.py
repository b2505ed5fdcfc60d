"""B8: dropped, and dropped because it was not read."""

from __future__ import annotations

from evidex.analysis.budget import count_tokens
from evidex.diagnosis import rerank
from evidex.types import Draft
from tests.diagnosis.told import Line, Page, asked, case

LEAD = "This page was agreed with the works council and is read out once a year. "
WORDS = "Refunds are paid within 45 days."
PAGES = [Page("policy", LEAD + WORDS), *(Page(f"n-{n}", f"Refunds are paid slowly, says {n}.") for n in range(2))]
QUESTION = case("When are refunds paid?", WORDS)
LOW = ("n-0@1#0", "n-1@1#0", "policy@1#0")


def line(**notes: int) -> Line:
    return Line(
        found=(("sparse", ("policy@1#0", "n-0@1#0", "n-1@1#0")),),
        reranked=LOW,
        notes=notes,
        say=lambda _: Draft(abstention="no"),
    )


def test_a_chunk_below_those_that_are_kept_was_dropped_by_the_reranker_with_its_ranks() -> None:
    found = rerank.check(asked(PAGES, QUESTION, line()))

    assert found.type == "RERANKER_DROP"
    assert "rank 3, and 2 are kept" in found.sentence
    assert "fusion had it at rank 1" in found.sentence


def test_a_passage_read_up_to_before_the_evidence_was_truncated() -> None:
    found = rerank.check(asked(PAGES, QUESTION, line(max_tokens=10)))

    assert found.type == "RERANKER_TRUNCATION"
    assert "truncated the passage at 10 tokens" in found.sentence
    assert f"tokens {count_tokens(LEAD)} to {count_tokens(LEAD + WORDS)}" in found.sentence


def test_a_passage_read_to_the_end_of_the_evidence_was_not_truncated() -> None:
    assert rerank.check(asked(PAGES, QUESTION, line(max_tokens=count_tokens(LEAD + WORDS)))).type == "RERANKER_DROP"


def test_a_chunk_that_is_kept_is_not_dropped() -> None:
    kept = Line(reranked=("n-0@1#0", "policy@1#0"), say=lambda _: Draft(abstention="no"))

    assert rerank.check(asked(PAGES, QUESTION, kept)).type is None
