from __future__ import annotations

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.leakage import Finding, leakage
from evidex.query.understand import Synonyms
from evidex.types import Case

SYNONYMS = {"sev 1": "Priority 1", "PTO": "paid time off"}


def found(*cases: Case) -> tuple[Finding, ...]:
    alone = {phrase: Synonyms.of("1", {phrase: replacement}) for phrase, replacement in SYNONYMS.items()}
    return leakage(
        GoldenSet("kb", cases),
        SYNONYMS,
        exercises=lambda text: frozenset(phrase for phrase, one in alone.items() if one.apply(text) != text),
        terms=lambda text: text.casefold().replace("?", "").split(),
    )


def kinds(*cases: Case) -> list[tuple[str, tuple[str, ...]]]:
    return [(finding.kind, finding.ids) for finding in found(*cases)]


def dev(id: str, question: str, **more: str) -> Case:
    return Case(id, question, split="dev", **more)  # type: ignore[arg-type]


def held(id: str, question: str, **more: str) -> Case:
    return Case(id, question, split="test", **more)  # type: ignore[arg-type]


def test_a_synonym_that_occurs_in_test_questions_alone_was_written_for_them() -> None:
    cases = (dev("a", "How many days?"), held("b", "Is this a sev 1?"), held("c", "A SEV  1 again?"))
    (finding,) = found(*cases)
    assert (finding.kind, finding.ids) == ("synonym", ("b", "c"))
    assert finding.sentence == "The synonym 'sev 1' for 'Priority 1' occurs in questions of the test alone."


def test_a_synonym_that_a_dev_question_uses_leaks_nothing_nor_does_one_inside_another_word() -> None:
    assert kinds(dev("a", "What is a sev 1 here?"), held("b", "Is this a sev 1?")) == []
    assert kinds(held("b", "Is this a sev 12?")) == []


def test_a_synonym_in_an_earlier_turn_counts_as_one_in_the_question() -> None:
    assert kinds(Case("b", "And now?", history=("My PTO?",), split="test")) == [("synonym", ("b",))]


def test_a_question_may_not_be_in_two_splits_however_it_is_typed() -> None:
    assert kinds(dev("a", "Who  pays?"), held("b", "who pays")) == [("question", ("a", "b"))]
    assert kinds(dev("a", "Who pays?"), dev("b", "who pays")) == []


def test_a_follow_up_is_the_same_question_only_after_the_same_turns() -> None:
    one = Case("a", "And there?", history=("Who pays in Ohio?",), split="dev")
    assert kinds(one, Case("b", "And there?", history=("How long does it take?",), split="test")) == []
    assert kinds(one, Case("b", "and there", history=("who pays in ohio",), split="test")) == [("question", ("a", "b"))]


def test_the_wordings_of_one_fact_stay_in_one_split() -> None:
    assert kinds(dev("a", "Who pays?", group="g"), held("b", "Whose money?", group="g")) == [("group", ("a", "b"))]
    assert kinds(dev("a", "Who pays?", group="g"), dev("b", "Whose money?", group="g")) == []


def test_eight_terms_of_ten_in_common_are_a_near_duplicate_and_seven_of_nine_are_none() -> None:
    ten = "a b c d e f g h i j"
    assert kinds(dev("a", "a b c d e f g h"), held("b", ten)) == [("near-duplicate", ("a", "b"))]
    assert kinds(dev("a", "a b c d e f g"), held("b", "a b c d e f g h i")) == []
    assert kinds(dev("a", "j i h g f e d c b a"), held("b", ten)) == [("near-duplicate", ("a", "b"))]


def test_cases_without_a_split_are_compared_with_none() -> None:
    assert kinds(Case("a", "A sev 1?", group="g"), held("b", "No sev 2?", group="g")) == []


@given(
    st.lists(
        st.tuples(st.sampled_from(["dev", "test"]), st.sets(st.sampled_from("abcdefghijklmnop"), min_size=8)),
        max_size=12,
    )
)
@hypothesis_settings(max_examples=60)
def test_every_pair_of_near_duplicates_is_found(drawn: list[tuple[str, set[str]]]) -> None:
    cases = [
        Case(f"{n:02}", " ".join(sorted(words, key=lambda w: (ord(w) * (n + 3)) % 17)), split=s)
        for n, (s, words) in enumerate(drawn)
    ]
    pairs = {
        (one.id, other.id)
        for (one, (_, mine)) in zip(cases, drawn, strict=True)
        for (other, (_, theirs)) in zip(cases, drawn, strict=True)
        if one.id < other.id and one.split != other.split and one.question != other.question
        if 10 * len(mine & theirs) >= 8 * len(mine | theirs)
    }
    assert {finding.ids for finding in found(*cases) if finding.kind == "near-duplicate"} == pairs
