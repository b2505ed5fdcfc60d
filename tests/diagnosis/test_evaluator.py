"""B13: the answer is right, and the judgment is not."""

from __future__ import annotations

from evidex.diagnosis.judge import judge
from tests.diagnosis.told import Line, Page, asked, case, quoting

RIGHT = Page("policy", "Refunds of Gold are paid within 45 days.")
WRONG = Page("other", "The canteen opens at noon.")
REFERENCE = "Within 45 days, refunds of Gold are paid."


def judged_elsewhere(**changes: object) -> tuple[str, str | None]:
    question = case("When are refunds of Gold paid?", WRONG.text, document="other", answer=REFERENCE, **changes)
    judged = judge(asked([RIGHT, WRONG], question))
    return judged.status, judged.lost.finding.type if judged.lost else None


def test_the_reference_answer_from_another_place_than_the_judged_one_is_a_wrong_judgment() -> None:
    assert judged_elsewhere() == ("failed", "WRONG_JUDGMENT")


def test_so_is_a_case_that_says_there_is_no_answer_and_gives_it() -> None:
    question = case("When are refunds of Gold paid?", answerable=False, answer=REFERENCE)
    judged = judge(asked([RIGHT], question))

    assert judged.lost is not None
    assert judged.lost.finding.type == "WRONG_JUDGMENT"


def test_all_nuggets_have_to_be_there() -> None:
    assert judged_elsewhere(nuggets=("45 days", "refunds of Silver after 90 days"))[1] != "WRONG_JUDGMENT"


def test_the_same_figure_from_a_place_that_matches_the_question_less_is_no_answer() -> None:
    silver = Page("silver", "Refunds of Silver are paid within 45 days.")
    question = case("When are refunds of Gold paid?", RIGHT.text, answer="Refunds are paid within 45 days.")
    line = Line(say=lambda _: quoting("silver@1#0", silver.text))
    judged = judge(asked([RIGHT, silver], question, line))

    assert judged.lost is not None
    assert judged.lost.finding.type == "NOT_EXTRACTED"


def test_an_answer_that_is_not_the_reference_answer_leaves_the_judgment_alone() -> None:
    other = Page("late", "Refunds of Gold are paid within 99 days.")
    question = case("When are refunds of Gold paid?", WRONG.text, document="other", answer=REFERENCE)
    judged = judge(asked([other, WRONG], question))

    assert judged.lost is not None
    assert judged.lost.finding.type != "WRONG_JUDGMENT"
