"""Verdicts that are confirmed by asking again with what was lost put back."""

from __future__ import annotations

from evidex.diagnosis.diagnose import diagnose_case
from evidex.types import ChunkId, Context, Draft, Fall
from tests.diagnosis.told import Line, Page, case, first_sentence, passage, system

WORDS = "Refunds are paid within 45 days."
PAGES = (Page("policy", WORDS), *(Page(f"n-{n}", f"Refunds are slow, says number {n}.") for n in range(2)))
OTHERS = tuple(f"n-{n}@1#0" for n in range(2))
QUESTION = case("When are refunds paid?", WORDS)
DROPPED = Line(reranked=(*OTHERS, "policy@1#0"))


def test_nothing_is_asked_again_before_the_decision_unless_that_is_wanted() -> None:
    found = diagnose_case(QUESTION, system(PAGES, DROPPED))

    assert (found.reruns, found.confirmed) == ((), None)


def test_a_dropped_passage_put_first_passes_in_one_rerun() -> None:
    found = diagnose_case(QUESTION, system(PAGES, DROPPED), confirm=True)

    assert found.verdict is not None
    assert found.verdict.type == "RERANKER_DROP"
    assert [rerun.passed for rerun in found.reruns] == [True]
    assert found.confirmed


def test_an_evicted_passage_passes_without_a_budget() -> None:
    line = Line(passages=(passage(PAGES[1].chunks[0]),), evicted=(Fall(ChunkId("policy@1#0"), "no room"),))
    found = diagnose_case(QUESTION, system(PAGES, line), confirm=True)

    assert found.confirmed
    assert found.reruns[0].substituted == "a context without a budget"


def test_a_generator_that_is_right_with_the_evidence_alone_needs_one_rerun() -> None:
    def distracted(context: Context) -> Draft:
        return Draft(abstention="too much") if len(context.passages) > 1 else first_sentence(context)

    found = diagnose_case(QUESTION, system(PAGES, Line(say=distracted)))

    assert [rerun.passed for rerun in found.reruns] == [True]


def test_one_that_never_is_needs_a_second_with_the_answer_given() -> None:
    found = diagnose_case(QUESTION, system(PAGES, Line(say=lambda _: Draft(abstention="no"))))

    assert [(rerun.passed, rerun.reached) for rerun in found.reruns] == [(False, "B10"), (True, "")]
    assert found.confirmed


def test_what_fails_at_a_later_boundary_is_confirmed_all_the_same() -> None:
    line = Line(reranked=DROPPED.reranked, say=lambda _: Draft(abstention="no"))
    found = diagnose_case(QUESTION, system(PAGES, line), confirm=True)

    assert found.verdict is not None
    assert found.verdict.boundary.id == "B8"
    assert [rerun.reached for rerun in found.reruns] == ["B10"]
    assert found.confirmed


def test_what_even_the_right_answer_does_not_mend_is_not_confirmed() -> None:
    line = Line(say=lambda _: Draft(abstention="no"), revoked=True)
    found = diagnose_case(QUESTION, system(PAGES, line))

    assert found.verdict is not None
    assert found.verdict.type == "FALSE_ABSTENTION"
    assert [rerun.reached for rerun in found.reruns] == ["B10", "B12"]


def test_what_is_not_there_is_not_asked_again() -> None:
    found = diagnose_case(QUESTION, system(PAGES[1:]), confirm=True)

    assert (found.reruns, found.confirmed) == ((), None)
