"""B4: wordings that are not the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evidex.diagnosis import understand
from evidex.types import Draft
from tests.diagnosis.told import Line, Page, asked, case

WORDS = "Annual plans are cancelled under Settings until 30 June."
PAGE = Page("policy", WORDS)
ASKED = "How do I cancel the annual plan before 30 June?"


def found(question: str, *wordings: Any, **changes: Any) -> str | None:
    line = Line(wordings=wordings, say=lambda _: Draft(abstention="no"))
    return understand.check(asked([PAGE], case(question, WORDS, **changes), line)).type


def test_a_question_searched_for_as_it_was_asked_is_understood() -> None:
    assert found(ASKED, (ASKED, "original", 1.0)) is None


def test_a_question_that_is_not_among_the_wordings_has_drifted() -> None:
    assert found(ASKED, ("Where is the office in Boston?", "original", 1.0)) == "QUERY_DRIFT"


def test_a_rewrite_with_more_of_the_vote_than_the_question_is_drift() -> None:
    wordings = ((ASKED, "original", 0.1), ("holiday plans before 30 June", "synonyms", 0.9))

    assert found(ASKED, *wordings) == "QUERY_DRIFT"


def test_a_rewrite_with_less_of_the_vote_is_none() -> None:
    wordings = ((ASKED, "original", 0.7), ("end the yearly plan before 30 June", "synonyms", 0.3))

    assert found(ASKED, *wordings) is None


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("What does error E1492 mean at checkout?", "What does error mean at checkout?"),
        ("What changed in the refunds after 2024?", "What changed in the refunds after?"),
        ("How does getUserById fail for guests?", "How does fail for guests?"),
    ],
    ids=["identifier", "number", "camel case"],
)
def test_a_name_or_number_that_is_in_no_wording_was_dropped(question: str, without: str) -> None:
    assert found(question, (without, "original", 1.0)) == "ENTITY_DROPPED"


def test_a_wording_that_lost_the_other_words_too_is_drift_and_no_dropped_name() -> None:
    assert (
        found("What does error E1492 mean at checkout?", ("Office hours in Boston", "original", 1.0)) == "QUERY_DRIFT"
    )


def test_a_follow_up_without_its_turn_before_is_unresolved() -> None:
    history = ("How is a monthly plan cancelled?",)

    assert (
        found("And an annual one?", ("And an annual one?", "original", 1.0), history=history) == "ELLIPSIS_UNRESOLVED"
    )


def test_a_follow_up_with_its_turn_before_is_resolved() -> None:
    history = ("How is a monthly plan cancelled?",)
    wordings = (("And an annual one?", "original", 0.5), (f"{history[0]} And an annual one?", "history", 0.5))

    assert found("And an annual one?", *wordings, history=history) is None


def test_a_question_that_stands_alone_needs_no_turn_before() -> None:
    history = ("Who repairs the coffee machine?",)

    assert found(ASKED, (ASKED, "original", 1.0), history=history) is None


def test_wordings_that_vote_down_what_the_question_alone_would_have_found_are_drift() -> None:
    pages = [PAGE, *(Page(f"noise-{n}", f"Noise number {n}.") for n in range(6))]
    noise = tuple(f"noise-{n}@1#0" for n in range(6))
    line = Line(
        wordings=((ASKED, "original", 0.5), ("noise before 30 June", "synonyms", 0.5)),
        found=(("sparse", ("noise-0@1#0", "noise-1@1#0", "policy@1#0")), ("sparse", noise[:5])),
        say=lambda _: Draft(abstention="no"),
    )
    outvoted = understand.check(asked(pages, case(ASKED, WORDS), replace(line, fused=noise[:3])))

    assert outvoted.type == "QUERY_DRIFT"
