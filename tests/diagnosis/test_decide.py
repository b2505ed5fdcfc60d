"""B10: no answer where there is one, and one where there is none."""

from __future__ import annotations

from evidex.diagnosis import decide
from evidex.diagnosis.judge import judge
from evidex.types import DocumentId, Draft, DraftClaim
from tests.diagnosis.told import Line, Page, asked, case

WORDS = "Refunds are paid within 45 days."
QUESTION = case("When are refunds paid?", WORDS)


def test_no_answer_although_the_evidence_was_delivered_is_a_false_abstention() -> None:
    found = decide.check(asked([Page("policy", WORDS)], QUESTION, Line(say=lambda _: Draft(abstention="unsure"))))

    assert found.type == "FALSE_ABSTENTION"
    assert found.sentence.endswith("unsure")


def test_a_draft_of_which_nothing_stood_is_no_abstention() -> None:
    line = Line(say=lambda _: Draft((DraftClaim("Whenever.", ()),)))

    assert decide.check(asked([Page("policy", WORDS)], QUESTION, line)).type is None


def test_an_answer_where_there_is_none_is_a_false_answer() -> None:
    unanswerable = case("Are refunds taxed?", answerable=False)
    judged = judge(asked([Page("policy", WORDS)], unanswerable))

    assert judged.lost is not None
    assert judged.lost.finding.type == "FALSE_ANSWER"


def test_no_answer_where_there_is_none_is_rightly_withheld() -> None:
    line = Line(say=lambda _: Draft(abstention="no"))

    assert (
        judge(asked([Page("policy", WORDS)], case("Are refunds taxed?", answerable=False), line)).status == "withheld"
    )


def test_no_answer_from_what_the_asker_may_not_see_is_rightly_withheld() -> None:
    secret = Page("policy", WORDS, readable=False, in_scope=False)
    withheld = case("When are refunds paid?", WORDS, withheld=(DocumentId("policy"),))

    assert judge(asked([secret], withheld, Line(say=lambda _: Draft(abstention="no")))).status == "withheld"
