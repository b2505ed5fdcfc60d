"""The sample knowledge base, diagnosed as it is: real parts, real golden cases."""

from __future__ import annotations

from pathlib import Path

import pytest

import evidex
from evidex import sample
from evidex.diagnosis.verdict import Diagnosis
from tests.conftest import NOON

GOLDEN = Path(sample.__file__).parent / "golden" / "dev.jsonl"
CASES = ("company-18", "company-32", "handbook-25", "support-04", "support-05", "support-06", "support-22")


@pytest.fixture(scope="module")
def diagnosis(sample_folder: Path) -> Diagnosis:
    with evidex.open(sample_folder, now=lambda: NOON) as workspace:
        return workspace.diagnose(GOLDEN, cases=CASES)


def test_every_case_has_a_row_and_every_failed_one_a_verdict(diagnosis: Diagnosis) -> None:
    assert [row.case for row in diagnosis.rows] == sorted(CASES)
    assert all((row.verdict is not None) == (row.status == "failed") for row in diagnosis.rows)


def test_every_verdict_links_to_what_the_trace_knows(diagnosis: Diagnosis) -> None:
    assert all(row.verdict.evidence for row in diagnosis.rows if row.verdict is not None)


def test_a_question_without_an_answer_is_rightly_withheld(diagnosis: Diagnosis) -> None:
    (row,) = [row for row in diagnosis.rows if row.case == "support-22"]

    assert row.status == "withheld"
    assert row.verdict is None


def test_verdicts_of_the_generator_are_confirmed_with_at_most_two_reruns(diagnosis: Diagnosis) -> None:
    drafted = [
        row for row in diagnosis.failed if row.verdict and row.verdict.type in ("FALSE_ABSTENTION", "INCOMPLETE")
    ]

    assert drafted
    assert all(row.confirmed and len(row.reruns) <= 2 for row in drafted)
