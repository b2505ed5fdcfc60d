"""B5: what is hidden that should not be, and seen that should not be."""

from __future__ import annotations

from evidex.diagnosis import filter as scope
from evidex.diagnosis.judge import judge
from evidex.types import DocumentId, Draft
from tests.diagnosis.told import Line, Page, asked, case

WORDS = "Refunds are paid within 45 days."
SECRET = Page("secret", "The refunds of the board are paid twice.", readable=False)


def abstain(_: object) -> Draft:
    return Draft(abstention="no")


def test_a_readable_document_in_force_that_was_not_searched_is_filtered_too_much() -> None:
    found = scope.check(
        asked([Page("policy", WORDS, in_scope=False)], case("When are refunds paid?", WORDS), Line(say=abstain))
    )

    assert found.type == "OVER_FILTER"
    assert "no filter that was asked for bars it" in found.sentence


def test_the_filter_that_bars_it_is_named() -> None:
    question = case("When are refunds paid?", WORDS, filters=(("language", "de"),))
    page = Page("policy", WORDS, metadata={"language": "en"}, in_scope=False)

    assert "language=de" in scope.check(asked([page], question, Line(say=abstain))).sentence


def test_an_unreadable_document_among_the_candidates_is_a_leak() -> None:
    found = scope.check(
        asked([Page("policy", WORDS), SECRET], case("When are refunds paid?", WORDS), Line(say=abstain))
    )

    assert found.type == "UNDER_FILTER"
    assert found.evidence[0] == "secret"


def test_a_leak_fails_a_case_that_is_answered_rightly() -> None:
    judged = judge(asked([Page("policy", WORDS), SECRET], case("When are refunds paid?", WORDS)))

    assert judged.lost is not None
    assert judged.lost.finding.type == "UNDER_FILTER"


def test_a_leak_fails_a_case_that_rightly_has_no_answer() -> None:
    withheld = case("Who is paid twice?", answerable=False, withheld=(DocumentId("secret"),))
    judged = judge(asked([SECRET], withheld, Line(say=abstain)))

    assert judged.lost is not None
    assert judged.lost.boundary.id == "B5"


def test_a_candidate_that_is_not_in_force_is_a_leak_of_the_past() -> None:
    old = Page("old", "Refunds were paid within 30 days.", in_force=False, state="superseded")
    found = scope.check(asked([Page("policy", WORDS), old], case("When are refunds paid?", WORDS), Line(say=abstain)))

    assert found.type == "UNDER_FILTER"
    assert "not in force" in found.sentence


def test_a_candidate_that_does_not_pass_the_filter_asked_for_was_let_through() -> None:
    question = case("When are refunds paid?", WORDS, filters=(("tag", "us"),))
    pages = [Page("policy", WORDS, metadata={"tags": frozenset({"us"})}), Page("other", "Refunds are slow.")]

    assert "tag=us" in scope.check(asked(pages, question, Line(say=abstain))).sentence
