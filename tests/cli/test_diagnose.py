"""`diagnose` and `why` as a user runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import QUESTION
from tests.commands import Done

Run = Callable[..., Done]

CASES = (
    {
        "id": "passes",
        "question": QUESTION,
        "answerable": True,
        "evidence": [{"document": "refund-3", "quote": "within 45 days of purchase"}],
    },
    {
        "id": "secret",
        "category": "access",
        "question": "When is a salary band reviewed?",
        "answerable": True,
        "evidence": [{"document": "salaries", "quote": "reviewed every March"}],
    },
    {
        "id": "nowhere",
        "category": "access",
        "question": "Who plays chess?",
        "answerable": True,
        "evidence": [{"document": "chess", "quote": "Everybody plays chess."}],
    },
)


@pytest.fixture
def golden(kb: Path) -> str:
    (kb / "cases.jsonl").write_text("\n".join(map(json.dumps, CASES)), "utf-8")
    return "cases.jsonl"


def test_a_diagnosis_says_what_to_fix_first_and_where_each_case_failed(run_in: Run, golden: str) -> None:
    done = run_in("diagnose", golden)

    assert done.code == 1
    assert done.out.startswith("3 cases: 1 passed, 2 failed\n")
    assert "Fix first   B0 AUTHORITY, SOURCE_MISSING: 1 case lost here first. Owner: content owner." in done.out
    assert "ACCESS_NARROWED" in done.out
    assert "access" in done.out.split("failed, by category")[1]


def test_a_diagnosis_without_a_failure_exits_with_0(run_in: Run, golden: str) -> None:
    assert run_in("diagnose", golden, "--case", "passes").code == 0


def test_a_case_reads_like_a_story(run_in: Run, golden: str) -> None:
    done = run_in("diagnose", golden, "--case", "secret")
    told = [line.split(maxsplit=1)[0] for line in done.out.splitlines() if line.strip() and not line.startswith(" ")]

    assert told[:3] == ["Case", "Question", "Expected"]
    assert told[-3:] == ["Verdict", "Owner", "Try"]
    assert "✗ B0 AUTHORITY" in done.out
    assert "salaries v1 is not readable by this asker (readers: hr)" in " ".join(done.out.split())


def test_categories_narrow_the_cases(run_in: Run, golden: str) -> None:
    assert run_in("diagnose", golden, "--category", "access").out.startswith("2 cases: 2 failed\n")


def test_a_diagnosis_as_json_holds_every_row(run_in: Run, golden: str) -> None:
    found = run_in("diagnose", golden, "--json").json

    assert found["schema"] == "evidex.diagnosis/1"
    assert [(row["case"], row["status"]) for row in found["rows"]] == [
        ("nowhere", "failed"),
        ("passes", "passed"),
        ("secret", "failed"),
    ]
    assert found["boundaries"] == {"B0": 2}


def test_why_follows_the_words_that_were_expected(run_in: Run) -> None:
    passed = run_in("why", QUESTION, "--expected", "within 45 days of purchase")
    lost = run_in("why", "When is a salary band reviewed?", "--expected", "reviewed every March")
    readable = run_in("why", "When is a salary band reviewed?", "--expected", "reviewed every March", "--as", "ann")

    assert (passed.code, lost.code, readable.code) == (0, 1, 0)
    assert "Passed" in passed.out
    assert "ACCESS_NARROWED" in lost.out


def test_why_says_when_the_words_stand_nowhere_or_have_been_replaced(run_in: Run) -> None:
    assert "SOURCE_MISSING" in run_in("why", QUESTION, "--expected", "within 99 days of purchase").out
    assert "refund-3 v3 took its place" in run_in("why", QUESTION, "--expected", "within 30 days of purchase").out


def test_why_as_json_is_one_case(run_in: Run) -> None:
    found = run_in("why", QUESTION, "--expected", "within 45 days", "--document", "gateway.md", "--json").json

    assert found["verdict"]["boundary"] == {"id": "B0", "name": "AUTHORITY"}
    assert "why" in found["verdict"]["case"]


def test_a_case_that_the_golden_set_does_not_have_is_a_sentence(run_in: Run, golden: str) -> None:
    done = run_in("diagnose", golden, "--case", "nobody")

    assert done.code == 2
    assert "nobody" in done.sentence


@pytest.mark.parametrize(("question", "expected"), [("", "45 days"), ("How long?", " ")])
def test_an_empty_question_or_quote_is_one_sentence(run_in: Callable[..., Done], question: str, expected: str) -> None:
    done = run_in("why", question, "--expected", expected)

    assert done.code == 2
    assert " is empty. " in done.sentence
