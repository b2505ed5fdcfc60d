"""`ingest`, `documents` and `show`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Done

Run = Callable[..., Done]


def test_ingest_counts_the_outcomes_and_shows_what_failed(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "empty.md").write_text("", "utf-8")
    (kb / "docs" / "tea.md").write_text("Tea is served at four.", "utf-8")

    done = run_in("ingest", "docs")

    failed, reason, counts, *_ = done.out.splitlines()
    assert done.code == 0
    assert failed == "failed  docs/empty.md"
    assert reason.strip() == "The text is empty. Remove the document, or give it a text."
    assert counts == "1 added, 1 failed, 4 unchanged"


def test_of_many_failures_the_first_are_shown_and_json_holds_all(run_in: Run, kb: Path) -> None:
    for number in range(25):
        (kb / "docs" / f"empty-{number:02}.md").write_text("", "utf-8")

    shown = run_in("ingest", "docs").out
    rows = run_in("ingest", "docs", "--json").json["rows"]

    assert shown.count("failed  docs/empty-") == 20
    assert "… and 5 more failures (--json lists all)" in shown
    assert sum(row["outcome"] == "failed" for row in rows) == 25


def test_only_sync_removes_what_vanished(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "gateway.md").unlink()

    assert run_in("ingest", "docs").out == "3 unchanged\n"
    assert run_in("ingest", "docs", "--sync").out == "1 removed, 3 unchanged\n"
    assert run_in("show", "gateway.md").code == 2


def test_documents_lists_every_version_and_whether_it_is_in_force(run_in: Run) -> None:
    heading, *rows = run_in("documents").out.splitlines()

    assert heading.split() == ["document", "version", "state", "from", "to", "tenant", "readers", "title"]
    assert [row.split()[0] for row in rows] == ["docs/gateway.md", "refund-2", "refund-3", "salaries"]
    assert "in force" not in rows[1] and "2025-01-01" in rows[1]
    assert "in force" in rows[2] and "2025-01-01" in rows[2]


@pytest.mark.parametrize(
    ("asker", "sees"), [(("--as", "ann"), True), (("--tenant", "default"), False), (("--tenant", "other"), None)]
)
def test_a_reader_lists_and_is_shown_only_what_they_may_read(
    run_in: Run, asker: tuple[str, str], sees: bool | None
) -> None:
    listed = [row["metadata"]["id"] for row in run_in("documents", *asker, "--json").json["documents"]]
    shown = run_in("show", "salaries", *asker)

    assert listed == ([] if sees is None else ["docs/gateway.md", "refund-2", "refund-3", *["salaries"] * sees])
    assert shown.code == (0 if sees else 2)
    assert ("salary band" in shown.out + shown.err) == bool(sees)


def test_show_prints_the_version_in_force_or_the_one_that_is_named(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "next.md").write_text(
        "---\nid: refund-3\nversion: '4'\nfamily: next\neffective_from: 2999-01-01\n---\nSixty days.\n", "utf-8"
    )
    run_in("ingest", "docs")

    assert run_in("show", "refund-3").out.startswith("refund-3, version 3: Refunds\n# Refunds\n\nA customer may")
    assert "Sixty days." in run_in("show", "refund-3", "--version", "4").out
    assert run_in("show", "refund-3", "--version", "5").sentence == (
        "There is no document 'refund-3', version '5', here. List what there is: evidex documents"
    )
