from __future__ import annotations

import math
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from evidex.analysis.analyzer import make_analyzer
from evidex.config import AnalysisSettings, read_settings
from evidex.evaluation.golden import read_golden
from evidex.evaluation.leakage import leakage
from evidex.grounding.locate import places
from evidex.new_workspace import create
from evidex.query.understand import Synonyms, read_synonyms
from evidex.types import Case, Metadata, Principal, SourceItem

CATEGORIES = {
    "access",
    "conflicting-versions",
    "follow-up",
    "identifiers",
    "language",
    "missing-answer",
    "multi-hop",
    "near-duplicate",
    "paraphrase",
    "table",
    "temporal",
}
Cases = tuple[Case, ...]


@pytest.fixture(scope="session")
def users(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Principal]:
    workspace: Path = tmp_path_factory.mktemp("sample") / "workspace"
    create(workspace, with_sample=True)
    settings = read_settings(workspace / "evidex.toml", {})
    return {name: Principal(user.tenant, name, frozenset(user.groups)) for name, user in settings.access.users.items()}


def asker(case: Case, users: dict[str, Principal]) -> Principal:
    return users[case.user] if case.user is not None else Principal()


def day(case: Case, latest: date) -> date:
    return case.as_of or latest


def wording(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.casefold()))


def test_dev_has_21_answerable_questions_on_the_support_pages_and_at_least_four_without_an_answer(dev: Cases) -> None:
    support = [case for case in dev if case.id.startswith("support-")][:25]
    assert [case.answerable for case in support] == [True] * 21 + [False] * 4


def test_test_has_at_least_200_answerable_questions_and_100_without_an_answer(test: Cases) -> None:
    answerable = Counter(case.answerable for case in test)
    assert answerable[True] >= 200
    assert answerable[False] >= 100


def test_a_case_says_its_split_and_its_category(dev: Cases, test: Cases) -> None:
    for split, cases in (("dev", dev), ("test", test)):
        assert {case.split for case in cases} == {split}
        assert {case.category for case in cases} == CATEGORIES


def test_the_wordings_of_one_fact_are_a_group_and_share_their_evidence(test: Cases) -> None:
    for case in test:
        assert case.group == case.id.rpartition("-")[0]
        assert case.evidence == next(other for other in test if other.group == case.group).evidence, case.id


def test_no_two_cases_share_an_id(dev: Cases, test: Cases) -> None:
    ids = [case.id for case in [*dev, *test]]
    assert len(ids) == len(set(ids))


def test_no_question_of_test_is_asked_in_dev(dev: Cases, test: Cases) -> None:
    assert {wording(case.question) for case in dev}.isdisjoint(wording(case.question) for case in test)


def test_nothing_leaks_from_dev_into_test(sample: Path) -> None:
    synonyms = read_synonyms(sample / "synonyms.toml").replacements
    alone = {phrase: Synonyms.of("1", {phrase: replacement}) for phrase, replacement in synonyms.items()}
    found = leakage(
        read_golden(sample / "golden"),
        synonyms,
        exercises=lambda text: frozenset(phrase for phrase, one in alone.items() if one.apply(text) != text),
        terms=make_analyzer(AnalysisSettings()).terms,
    )
    assert [finding.sentence for finding in found] == []


def test_no_question_is_asked_twice_by_the_same_asker_on_the_same_day_after_the_same_turns(
    dev: Cases, test: Cases
) -> None:
    asked = [(wording(case.question), case.user, case.as_of, *case.history) for case in dev + test]
    assert [question for question, count in Counter(asked).items() if count > 1] == []


def test_a_quote_stands_word_for_word_and_once_in_one_line_of_its_document(
    dev: Cases, test: Cases, pages: tuple[SourceItem, ...]
) -> None:
    bodies = {page.metadata.id: page.content.decode() for page in pages}
    for case in [*dev, *test]:
        for evidence in case.evidence:
            body = bodies[evidence.document]
            assert evidence.quote in body
            assert len(list(places(evidence.quote, body, 0, len(body)))) == 1, case.id
            assert "\n" not in evidence.quote
            assert evidence.grade in (1, 2, 3)


