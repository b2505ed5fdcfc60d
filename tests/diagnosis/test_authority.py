"""B0: missing, retired, not in force, another version, access narrowed and widened, and what has only moved on."""

from __future__ import annotations

from datetime import date

import pytest

from evidex.diagnosis import authority
from evidex.diagnosis.judge import judge
from evidex.types import Case, DocumentId, Draft, Evidence
from tests.diagnosis.told import Line, Page, asked, case, quoting

WORDS = "Refunds are paid within 45 days of purchase."
OLD = "Refunds are paid within 30 days of purchase."
QUESTION = case("Within how many days are refunds paid?", WORDS)
NEW_PAGE = Page("policy", WORDS, "3", {"family": "refunds", "effective_from": date(2025, 3, 1)})
OLD_PAGE = Page("policy-before", OLD, "2", {"family": "refunds", "effective_from": date(2023, 6, 1)})


NO_ANSWER = Line(say=lambda _: Draft(abstention="no"))


def verdict(*pages: Page, line: Line = NO_ANSWER, of: Case = QUESTION) -> str | None:
    return authority.check(asked(pages, of, line)).type


def test_a_document_that_nobody_ingested_is_missing() -> None:
    assert verdict(Page("other", "Refunds are slow.")) == "SOURCE_MISSING"


def test_a_deleted_document_is_missing() -> None:
    assert verdict(Page("policy", WORDS, state="deleted", in_force=False, in_scope=False)) == "SOURCE_MISSING"


def test_a_document_retired_with_nothing_in_its_place_is_retired_by_mistake() -> None:
    retired = Page("policy", WORDS, metadata={"retired": True}, in_force=False, in_scope=False, sealed=False)

    assert verdict(retired) == "SOURCE_RETIRED"


def test_a_document_dated_into_the_future_is_not_in_force() -> None:
    later = Page("policy", WORDS, metadata={"effective_from": date(2030, 1, 1)}, in_force=False, in_scope=False)
    found = authority.check(asked([later], QUESTION, NO_ANSWER))

    assert found.type == "NOT_IN_FORCE"
    assert "2030-01-01" in found.sentence


def test_a_document_that_the_asker_may_not_read_is_narrowed() -> None:
    narrowed = Page("policy", WORDS, metadata={"readers": frozenset({"board"})}, readable=False, in_scope=False)
    found = authority.check(asked([narrowed], QUESTION, NO_ANSWER))

    assert found.type == "ACCESS_NARROWED"
    assert "board" in found.sentence


def test_a_withheld_document_that_the_asker_may_read_is_widened_whatever_is_answered() -> None:
    secret = Page("salaries", "The bonus is 12 percent.", metadata={"readers": frozenset({"everyone"})})
    withheld = case("How high is the bonus?", answerable=False, withheld=(DocumentId("salaries"),))
    judged = judge(asked([secret], withheld, NO_ANSWER))

    assert judged.status == "failed"
    assert judged.lost is not None
    assert judged.lost.finding.type == "ACCESS_WIDENED"


def test_an_older_version_in_force_beside_the_right_one_is_the_wrong_version_once_it_is_delivered() -> None:
    assert verdict(NEW_PAGE, OLD_PAGE) == "WRONG_VERSION"


def test_an_older_version_that_is_cited_is_the_wrong_version() -> None:
    found = authority.check(
        asked([NEW_PAGE, OLD_PAGE], QUESTION, Line(say=lambda _: quoting("policy-before@2#0", OLD)))
    )

    assert found.type == "WRONG_VERSION"
    assert "policy-before v2" in found.sentence


def test_an_older_version_that_no_stage_met_is_no_verdict() -> None:
    line = Line(found=(("sparse", ("policy@3#0",)),), say=NO_ANSWER.say)

    assert verdict(NEW_PAGE, OLD_PAGE, line=line) is None


def test_another_language_of_the_same_family_is_no_other_version() -> None:
    english = Page("policy", WORDS, "3", {"family": "refunds", "language": "en"})
    german = Page("richtlinie", "Refunds: 45 Tage.", "3", {"family": "refunds", "language": "de"})

    assert verdict(english, german) is None


def test_an_older_version_in_force_in_place_of_the_right_one_is_the_wrong_version() -> None:
    retired = Page("policy", WORDS, "3", dict(NEW_PAGE.metadata) | {"retired": True}, in_force=False, in_scope=False)

    assert verdict(retired, OLD_PAGE) == "WRONG_VERSION"


def test_so_is_an_older_version_of_the_same_id_where_the_evidence_pins_none() -> None:
    old = Page("policy", OLD, "2", {"effective_from": date(2023, 6, 1)})
    retired = Page("policy", WORDS, "3", {"effective_from": date(2025, 3, 1), "retired": True}, in_force=False)

    assert verdict(old, retired) == "WRONG_VERSION"


def test_a_pinned_version_newer_than_the_one_in_force_is_the_wrong_version() -> None:
    pinned = case("Refunds?", evidence=(Evidence(DocumentId("policy"), version="3", quote=WORDS),))

    assert verdict(Page("policy", OLD, "2"), of=pinned) == "WRONG_VERSION"


@pytest.mark.parametrize("same_id", [True, False])
def test_evidence_that_a_newer_version_replaced_is_turnover_and_no_failure(same_id: bool) -> None:
    gone = Page("policy", WORDS, "3", dict(NEW_PAGE.metadata), in_force=False, in_scope=False, state="superseded")
    newer = Page(
        "policy" if same_id else "policy-now",
        "Refunds are paid within 60 days.",
        "10",
        {"family": "refunds", "effective_from": date(2026, 1, 1)},
    )
    judged = judge(asked([gone, newer], QUESTION, NO_ANSWER))

    assert judged.status == "turnover"


def test_another_tenant_with_a_document_of_that_id_does_not_make_it_there() -> None:
    inquiry = asked([Page("other", "x y z")], QUESTION, NO_ANSWER)

    assert "was never ingested" in authority.check(inquiry).sentence
