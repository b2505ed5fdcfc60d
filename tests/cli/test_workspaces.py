"""`init`, `config show` and `doctor`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from evidex.config import Settings, explained
from tests.commands import Done, evidex

Run = Callable[..., Done]


def test_init_makes_a_workspace_that_takes_documents_at_once(tmp_path: Path) -> None:
    made = evidex("init", "kb", at=tmp_path)
    (tmp_path / "kb" / "a.md").write_text("Tea is served at four.", "utf-8")

    assert made.code == 0
    assert made.out.startswith("Workspace kb is ready.\n")
    assert evidex("ingest", "a.md", at=tmp_path / "kb").out.startswith("1 added\n")


def test_init_says_what_was_chosen_and_what_comes_next(tmp_path: Path) -> None:
    closed = evidex("init", "closed", at=tmp_path).out
    opened = evidex("init", "opened", "--open", at=tmp_path).out

    assert "Access: enforced." in closed and "Access: open." in opened
    assert 'mode = "open"' in (tmp_path / "opened" / "evidex.toml").read_text("utf-8")
    assert [line.strip() for line in closed.splitlines()[-4:]] == [
        "evidex ingest YOUR-DOCUMENTS --sync",
        "evidex build",
        "evidex publish",
        'evidex ask "…"',
    ]


def test_init_overwrites_nothing(kb: Path, tmp_path: Path) -> None:
    before = (kb / "evidex.toml").read_text("utf-8")
    (tmp_path / "file").write_text("mine", "utf-8")

    over = evidex("init", at=kb)
    onto = evidex("init", "file", at=tmp_path)

    assert (over.code, onto.code) == (2, 2)
    assert "is there already" in over.sentence and "is a file" in onto.sentence
    assert (kb / "evidex.toml").read_text("utf-8") == before
    assert (tmp_path / "file").read_text("utf-8") == "mine"


def test_config_show_prints_every_setting_with_the_value_in_force(run_in: Run) -> None:
    shown = {row["name"]: row for row in run_in("config", "show", "--json").json["settings"]}

    assert list(shown) == [row.name for row in explained(Settings())]
    assert (shown["index.history"]["value"], shown["index.history"]["default"]) == (True, False)
    printed = run_in("config", "show").out
    assert [name for name in shown if name not in printed] == []


def test_doctor_says_when_nothing_is_wrong(run_in: Run) -> None:
    done = run_in("doctor")

    assert (done.code, done.out) == (0, "Nothing is wrong.\n")


def test_doctor_lists_what_is_wrong_with_the_worst_first(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "empty.md").write_text("", "utf-8")
    run_in("ingest", "docs")
    for part in (kb / ".evidex" / "generations").glob("*/dense/vectors.bin"):
        part.write_bytes(part.read_bytes()[:-1])

    done = run_in("doctor")

    severities = [line.split()[0] for line in done.out.splitlines()[1:] if not line.startswith(" ")]
    assert done.code == 1
    assert severities == ["error", "warning"]
    assert "dense/vectors.bin" in done.out and "docs/empty.md" in done.out
