"""How results are printed: as they are, harmless, and in a pipe without anything but the result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Done, evidex_process, shell

Run = Callable[..., Done]
HOSTILE = "The lynx hunts at dusk \x1b[31m\x9b1m\x08. " + "It is shy. " * 60


def test_in_a_pipe_there_is_no_progress_and_no_escape_code(kb: Path) -> None:
    (kb / "docs" / "lynx.md").write_text("The lynx hunts at dusk.", "utf-8")

    for words in (("ingest", "docs"), ("build",), ("explain", "Within how many days may a customer ask?")):
        done = evidex_process(*words, at=kb)

        assert (done.code, done.err) == (0, "")
        assert "\x1b" not in done.out and "\r" not in done.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_a_pipe_cannot_show_is_spelled_out_and_no_error(run_in: Run, kb: Path, encoding: str) -> None:
    (kb / "docs" / "ja.md").write_text("返品は三十日以内にお願いします。", "utf-8")
    for words in (("ingest", "docs"), ("build",), ("publish",)):
        run_in(*words)

    done = evidex_process("search", "返品", at=kb, PYTHONIOENCODING=encoding)

    assert (done.code, done.err) == (0, "")
    assert "docs/ja.md" in done.out


def test_no_document_can_steer_the_terminal(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "lynx.md").write_text(f'---\ntitle: "a \\e[2J title"\n---\n{HOSTILE}', "utf-8")
    for words in (("ingest", "docs"), ("build",), ("publish",)):
        assert run_in(*words).code == 0

    for words in (
        ("documents",),
        ("show", "docs/lynx.md"),
        ("search", "lynx"),
        ("ask", "When does the lynx hunt?"),
        ("explain", "When does the lynx hunt?"),
    ):
        printed = run_in(*words).out
        assert "lynx" in printed
        assert [c for c in printed if c != "\n" and not c.isprintable()] == []


def test_json_holds_the_text_as_it_is(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "lynx.md").write_text(HOSTILE, "utf-8")
    run_in("ingest", "docs")

    assert run_in("show", "docs/lynx.md", "--json").json["parsed"]["text"] == HOSTILE


def test_long_cells_leave_every_column_its_place(run_in: Run, kb: Path) -> None:
    (kb / "docs" / f"{'long-' * 20}name.md").write_text("The lynx hunts at dusk. " * 30, "utf-8")
    for words in (("ingest", "docs"), ("build",), ("publish",)):
        run_in(*words)

    heading, first = run_in("search", "lynx").out.splitlines()[:2]

    assert heading.split() == ["#", "sparse", "dense", "fused", "reranker", "reranked", "document", "passage"]
    assert first.split()[:5] == ["1"] * 5
    assert "The lynx" in first


def test_a_reader_that_goes_away_early_is_no_traceback(kb: Path) -> None:
    done = shell("$EVIDEX config show | head -n 1", at=kb)

    assert done.out.startswith("setting")
    assert done.err == ""
