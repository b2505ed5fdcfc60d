"""`golden`: the questions by which a workspace is judged: checked, proposed from traces, confirmed."""

from __future__ import annotations

from pathlib import Path

import click

from evidex.cli.output import json_option, opened, print_json, say, workspace_option
from evidex.errors import ConfigError
from evidex.evaluating import GoldenCheck
from evidex.types import DocumentId, Evidence
from evidex.wording import counted

_SHOWN = 20

golden_argument = click.argument("golden", type=click.Path(path_type=Path))


@click.group()
def golden() -> None:
    """Check golden sets, and make cases of questions that were answered wrongly."""


@golden.command()
@golden_argument
@workspace_option
@json_option
def check(golden: Path, path: str, as_json_text: bool) -> None:
    """Tell what is wrong with GOLDEN, which evidence is gone from the corpus, and what leaks between its splits.

    Exit code 1 when something is wrong or leaks.
    """
    with opened(path) as workspace:
        found = workspace.check_golden(golden)
    if as_json_text:
        print_json("golden-check", found)
    else:
        _print(found)
    if found.problems or found.leaks:
        click.get_current_context().exit(1)


@golden.command()
@golden_argument
@click.option("--trace", "trace_id", required=True, help="The trace of the question, as ask and search print it.")
@click.option("--document", help="The document that holds the answer; without one, the question has none.")
@click.option("--quote", default="", help="The words of it that answer the question.")
@click.option("--version", default="", help="The version that holds them.")
@click.option("--answer", default="", help="What the answer should have been.")
@click.option("--split", default="", help="The split that it is for: dev is what settings are chosen on.")
@click.option("--category", default="", help="The slice that it is counted in.")
@click.option("--group", default="", help="What the wordings of one fact share.")
@click.option("--note", default="", help="Why this is proposed.")
@workspace_option
@json_option
def add(
    golden: Path,
    trace_id: str,
    document: str | None,
    quote: str,
    version: str,
    answer: str,
    split: str,
    category: str,
    group: str,
    note: str,
    path: str,
    as_json_text: bool,
) -> None:
    """Propose the question of a trace as a case of GOLDEN: this answer was wrong, the evidence is here.

    It judges nothing until someone confirms it: evidex golden confirm.
    """
    if quote and document is None:
        raise ConfigError(f"The quote {quote!r} is of no document.", "Name it with --document.")
    evidence = [] if document is None else [Evidence(DocumentId(document), version=version, quote=quote)]
    told = {"answer": answer, "split": split, "category": category, "group": group, "note": note}
    with opened(path) as workspace:
        case = workspace.propose(golden, trace_id, evidence=evidence, **told)
    if as_json_text:
        print_json("case", case)
    else:
        say(f"Proposed {case.id}: {case.question}")
        say(f"Once someone has looked at it: evidex golden confirm {golden} {case.id} --annotator NAME")


@golden.command()
@golden_argument
@click.argument("case_id", metavar="CASE")
@click.option("--annotator", required=True, help="Who says that this case is right.")
@workspace_option
@json_option
def confirm(golden: Path, case_id: str, annotator: str, path: str, as_json_text: bool) -> None:
    """Move the proposed CASE into GOLDEN."""
    with opened(path) as workspace:
        case = workspace.confirm(golden, case_id, annotator)
    if as_json_text:
        print_json("case", case)
    else:
        say(f"{case.id} is now in {golden}.")


def _print(found: GoldenCheck) -> None:
    splits = ", ".join(f"{count} {name or 'without a split'}" for name, count in found.splits)
    say(f"{found.name}: {counted(found.cases, 'case')} ({splits}).")
    for title, sentences in (
        ("wrong", found.problems),
        ("gone", found.turnover),
        ("leak", tuple(leak.sentence for leak in found.leaks)),
    ):
        for sentence in sentences[:_SHOWN]:
            say(f"{title}: {sentence}")
        if len(sentences) > _SHOWN:
            say(f"… and {len(sentences) - _SHOWN} more (--json lists all)")
    if not (found.problems or found.turnover or found.leaks):
        say("Nothing is wrong with it, nothing is gone, and nothing leaks.")


COMMANDS = (golden,)
