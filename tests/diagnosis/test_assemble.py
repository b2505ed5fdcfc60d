"""B9: evicted, shortened, or merged into something that does not say the same."""

from __future__ import annotations

from dataclasses import replace

from evidex.diagnosis import assemble
from evidex.types import ChunkId, Draft, Fall
from tests.diagnosis.told import Line, Page, asked, case, passage

WORDS = "Refunds are paid within 45 days."
POLICY = Page("policy", f"{WORDS} Later they are not.")
OTHER = Page("other", "Refunds are paid within 30 days. Later they are not.")
QUESTION = case("When are refunds paid?", WORDS)


def abstain(_: object) -> Draft:
    return Draft(abstention="no")


def test_a_passage_that_did_not_fit_was_evicted_with_its_reason() -> None:
    fall = Fall(ChunkId("policy@1#0"), "20 tokens do not fit the 3 left")
    line = Line(passages=(passage(OTHER.chunks[0]),), evicted=(fall,), say=abstain)
    found = assemble.check(asked([POLICY, OTHER], QUESTION, line))

    assert found.type == "BUDGET_EVICTION"
    assert "20 tokens do not fit the 3 left" in found.sentence


def test_a_passage_that_was_cut_before_the_evidence_ends_was_truncated() -> None:
    chunk = POLICY.chunks[0]
    line = Line(passages=(passage(replace(chunk, text=chunk.text[:12], end=12)),), say=abstain)
    found = assemble.check(asked([POLICY, OTHER], QUESTION, line))

    assert found.type == "CONTEXT_TRUNCATION"
    assert f"stands at 0–{len(WORDS)}" in found.sentence


def test_a_passage_that_was_cut_behind_the_evidence_still_delivers_it() -> None:
    chunk = POLICY.chunks[0]
    line = Line(passages=(passage(replace(chunk, text=WORDS, end=len(WORDS))),), say=abstain)

    assert assemble.check(asked([POLICY, OTHER], QUESTION, line)).type is None


def test_a_passage_merged_into_one_that_says_something_else_was_merged_away() -> None:
    line = Line(passages=(passage(OTHER.chunks[0], merged=("policy@1#0",)),), say=abstain)

    assert assemble.check(asked([POLICY, OTHER], QUESTION, line)).type == "MERGED_AWAY"


def test_a_passage_merged_into_one_that_has_the_words_is_delivered() -> None:
    twin = Page("twin", f"{WORDS} Later they are refused.")
    line = Line(passages=(passage(twin.chunks[0], merged=("policy@1#0",)),), say=abstain)

    assert assemble.check(asked([POLICY, twin], QUESTION, line)).type is None


def test_the_words_in_the_passage_of_a_stranger_do_not_deliver_the_evidence() -> None:
    stranger = Page("stranger", f"{WORDS} So says another firm.")
    line = Line(passages=(passage(stranger.chunks[0]),), say=abstain)

    assert assemble.check(asked([POLICY, stranger], QUESTION, line)).type == "BUDGET_EVICTION"
