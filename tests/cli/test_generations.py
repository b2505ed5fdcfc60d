"""`build`, `publish`, `rollback` and `generations`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Done

Run = Callable[..., Done]


@pytest.fixture
def ids(run_in: Run) -> list[str]:
    return [row["id"] for row in run_in("generations", "--json").json["generations"]]


def live(run_in: Run) -> list[str]:
    return [row["id"] for row in run_in("generations", "--json").json["generations"] if row["aliases"] == ["live"]]


def test_build_says_whether_there_was_anything_to_do(run_in: Run, kb: Path, ids: list[str]) -> None:
    again = run_in("build").out
    (kb / "docs" / "tea.md").write_text("Tea is served at four.", "utf-8")
    run_in("ingest", "docs")
    anew = run_in("build").out

    assert again.startswith(f"Generation {ids[1][:12]} is there already, nothing has changed: 4 documents, 4 chunks.\n")
    assert " is built: 5 documents, 5 chunks.\n" in anew


def test_a_build_alone_changes_no_answer(run_in: Run, kb: Path, ids: list[str]) -> None:
    (kb / "docs" / "tea.md").write_text("Tea is served at four.", "utf-8")
    run_in("ingest", "docs")
    run_in("build")

    assert live(run_in) == [ids[1]]
    assert "docs/tea.md" not in run_in("search", "tea").out


def test_publish_takes_the_newest_or_the_start_of_an_id(run_in: Run, ids: list[str]) -> None:
    named = run_in("publish", ids[0][:8])
    assert live(run_in) == [ids[0]]
    newest = run_in("publish")
    assert live(run_in) == [ids[1]]

    assert named.out == f"live is now generation {ids[0][:12]} (publish).\n"
    assert newest.out == f"live is now generation {ids[1][:12]} (publish).\n"


def test_a_start_that_fits_several_generations_names_none(run_in: Run) -> None:
    assert run_in("publish", "").code == 2
    assert run_in("publish", "").sentence == "2 generations start with ''. List them: evidex generations"


def test_rollback_goes_back_step_by_step_and_then_says_that_it_cannot(run_in: Run, ids: list[str]) -> None:
    back = run_in("rollback")
    further = run_in("rollback")

    assert back.out == f"live is now generation {ids[0][:12]} (rollback).\n"
    assert live(run_in) == [ids[0]]
    assert further.code == 3
    assert further.sentence.startswith("There is no earlier generation to roll back to.")


def test_generations_tells_which_is_live(run_in: Run, ids: list[str]) -> None:
    heading, first, second = run_in("generations").out.splitlines()

    assert heading.split() == ["generation", "built", "at", "documents", "chunks", "aliases"]
    assert first.split()[0] == ids[0][:12] and not first.rstrip().endswith("live")
    assert second.split()[0] == ids[1][:12] and second.rstrip().endswith("live")


def test_a_damaged_generation_is_never_published(run_in: Run, kb: Path, ids: list[str]) -> None:
    (kb / ".evidex" / "generations" / ids[0] / "chunks" / "texts.bin").write_bytes(b"")

    for words in (("publish", ids[0]), ("rollback",)):
        done = run_in(*words)
        assert done.code == 3
        assert ids[0][:12] in done.sentence and "texts.bin" in done.sentence
    assert live(run_in) == [ids[1]]
