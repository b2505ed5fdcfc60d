from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.config import UnderstandingSettings
from evidex.errors import ConfigError
from evidex.query.understand import NO_SYNONYMS, Synonyms, complete, read_synonyms, understand
from evidex.types import Principal, Query, Question


def asked(text: str, *history: str, synonyms: Synonyms = NO_SYNONYMS, most: int = 3) -> Query:
    question = Question(text, Principal(), history=history)
    return understand(question, synonyms, UnderstandingSettings(max_variants=most))


def test_the_original_is_the_first_wording_and_none_weighs_more() -> None:
    query = asked(
        "and for parcels?", "How long does a refund take?", synonyms=Synonyms.of("1", {"parcels": "packages"})
    )

    assert query.variants[0].text == "and for parcels?"
    assert query.variants[0].origin == "original"
    assert query.variants[0].weight == max(variant.weight for variant in query.variants)


@given(st.text(min_size=1).filter(str.strip), st.lists(st.text(), max_size=3), st.integers(1, 4))
def test_the_weights_of_the_wordings_sum_to_one_and_their_number_is_capped(
    text: str, history: list[str], most: int
) -> None:
    query = asked(text, *history, synonyms=Synonyms.of("1", {"a": "b", "the": "this"}), most=most)

    assert sum(variant.weight for variant in query.variants) == pytest.approx(1)
    assert 1 <= len(query.variants) <= most
    assert query.variants[0].text == " ".join(text.split())


@pytest.mark.parametrize("text", ["", "   ", "\n\t "])
def test_an_empty_question_is_an_error(text: str) -> None:
    with pytest.raises(ConfigError, match="empty"):
        asked(text)


def test_synonyms_match_whole_words_only() -> None:
    synonyms = Synonyms.of("1", {"laptop": "computer", "money": "refund"})

    assert synonyms.apply("two laptops, moneyed") == "two laptops, moneyed"
    assert synonyms.apply("a Laptop, money") == "a computer, refund"


def test_the_longest_synonym_wins_and_is_not_replaced_again() -> None:
    synonyms = Synonyms.of("1", {"money back": "refund", "money": "cash", "refund": "return"})

    assert synonyms.apply("my money back and money") == "my refund and cash"


def test_the_order_of_a_synonym_file_changes_nothing() -> None:
    entries = [("money back", "refund"), ("money", "cash"), ("back", "rear")]

    forward, backward = Synonyms.of("1", dict(entries)), Synonyms.of("1", dict(entries[::-1]))

    assert forward.apply("money back, back money") == backward.apply("money back, back money")


def test_identifiers_are_never_replaced() -> None:
    synonyms = Synonyms.of("1", {"e1492": "payment error", "4012": "number"})

    assert synonyms.apply("error E1492 and ERR-4012") == "error E1492 and ERR-4012"


def test_a_follow_up_is_completed_from_the_turn_before() -> None:
    history = ("How do I cancel before it renews?",)

    assert complete("What about annual plans?", history) == "How do I cancel before it renews? What about annual plans?"


@pytest.mark.parametrize(
    "follow_up", ["And in Europe?", "How about monthly plans?", "How long does it take?", "Why do they expire?"]
)
def test_follow_ups_that_lean_on_the_turn_before_are_recognised(follow_up: str) -> None:
    assert complete(follow_up, ("What is the refund window?",)).startswith("What is the refund window?")


@pytest.mark.parametrize(
    "question",
    ["What does error E1492 mean?", "How do I reset my password?", "Which header tells a client when to retry?"],
)
def test_a_question_that_stands_alone_is_not_touched_by_history(question: str) -> None:
    assert complete(question, ("How do I cancel my plan?",)) == question
    assert [variant.origin for variant in asked(question, "How do I cancel my plan?").variants] == ["original"]


def test_ranking_and_answering_use_the_completed_question() -> None:
    assert asked("What about annual plans?", "How do I cancel?").text == "How do I cancel? What about annual plans?"
    assert asked("How do I cancel?").text == "How do I cancel?"


def test_a_synonym_file_without_a_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.toml"
    file.write_text('[synonyms]\n"money back" = "refund"\n')

    with pytest.raises(ConfigError, match="version"):
        read_synonyms(file)


def test_a_synonym_file_says_its_version(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.toml"
    file.write_text('version = "7"\n[synonyms]\n"money back" = "refund"\n')

    assert read_synonyms(file).version == "7"
    assert read_synonyms(file).apply("money  back") == "refund"
