"""What `evidex eval` and `evidex golden` print, and with which code they end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Done, evidex_process

Run = Callable[..., Done]
UNREACHABLE = {
    "EVIDEX_ANSWERING__METHOD": "chat",
    "EVIDEX_ANSWERING__BASE_URL": "http://127.0.0.1:9/v1",
    "EVIDEX_ANSWERING__MODEL": "none",
    "EVIDEX_ANSWERING__RETRIES": "0",
}


def means(done: Done) -> dict[str, dict[str, Any]]:
    return {mean["measure"]: mean for mean in done.json["means"]}


def test_a_run_prints_every_stage_and_who_was_answered(run_in: Run) -> None:
    done = run_in("eval", "run", "golden.jsonl")

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("golden, split all, route answer: 2 questions to generation ")
    for part in ("ranking", "ceilings, stage by stage", "delivered and said", "source:nDCG(exp)@10", "answerable"):
        assert part in done.out


def test_a_measure_may_be_asked_for_alone(run_in: Run) -> None:
    done = run_in("eval", "run", "golden.jsonl", "--measure", "RR@5", "--measure", "fused/fact:R@3", "--json")

    assert list(means(done)) == ["source:RR@5", "fused/fact:R@3"]


def test_a_setting_that_waits_for_a_build_is_not_taken_for_measured(kb: Path, run_in: Run) -> None:
    before = run_in("eval", "run", "golden.jsonl", "--json").json
    settings = {"EVIDEX_CHUNKING__MAX_WORDS": "80", "EVIDEX_INDEX__B": "0.5"}
    done = evidex_process("eval", "run", "golden.jsonl", "--json", at=kb, **settings)

    assert "chunker headings/1(max_words=80) (built with headings/1(max_words=150))" in done.err
    assert "b 0.5 (built with 0.75)" in done.err
    assert done.json["run"] == before["run"]
    assert done.json["settings"]["built"]["chunker"] == "headings/1(max_words=150)"


def test_a_run_is_not_compared_with_itself(run_in: Run) -> None:
    run_in("eval", "run", "golden.jsonl")
    done = run_in("eval", "compare", "latest", "latest")

    assert (done.code, done.out) == (2, "")
    assert "cannot be compared with itself" in done.err


def test_a_dry_run_asks_nothing_and_tells_what_would_be_asked(kb: Path, run_in: Run) -> None:
    before = run_in("eval", "runs", "--json").json["runs"]
    done = evidex_process("eval", "run", "golden.jsonl", "--dry-run", "--json", at=kb, **UNREACHABLE)

    assert done.code == 0
    assert (done.json["questions"], done.json["done"], done.json["generator_calls"]) == (2, 0, 2)
    assert done.json["prompt_tokens"] == 2 * 1500
    assert run_in("eval", "runs", "--json").json["runs"] == before


def test_questions_on_which_a_model_breaks_are_rows_and_the_code_is_1(kb: Path) -> None:
    done = evidex_process("eval", "run", "golden.jsonl", "--json", at=kb, **UNREACHABLE)
    allowed = evidex_process("eval", "run", "golden.jsonl", "--max-failures", "1", "--json", at=kb, **UNREACHABLE)

    assert (done.code, allowed.code) == (1, 0)
    assert {row["case"]: bool(row["error"]) for row in done.json["rows"]}["refund"]
    assert "127.0.0.1" in next(row["error"] for row in done.json["rows"] if row["case"] == "refund")
    found = means(done)
    assert (found["source:R@10"]["mean"], found["source:R@10"]["failed"]) == (1, 0)
    assert (found["TokenF1"]["mean"], found["TokenF1"]["failed"]) == (0, 1)


def test_two_processes_say_the_same(kb: Path) -> None:
    def rows(seed: str) -> Any:
        (kb / ".evidex" / "runs.db").unlink(missing_ok=True)
        report = evidex_process("eval", "run", "golden.jsonl", "--json", at=kb, PYTHONHASHSEED=seed).json
        return {**report, "rows": [{**row, "seconds": []} for row in report["rows"]]}

    assert rows("1") == rows("2")


def test_a_change_that_loses_is_worse_and_the_code_is_1(kb: Path, run_in: Run) -> None:
    question = "Within how many days of purchase may a customer ask for a refund?"
    cases = [
        {"id": f"{n}", "question": question, "answerable": True, "evidence": [{"document": "refund-3"}]}
        for n in range(12)
    ]
    (kb / "many.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    before = run_in("eval", "run", "many.jsonl", "--json").json["run"]
    done = evidex_process("eval", "run", "many.jsonl", at=kb, EVIDEX_CONTEXT__BUDGET_TOKENS="1")
    assert done.code == 0

    compared = run_in("eval", "compare", before, "--measure", "cited/fact:R")

    assert compared.code == 1
    assert "WORSE" in compared.out
    assert "context.budget_tokens: 1500 → 1" in compared.out


def test_runs_over_other_documents_are_compared_only_where_one_insists(kb: Path, run_in: Run) -> None:
    before = run_in("eval", "run", "golden.jsonl", "--json").json["run"]
    (kb / "docs" / "new.md").write_text("# New\n\nSomething new.\n", "utf-8")
    for words in (("ingest", "docs"), ("build",), ("publish",), ("eval", "run", "golden.jsonl")):
        assert run_in(*words).code == 0

    assert "different documents" in run_in("eval", "compare", before).sentence
    assert run_in("eval", "compare", before, "--rebaseline").code == 0


def test_a_page_is_written_that_anyone_may_read(kb: Path, run_in: Run) -> None:
    before = run_in("eval", "runs", "--json").json["runs"][0]["id"]
    assert run_in("eval", "report", "--html", "report.html", "--against", before).code == 0

    page = (kb / "report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "2 questions of split all" in page


def test_the_run_of_another_engine_is_measured_without_a_workspace(tmp_path: Path, kb: Path) -> None:
    done = evidex_process("eval", "score", str(kb / "run.txt"), str(kb / "golden.jsonl"), "--json", at=tmp_path)

    assert done.code == 0
    assert (means(done)["source:RR@10"]["mean"], means(done)["source:P@5"]["mean"]) == (1, 1 / 5)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("refund Q0 a 1 nan x", "line 1"),
        ("refund Q0 a 1 1.0", "line 1"),
        ("refund Q0 a 1 1.0 x\nrefund Q0 a 2 0.5 x", "line 2"),
        ("nobody Q0 a 1 1.0 x", "'nobody', which is no case"),
        ("", "run.txt"),
    ],
)
def test_a_run_that_cannot_be_measured_is_one_sentence(run_in: Run, kb: Path, line: str, sentence: str) -> None:
    (kb / "run.txt").write_text(line, "utf-8")
    done = run_in("eval", "score", "run.txt", "golden.jsonl")

    assert done.code == 2
    assert sentence in done.sentence


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('{"id": "refund", "question": "Again?"}', "'refund'"),
        ('{"id": "x", "question": "?", "evidence": [{"document": "nothing"}]}', "'nothing'"),
        ('{"id": "x", "question": "?", "answerable": false, "evidence": [{"document": "refund-3"}]}', "'x'"),
        ('{"id": "x", "question": "?", "as": "nobody"}', "'nobody'"),
        ('{"id": "x"', "line 3"),
    ],
)
def test_a_golden_set_that_cannot_be_asked_is_one_sentence(run_in: Run, kb: Path, row: str, sentence: str) -> None:
    with (kb / "golden.jsonl").open("a", encoding="utf-8") as file:
        file.write(row + "\n")
    done = run_in("eval", "run", "golden.jsonl")

    assert done.code == 2
    assert sentence in done.sentence


def test_an_empty_split_is_refused_with_those_there_are(run_in: Run) -> None:
    assert "There is dev, test." in run_in("eval", "run", "golden.jsonl", "--split", "final").sentence


def test_a_wrong_answer_becomes_a_case_once_somebody_confirms_it(run_in: Run, kb: Path) -> None:
    asked = run_in("search", "What does E1492 mean?", "--json").json
    trace, document = asked["trace_id"], asked["chunks"][0]["document"]
    added = run_in("golden", "add", "golden.jsonl", "--trace", trace, "--document", document, "--quote", "a timeout")
    assert added.code == 0
    (case,) = [
        json.loads(line) for line in (kb / "golden.proposed.jsonl").read_text("utf-8").splitlines() if "E1492" in line
    ]
    assert run_in("eval", "run", "golden.jsonl", "--json").json["identity"]["split"] == ""
    assert len(run_in("eval", "run", "golden.jsonl", "--json").json["rows"]) == 2

    assert run_in("golden", "confirm", "golden.jsonl", case["id"], "--annotator", "ann").code == 0

    rows = run_in("eval", "run", "golden.jsonl", "--json").json["rows"]
    assert len(rows) == 3
    assert case["id"] in {row["case"] for row in rows}


def test_a_sweep_prints_what_each_choice_gives_and_costs(run_in: Run) -> None:
    done = run_in("eval", "sweep", "golden.jsonl", "--vary", "fusion.method=rrf,convex", "--vary", "index.b=0,0.75")

    assert done.code == 0
    assert "as they are" in done.out and "fusion.method = rrf, index.b = 0" in done.out
    assert "Best on dev: " in done.out


@pytest.mark.parametrize("option", ["fusion.k", "fusion.k=", "fusion.kk=3", "fusion.k=-1", "=3"])
def test_a_choice_that_there_is_not_is_one_sentence(run_in: Run, option: str) -> None:
    assert run_in("eval", "sweep", "golden.jsonl", "--vary", option).code == 2
