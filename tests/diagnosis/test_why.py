"""One question and the words that were expected, without a golden set."""

from __future__ import annotations

from evidex.diagnosis.verdict import CaseVerdict
from evidex.diagnosis.why import why
from evidex.types import Case, DocumentId, Draft
from tests.diagnosis.told import Line, Page, system

WORDS = "Refunds are paid within 45 days."
QUESTION = Case("why", "When are refunds paid?", answerable=True)
SILENT = Line(say=lambda _: Draft(abstention="no"))


def asked(*pages: Page, line: Line = SILENT, document: str | None = None, expected: str = WORDS) -> CaseVerdict:
    return why(QUESTION, expected, system(pages, line), document=None if document is None else DocumentId(document))


def type_of(found: CaseVerdict) -> str | None:
    return found.verdict.type if found.verdict else None


def test_words_that_stand_in_a_document_are_followed_to_where_they_were_lost() -> None:
    found = asked(Page("policy", WORDS))

    assert type_of(found) == "FALSE_ABSTENTION"
    assert found.expected == WORDS


def test_words_that_are_in_the_answer_pass() -> None:
    assert asked(Page("policy", WORDS), line=Line()).status == "passed"


def test_any_of_several_documents_that_have_the_words_will_do() -> None:
    copies = (Page("a", WORDS, left_out=(0,)), Page("b", f"{WORDS} So says the other page."))

    assert asked(*copies, line=Line()).status == "passed"
    assert type_of(asked(*copies)) == "FALSE_ABSTENTION"
    assert type_of(asked(*copies, document="a")) == "OMITTED"


def test_any_of_several_places_of_one_document_will_do() -> None:
    assert asked(Page("policy", f"{WORDS} Again: {WORDS}"), line=Line()).status == "passed"


def test_words_that_only_a_source_has_were_lost_by_its_parser() -> None:
    assert type_of(asked(Page("policy", "Nothing else.", source=f"Nothing else. {WORDS}"))) == "PARSER_LOSS"


def test_words_that_stand_nowhere_are_the_verdict() -> None:
    found = asked(Page("policy", WORDS), expected="Refunds are never paid.")

    assert type_of(found) == "SOURCE_MISSING"
    assert "no document" in found.sentence


def test_words_that_are_not_in_the_document_that_was_named_are_told_apart_from_no_document() -> None:
    pages = (Page("policy", WORDS), Page("other", "Nothing else."))

    assert "does not have these words" in asked(*pages, document="other").sentence
    assert "there is no document third" in asked(*pages, document="third").sentence


def test_words_of_a_retired_document_are_followed_to_it() -> None:
    assert type_of(asked(Page("policy", WORDS, metadata={"retired": True}, in_force=False))) == "SOURCE_RETIRED"


def test_words_that_a_newer_version_does_not_have_any_more_are_turnover_and_it_is_named() -> None:
    old = Page("policy", WORDS, "2", in_force=False, in_scope=False, state="superseded")
    found = asked(old, Page("policy", "Refunds are paid within 60 days.", "3"))

    assert found.status == "turnover"
    assert "policy v3 took its place" in found.sentence
