"""A fault that is planted where it happens in life is named by the diagnosis: the boundary, the type, and what it takes.

The truth is known because it was planted. `python -m benchmarks faults` does the same with more cases and seeds.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from evidex.diagnosis.diagnose import diagnose
from evidex.diagnosis.verdict import CaseVerdict
from evidex.testing.faults import FAULTS
from evidex.testing.knowledge import Knowledge, knowledge
from evidex.testing.laboratory import Laboratory
from evidex.testing.trials import Trial, is_mended, pair, pairs, trial

CASES = 30
PAIRS = 200


@pytest.fixture(scope="module")
def base() -> Knowledge:
    return knowledge()


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    with Laboratory() as made:
        yield made


@pytest.fixture(scope="module")
def trials(laboratory: Laboratory, base: Knowledge) -> tuple[Trial, ...]:
    """Every kind of fault, planted for up to `CASES` questions."""
    return tuple(trial(laboratory, fault, base, most=CASES) for fault in FAULTS)


def test_enough_kinds_of_faults_show_on_enough_cases(trials: tuple[Trial, ...]) -> None:
    assert sum(len(each.shown) >= CASES for each in trials) >= 14
    assert all(len(each.shown) >= len(each.cases) / 2 for each in trials)


def test_no_failed_case_is_without_a_verdict(trials: tuple[Trial, ...]) -> None:
    assert [(each.fault.name, row.case, row.sentence) for each in trials for row in each.shown if not row.verdict] == []


def test_the_boundary_is_named_in_98_of_100_cases_and_the_type_in_95(trials: tuple[Trial, ...]) -> None:
    named = [(each.fault, row.verdict) for each in trials for row in each.shown if row.verdict is not None]

    boundaries = sum(verdict.boundary.id == fault.boundary for fault, verdict in named)
    types = sum(verdict.type == fault.type for fault, verdict in named)

    assert boundaries >= 0.98 * len(named)
    assert types >= 0.95 * len(named)


def test_every_verdict_names_the_evidence_it_rests_on(trials: tuple[Trial, ...]) -> None:
    assert all(row.verdict.evidence for each in trials for row in each.shown if row.verdict is not None)


def test_a_verdict_takes_two_reruns_at_most_and_none_before_the_answer(trials: tuple[Trial, ...]) -> None:
    reruns = [(row.verdict.boundary.id, len(row.reruns)) for each in trials for row in each.shown if row.verdict]

    assert median(count for _, count in reruns) <= 2
    assert max(count for _, count in reruns) <= 2
    assert {boundary for boundary, count in reruns if count} <= {"B10", "B11", "B12"}


def test_mending_what_was_named_and_nothing_else_makes_95_of_100_cases_of_every_fault_go_as_they_should(
    trials: tuple[Trial, ...], laboratory: Laboratory
) -> None:
    # Of every fault, for one that is never mended would not show among so many.
    for each in trials:
        named = cases_by_boundary(each.shown)
        recovered = sum(len(cases & is_mended(laboratory, each, boundary)) for boundary, cases in named.items())
        assert recovered >= 0.95 * len(each.shown), each.fault.name


def cases_by_boundary(rows: tuple[CaseVerdict, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.verdict is not None:
            found[row.verdict.boundary.id].add(row.case)
    return found


def test_of_two_faults_the_earlier_is_named_and_once_it_is_mended_the_later(
    trials: tuple[Trial, ...], laboratory: Laboratory, base: Knowledge
) -> None:
    every = list(pairs(trials))
    some = random.Random(0).sample(every, PAIRS)

    tried = [pair(laboratory, first.fault, second.fault, base, case) for first, second, case in some]

    assert [each for each in tried if not each.is_right] == []


@pytest.mark.parametrize(
    "name", ["source never ingested", "found too late", "dropped by reranker", "quote not verbatim"]
)
def test_a_verdict_is_the_same_in_any_order_on_two_threads_and_again(trials: tuple[Trial, ...], name: str) -> None:
    planted = next(each for each in trials if each.fault.name == name)
    shuffled = list(planted.cases)
    random.Random(0).shuffle(shuffled)

    assert diagnose(planted.cases, planted.system).rows == planted.rows
    assert diagnose(shuffled, planted.system).rows == planted.rows
    with ThreadPoolExecutor(2) as threads:
        halves = threads.map(lambda cases: diagnose(cases, planted.system).rows, (shuffled[::2], shuffled[1::2]))
        assert sorted((row for half in halves for row in half), key=lambda row: row.case) == list(planted.rows)
