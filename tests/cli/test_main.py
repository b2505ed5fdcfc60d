"""Every command: its help, its exit code, and what an error looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from evidex.cli.main import main
from tests.commands import Done, evidex, evidex_process

Run = Callable[..., Done]


def commands(group: click.Group, above: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in sorted(group.commands.items()):
        yield f"{above}{name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{above}{name} ")


COMMANDS = dict(commands(main))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_every_option_says_what_it_does(name: str) -> None:
    command = COMMANDS[name]
    options = {o.name: o.help or "" for o in command.params if isinstance(o, click.Option)}
    arguments = [a.human_readable_name for a in command.params if isinstance(a, click.Argument)]

    assert command.help and command.help.rstrip().endswith(".")
    assert [option for option, text in options.items() if not text.endswith(".")] == []
    assert [argument for argument in arguments if argument not in " ".join([command.help, *options.values()])] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_printed_and_is_no_failure(name: str, tmp_path: Path) -> None:
    for option in ("-h", "--help"):
        done = evidex(*name.split(), option, at=tmp_path)

        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"Usage: evidex {name} ")


def test_without_a_command_the_help_is_shown_and_nothing_was_done(tmp_path: Path) -> None:
    done = evidex(at=tmp_path)

    assert done.code == 2
    assert "Commands:" in done.out + done.err


def test_an_answer_is_0_and_a_withheld_answer_1(run_in: Run) -> None:
    assert run_in("ask", "Within how many days of purchase may a customer ask for a refund?").code == 0
    assert run_in("ask", "Who won the chess tournament?").code == 1
    assert run_in("ask", "Who won the chess tournament?", "--json").code == 1


def test_the_exit_code_of_a_process_is_that_of_its_command(kb: Path) -> None:
    assert evidex_process("ask", "Who won the chess tournament?", at=kb).code == 1


def test_an_error_that_the_doctor_finds_is_1_and_a_warning_0(run_in: Run, kb: Path) -> None:
    (kb / "docs" / "empty.md").write_text("", "utf-8")
    run_in("ingest", "docs")
    warned = run_in("doctor", "--json")
    damaged = next((kb / ".evidex" / "generations").glob("*/sparse/part.json"))
    for part in (kb / ".evidex" / "generations").glob("*/sparse/part.json"):
        part.write_bytes(b"{}")
    broken = run_in("doctor", "--json")

    assert warned.code == 0
    assert [finding["severity"] for finding in warned.json["findings"]] == ["warning"]
    assert damaged.read_bytes() == b"{}"
    assert broken.code == 1
    assert [finding["severity"] for finding in broken.json["findings"]] == ["error", "warning"]


@pytest.mark.parametrize(
    "words",
    [
        ("ask",),
        ("ask", "refund", "--nonsense"),
        ("nonsense",),
        ("config", "nonsense"),
        ("search", "refund", "-k", "0"),
        ("search", "refund", "--limit", "many"),
        ("ask", "refund", "--as-of", "2026-02-30"),
        ("ask", "refund", "--as-of", "yesterday"),
        ("ingest",),
    ],
    ids=" ".join,
)
def test_a_command_that_is_put_wrongly_is_2_with_the_way_to_its_help(run_in: Run, words: tuple[str, ...]) -> None:
    done = run_in(*words)

    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert "Usage: evidex" in done.err and "--help" in done.err
    assert done.err.splitlines()[-1].startswith("Error: ")


@pytest.mark.parametrize("place", [".", "docs", "docs/deep/down", ".evidex"])
def test_the_workspace_is_found_from_every_folder_below_it(run_in: Run, kb: Path, place: str) -> None:
    (kb / place).mkdir(parents=True, exist_ok=True)

    here = evidex("documents", "--json", at=kb / place)

    assert here.code == 0
    assert here.out == run_in("documents", "--json").out


def test_a_workspace_can_be_named_from_elsewhere(run_in: Run, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()

    named = evidex("documents", "--json", "--workspace", str(kb / "docs"), at=tmp_path / "elsewhere")

    assert named.out == run_in("documents", "--json").out


def test_paths_are_those_of_the_folder_in_which_the_command_runs(kb: Path) -> None:
    (kb / "docs" / "more").mkdir()
    (kb / "docs" / "more" / "tea.md").write_text("Tea is served at four.", "utf-8")

    done = evidex("ingest", "more", "--json", at=kb / "docs")

    assert [(row["locator"], row["outcome"]) for row in done.json["rows"]] == [("docs/more/tea.md", "added")]


def test_outside_of_a_workspace_the_error_says_how_to_make_one(tmp_path: Path) -> None:
    for words in (("ask", "refund"), ("build",), ("documents",), ("doctor",), ("config", "show")):
        done = evidex(*words, at=tmp_path)

        assert done.code == 2
        assert "evidex init" in done.sentence
