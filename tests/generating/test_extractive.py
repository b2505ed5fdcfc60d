from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.config import AnsweringSettings
from evidex.generating.abstention import NO_PASSAGE, NO_SENTENCE, NOTHING_KNOWN, NOTHING_TO_LOOK_FOR
from evidex.generating.extractive import Extractive, make
from evidex.grounding.citations import verify
from evidex.plugins import GeneratingResources
from evidex.types import Draft, Quote
from tests.generating.world import ANALYZER, HashedWords, context, passage, query

REFUND = passage(
    "The policy applies to eligible purchases. A customer must request a refund within 45 calendar days of purchase. "
    "Approved refunds return to the original payment method.",
    id="refund",
    title="Refund policy",
)
GATEWAY = passage(
    "Error code E1492 means the payment gateway timed out. Wait 60 seconds before checking payment activity once.",
    id="gateway",
    title="E1492",
)


def extractive(**settings: float) -> Extractive:
    values = AnsweringSettings.model_validate(settings)
    return make(GeneratingResources(values, ANALYZER, None))


def claims(draft: Draft) -> list[str]:
    assert draft.abstention is None
    return [claim.text for claim in draft.claims]


def test_the_answer_is_the_sentence_word_for_word_and_quotes_it_in_its_chunk() -> None:
    draft = extractive().answer(
        query("Within how many calendar days must I request a refund?"), context(GATEWAY, REFUND)
    )
    sentence = "A customer must request a refund within 45 calendar days of purchase."
    assert claims(draft) == [sentence]
    assert draft.claims[0].quotes == (Quote(REFUND.chunk.id, sentence),)


def test_an_error_code_is_answered_from_its_own_passage() -> None:
    decoy = passage("Code A1492 means a retired display, no error.", id="display")
    draft = extractive().answer(query("What does error E1492 mean?"), context(decoy, GATEWAY))
    assert claims(draft) == ["Error code E1492 means the payment gateway timed out."]


def test_a_sentence_is_understood_under_its_heading() -> None:
    text = passage("Choose a new one in the portal.", section=("Reset a forgotten password",))
    draft = extractive().answer(query("How do I reset a forgotten password?"), context(text))
    assert claims(draft) == ["Choose a new one in the portal."]


def test_equals_come_in_the_order_of_the_context_and_repetitions_are_said_once() -> None:
    twins = context(passage("Cats sleep all day.", id="z"), passage("Cats sleep all day.", id="a"))
    draft = extractive().answer(query("Do cats sleep?"), twins)
    assert [claim.quotes[0].chunk for claim in draft.claims] == ["z"]


def test_no_more_claims_than_asked_for() -> None:
    text = "Cats sleep at noon. Cats sleep after lunch. Cats sleep under roofs."
    assert len(claims(extractive(max_claims=3).answer(query("cats sleep"), context(passage(text))))) == 3
    assert len(claims(extractive(max_claims=1).answer(query("cats sleep"), context(passage(text))))) == 1


def test_a_sentence_clearly_behind_the_best_is_not_said() -> None:
    draft = extractive().answer(query("cats sleep noon"), context(passage("Cats sleep at noon. Cats eat grass daily.")))
    assert claims(draft) == ["Cats sleep at noon."]


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What is it?", NOTHING_TO_LOOK_FOR),
        ("zzz qqq", NOTHING_KNOWN),
        ("What does error E9999 mean?", "No passage found mentions 'e9999'."),
    ],
)
def test_it_abstains_with_a_reason(question: str, reason: str) -> None:
    draft = extractive().answer(query(question, {"zzz": 0.0, "qqq": 0.0}), context(GATEWAY, REFUND))
    assert draft == Draft(abstention=reason)


def test_without_passages_or_sentences_it_abstains() -> None:
    assert extractive().answer(query("refund"), context()) == Draft(abstention=NO_PASSAGE)
    assert extractive().answer(query("refund"), context(passage("# Refund"))) == Draft(abstention=NO_SENTENCE)


def test_below_the_least_support_it_abstains_and_names_the_support() -> None:
    draft = extractive().answer(query("refund for gift cards and vouchers"), context(passage("A refund is made.")))
    assert draft.abstention == "The best sentence found has support 0.25; an answer needs 0.58."
    assert (
        extractive(min_support=0.25)
        .answer(query("refund for gift cards and vouchers"), context(passage("A refund is made.")))
        .claims
    )


def test_a_javascript_question_is_not_withheld_for_the_case_of_its_name() -> None:
    draft = extractive(min_support=0.5).answer(
        query("Is JavaScript allowed?"), context(passage("Use of javascript is allowed."))
    )
    assert claims(draft) == ["Use of javascript is allowed."]


PIECES = st.sampled_from(
    [
        "# Head",
        "Cats sleep at noon.",
        "Cats\nsleep",
        "- Cats sleep",
        "1. Cats",
        "| Cats | sleep |",
        "|---|---|",
        "Cats 45?",
        "```",
        "",
        "\u200bCats sleep. Dogs",
        "Yes.",
        "E1492 cats",
        "猫睡觉。",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=6).map("\n".join), max_size=3), st.booleans())
def test_every_claim_is_verified_by_grounding(texts: list[str], embedded: bool) -> None:
    known = context(*(passage(text, id=str(number)) for number, text in enumerate(texts)))
    settings = AnsweringSettings(min_support=0.0)
    generator = make(GeneratingResources(settings, ANALYZER, HashedWords() if embedded else None))
    draft = generator.answer(query("Do cats sleep at noon?"), known)
    assert draft == generator.answer(query("Do cats sleep at noon?"), known)
    held = {str(number): text for number, text in enumerate(texts)}
    answer = verify(draft, known, held.get, lambda key, offset: ("line", 1))
    assert len(answer.claims) == len(draft.claims) and answer.rejected == ()
