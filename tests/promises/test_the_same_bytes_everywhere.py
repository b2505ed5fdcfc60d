"""Promise 4, and what a generation's id means: the same inputs give the same bytes in any process, thread count, order."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import evidex
from evidex import new_workspace
from evidex.storage import checksums
from tests.commands import python
from tests.conftest import NOON

QUESTIONS = (
    "What is the refund window in the United States?",
    "What does error E1492 mean?",
    "How do I stop my annual plan from renewing?",
    "wie lange ist die Rückgabefrist",
    "Where can I export my invoices?",
)
MAKE = """\
import sys
from datetime import UTC, datetime
import evidex
from evidex import new_workspace
from evidex.config import FILE_NAME
from pathlib import Path
provider, threads, *questions = sys.argv[1:]
new_workspace.create(Path("kb"), with_sample=True)
toml = Path("kb", FILE_NAME).read_text("utf-8")
before = toml.index("[embedding]"), toml.index("[index]")
method = "late" if provider == "minilm" else "features"
settings = f'[embedding]\\nprovider = "{provider}"\\nthreads = {threads}\\n[reranking]\\nmethod = "{method}"\\n'
Path("kb", FILE_NAME).write_text(toml[: before[0]] + settings + toml[before[1] :], "utf-8")
with evidex.open("kb", now=lambda: datetime(2026, 6, 1, 12, tzinfo=UTC)) as kb:
    kb.ingest("kb/docs")
    kb.publish(kb.build().id)
sys.argv[1:] = ["1", *questions]
"""
ASK = """\
import json, sys
from datetime import UTC, datetime
import evidex
from evidex.encoding import as_json
repeats, *questions = sys.argv[1:]
with evidex.open("kb", now=lambda: datetime(2026, 6, 1, 12, tzinfo=UTC)) as kb:
    for _ in range(int(repeats)):
        found = [kb.explain(question) for question in questions]
        print(json.dumps([as_json([one.ledger, one.answer]) for one in found]))
"""
ENVIRONMENTS: tuple[dict[str, str], ...] = (
    {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
    {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "PYTHONHASHSEED": "12345"},
)


def said(script: str, *words: str, at: Path, **variables: str) -> list[str]:
    """The lines that a script prints in a process of its own."""
    at.mkdir(exist_ok=True)
    process = python(script, *words, at=at, **variables)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.splitlines()


@pytest.mark.parametrize("provider", ["lsa", "minilm"])
def test_two_processes_with_other_threads_and_hash_seeds_make_the_same_files_and_answers(
    provider: str, tmp_path: Path
) -> None:
    if provider == "minilm" and not new_workspace.local_model_installed():
        pytest.skip("the extra 'local' is not installed")
    made: list[tuple[dict[str, str], list[str]]] = []
    for number, variables in enumerate(ENVIRONMENTS, start=1):
        folder = tmp_path / str(number)
        answers = said(MAKE + ASK, provider, str(number), *QUESTIONS, at=folder, **variables)
        made.append((dict(checksums(folder / "kb" / ".evidex" / "generations")), answers))

    assert made[0] == made[1]


def test_the_ranking_is_the_same_in_twenty_repeats_in_three_processes(at_once: Any, tmp_path: Path) -> None:
    folder, (id, _) = at_once
    shutil.copytree(folder, tmp_path / "kb")
    with evidex.open(tmp_path / "kb", now=lambda: NOON) as workspace:
        workspace.publish(id)

    lines = [
        line
        for variables in (*ENVIRONMENTS, {"PYTHONHASHSEED": "7"})
        for line in said(ASK, "20", *QUESTIONS[:3], at=tmp_path, **variables)
    ]

    assert len(lines) == 20 * 3
    assert len(set(lines)) == 1
    assert all(ledger for ledger, _ in json.loads(lines[0]))


def sealed(folder: Path, batches: Sequence[Sequence[Path]]) -> tuple[str, dict[str, str]]:
    """The id and the checksums of what a build makes of documents that were ingested in these batches."""
    with evidex.open(folder, now=lambda: NOON) as workspace:
        for batch in batches:
            assert workspace.ingest(*batch).failures == ()
        id = workspace.build().id
    return id, dict(checksums(folder / ".evidex" / "generations" / id))


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[str, dict[str, str]]]:
    """The sample under LSA, ingested by its folder."""
    folder = tmp_path_factory.mktemp("at-once") / "kb"
    new_workspace.create(folder, with_sample=True)
    (folder / "evidex.toml").write_text('[embedding]\nprovider = "lsa"\n[index]\nhistory = true\n', "utf-8")
    return folder, sealed(folder, [[folder / "docs"]])


def copied(folder: Path, target: Path) -> Path:
    """The settings and documents of a workspace in another place, with nothing ingested."""
    return shutil.copytree(folder, target, ignore=shutil.ignore_patterns(".evidex"))


def test_files_ingested_one_by_one_in_reverse_make_the_same_generation(at_once: Any, tmp_path: Path) -> None:
    folder, expected = at_once
    copy = copied(folder, tmp_path / "kb")

    files = sorted((copy / "docs").rglob("*.md"), reverse=True)

    assert sealed(copy, [[file] for file in files]) == expected


def test_what_came_and_went_in_between_leaves_no_mark(at_once: Any, tmp_path: Path) -> None:
    folder, expected = at_once
    copy = copied(folder, tmp_path / "kb")
    passing = copy / "docs" / "passing.md"
    passing.write_text("A lynx passes by.", "utf-8")
    sealed(copy, [[copy / "docs"]])
    passing.unlink()

    with evidex.open(copy, now=lambda: NOON) as workspace:
        workspace.ingest(copy / "docs", sync=True)

    assert sealed(copy, []) == expected


def test_a_build_from_a_warm_cache_is_a_build_from_nothing(at_once: Any, tmp_path: Path) -> None:
    folder, expected = at_once
    copy = shutil.copytree(folder, tmp_path / "kb")
    shutil.rmtree(copy / ".evidex" / "generations")

    with evidex.open(copy, now=lambda: NOON) as workspace:
        report = workspace.build()

    assert (report.written, report.embedded) == (True, 0)
    assert dict(checksums(copy / ".evidex" / "generations" / report.id)) == expected[1]


def test_a_second_build_in_another_place_and_at_another_time_of_day_is_the_same(at_once: Any, tmp_path: Path) -> None:
    folder, expected = at_once
    copy = copied(folder, tmp_path / "elsewhere")

    with evidex.open(copy, now=lambda: NOON.replace(hour=23)) as workspace:
        workspace.ingest(copy / "docs")
        id = workspace.build().id

    assert (id, dict(checksums(copy / ".evidex" / "generations" / id))) == expected
