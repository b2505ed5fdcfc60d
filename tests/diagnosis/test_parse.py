"""B1: what the source has and the parsed text has not."""

from __future__ import annotations

from evidex.diagnosis import parse
from evidex.diagnosis.judge import judge
from tests.diagnosis.told import Page, asked, case

ROW = "| Gold | 45 euro |"
QUESTION = case("What does Gold cost?", ROW)


def test_a_table_that_the_parser_dropped_is_its_loss() -> None:
    page = Page("policy", "Prices change once a year.", source=f"Prices change once a year.\n\n{ROW}\n")

    assert parse.check(asked([page], QUESTION)).type == "PARSER_LOSS"


def test_markup_between_words_does_not_matter() -> None:
    html = "<p>Prices change once a year.</p><table><tr><td>Gold</td><td><b>45</b>&nbsp;euro</td></tr></table>"
    page = Page("policy", "Prices change once a year.", source=html)

    assert parse.check(asked([page], QUESTION)).type == "PARSER_LOSS"


def test_words_that_the_source_does_not_have_either_are_turnover() -> None:
    page = Page("policy", "Prices change once a year.", source="Prices change once a year. Silver is 45 euro.")
    inquiry = asked([page], QUESTION)

    assert parse.check(inquiry).type is None
    assert judge(inquiry).status == "turnover"


def test_words_that_the_text_has_in_other_markup_are_not_lost() -> None:
    page = Page("policy", "Gold costs **45** euro.")
    inquiry = asked([page], case("What does Gold cost?", "Gold costs 45 euro."))

    assert parse.check(inquiry).type is None
