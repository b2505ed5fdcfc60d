from __future__ import annotations

import pytest

from evidex.config import AnsweringSettings
from evidex.generating.extractive import make
from evidex.generating.follow_up import own_terms
from evidex.plugins import GeneratingResources
from evidex.types import Principal, Query, Question, Term, Variant
from tests.generating.world import ANALYZER, context, passage

FIRST = "How long is the refund window?"
WINDOW = passage("The refund window is 45 days.", id="window")
DENTAL = passage("Every employee joins the dental plan after a month.", id="dental")


def follow_up(text: str) -> Query:
    """A follow-up to the question about the refund window."""
    resolved = f"{FIRST} {text}"
    variants = (Variant(text, "original", 0.5), Variant(resolved, "history", 0.5))
    terms = tuple(Term(term, 1.0) for term in dict.fromkeys(ANALYZER.terms(resolved)))
    return Query(Question(text, Principal(), history=(FIRST,)), variants, terms)


def answered(text: str) -> list[str]:
    generator = make(GeneratingResources(AnsweringSettings(min_support=0.2), ANALYZER, None))
    return [claim.text for claim in generator.answer(follow_up(text), context(WINDOW, DENTAL)).claims]


@pytest.mark.parametrize("text", ["And what is the capital of Mongolia?", "Does it apply to cars?"])
def test_a_follow_up_is_not_answered_with_the_answer_of_the_turn_before(text: str) -> None:
    assert answered(text) == []


def test_a_follow_up_is_answered_with_what_it_names_itself() -> None:
    assert answered("And what is the dental plan?") == ["Every employee joins the dental plan after a month."]


def test_a_follow_up_that_only_points_back_is_answered_by_the_turn_before() -> None:
    assert answered("How long is it?") == ["The refund window is 45 days."]


def test_a_question_that_stands_alone_has_no_terms_to_insist_on() -> None:
    query = Query(Question(FIRST, Principal()), (Variant(FIRST, "original", 1.0),))

    assert own_terms(query, ANALYZER) == frozenset()