def test_what_answers_a_question_is_in_force_and_its_asker_may_read_it(
    dev: Cases, test: Cases, pages: tuple[SourceItem, ...], users: dict[str, Principal], latest: date
) -> None:
    metadata: dict[str, Metadata] = {page.metadata.id: page.metadata for page in pages}
    for case in [*dev, *test]:
        for evidence in case.evidence:
            document = metadata[evidence.document]
            assert document.in_force(day(case, latest)), case.id
            assert asker(case, users).may_read(document), case.id


def test_what_is_withheld_is_what_its_asker_may_not_read_and_every_hidden_answer_names_it(
    dev: Cases, test: Cases, pages: tuple[SourceItem, ...], users: dict[str, Principal]
) -> None:
    metadata: dict[str, Metadata] = {page.metadata.id: page.metadata for page in pages}
    for case in [*dev, *test]:
        assert not any(asker(case, users).may_read(metadata[document]) for document in case.withheld), case.id
        if case.category == "access" and not case.answerable:
            assert case.withheld, case.id


def test_an_answerable_question_has_an_answer_and_a_document_that_holds_it_and_no_other_question_has(
    dev: Cases, test: Cases
) -> None:
    for case in [*dev, *test]:
        assert bool(case.evidence) == bool(case.answer) == case.answerable, case.id
        if case.answerable:
            assert max(evidence.grade for evidence in case.evidence) == 3, case.id


def test_a_document_is_judged_once_in_a_case(dev: Cases, test: Cases) -> None:
    for case in [*dev, *test]:
        documents = [evidence.document for evidence in case.evidence]
        assert len(documents) == len(set(documents)), case.id


def test_only_a_case_that_needs_earlier_turns_has_them(dev: Cases, test: Cases) -> None:
    for case in [*dev, *test]:
        assert (case.category == "follow-up") == bool(case.history), case.id


def test_some_questions_have_several_documents_of_differing_grades(dev: Cases, test: Cases) -> None:
    for cases in (dev, test):
        graded = [case for case in cases if len({evidence.grade for evidence in case.evidence}) > 1]
        assert len(graded) >= 3


def test_the_same_question_is_answered_for_one_asker_and_not_for_another(dev: Cases, test: Cases) -> None:
    for cases in (dev, test):
        answered = {case.question for case in cases if case.category == "access" and case.answerable}
        withheld = {case.question for case in cases if case.category == "access" and not case.answerable}
        assert answered & withheld


def test_questions_without_an_answer_come_from_what_is_absent_hidden_and_no_longer_in_force(
    dev: Cases, test: Cases
) -> None:
    for cases in (dev, test):
        kinds = {case.category for case in cases if not case.answerable}
        assert kinds >= {"missing-answer", "access", "conflicting-versions"}


def test_a_threshold_on_lexical_support_cannot_tell_every_answerable_question_from_the_others(
    dev: Cases, pages: tuple[SourceItem, ...], latest: date
) -> None:
    """Support is the largest sum of inverse document frequencies that a question shares with one page."""
    analyzer = make_analyzer(AnalysisSettings())
    support_pages = [page for page in pages if page.locator.startswith("support/") and page.metadata.in_force(latest)]
    terms = [frozenset(analyzer.terms(f"{page.metadata.title}\n{page.content.decode()}")) for page in support_pages]
    frequency = Counter(term for page in terms for term in page)
    idf = {term: math.log(1 + (len(terms) - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}

    def support(case: Case) -> float:
        asked = frozenset(analyzer.terms(" ".join([*case.history, case.question])))
        return max(round(math.fsum(idf[term] for term in asked & page), 9) for page in terms)

    cases = [case for case in dev if case.id.startswith("support-")]
    without_answer = {support(case) for case in cases if not case.answerable} - {0.0}
    tied = [case.id for case in cases if case.answerable and support(case) in without_answer]
    assert len(tied) >= 2
