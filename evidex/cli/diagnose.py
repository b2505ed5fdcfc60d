"""`diagnose` and `why`: which boundary lost the evidence, whose that is, and what to try next."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from evidex.cli.output import json_option, opened, print_json, print_table, progress, say, short_chunk, workspace_option
from evidex.cli.questions import asking_of, question_options
from evidex.diagnosis.taxonomy import BOUNDARIES
from evidex.diagnosis.verdict import CaseVerdict, Diagnosis
from evidex.wording import counted

_SHORT = 12
_CHUNK_DIGITS = 40
_WIDTH = 100
_LINKS = 4
_CASES = 5
_TICK, _CROSS = "✓", "✗"
_LABEL = 13

_confirm_option = click.option(
    "--confirm", is_flag=True, help="Ask each failed case again with what was lost put back in."
)


@click.command()
@click.argument("golden", type=click.Path(exists=True, path_type=Path))
@click.option("--split", default="", help="Keep to the cases of this split.")
@click.option("--case", "cases", multiple=True, metavar="ID", help="Keep to this case and tell its story; repeatable.")
@click.option("--category", default="", help="Keep to the cases of this category.")
@_confirm_option
@workspace_option
@json_option
def diagnose(
    golden: Path, split: str, cases: tuple[str, ...], category: str, confirm: bool, path: str, as_json_text: bool
) -> None:
    """Ask the questions of GOLDEN and name, for each that fails, the first boundary that lost its evidence.

    For the owner of the workspace: documents are named whoever may read them. Exit code 1 when a case failed.
    """
    with opened(path) as workspace, progress() as report_progress:
        found = workspace.diagnose(
            golden, split=split, category=category, cases=cases, confirm=confirm, progress=report_progress
        )
    if as_json_text:
        print_json("diagnosis", found)
    elif cases:
        _print_stories(found)
    else:
        _print_diagnosis(found)
    if found.failed or "error" in found.counts:
        click.get_current_context().exit(1)


@click.command()
@click.argument("question")
@click.option("--expected", required=True, metavar="QUOTE", help="Words of a document that should be in the answer.")
@click.option("--document", metavar="DOCUMENT", help="The document they stand in; any that has them unless given.")
@_confirm_option
@question_options
def why(
    question: str,
    expected: str,
    document: str | None,
    confirm: bool,
    path: str,
    as_json_text: bool,
    **asked: Any,
) -> None:
    """Name the first boundary that lost the words QUOTE for QUESTION. Exit code 1 when they are not in the answer.

    For the owner of the workspace: documents are named whoever may read them.
    """
    with opened(path) as workspace:
        found = workspace.why(question, expected, document=document, confirm=confirm, **asking_of(asked))
    if as_json_text:
        print_json("case-verdict", found)
    else:
        _print_story(found)
    if found.status != "passed":
        click.get_current_context().exit(1)


def _print_diagnosis(found: Diagnosis) -> None:
    say(f"{counted(len(found.rows), 'case')}: {_counts(found.counts)}")
    if found.fixes:
        say()
        _print_fixes(found)
        say()
        _print_slices(found)
    for status in ("turnover", "error"):
        rows = [row for row in found.rows if row.status == status]
        if rows:
            say()
            print_table((status, "why"), [(row.case, row.sentence) for row in rows], whole=(status,))
    failed = [row for row in found.rows if row.verdict is not None]
    if failed:
        say()
        columns = ("case", "boundary", "type", "what happened")
        lines = [(r.case, r.verdict.boundary.id, r.verdict.type, r.sentence) for r in failed if r.verdict is not None]
        print_table(columns, lines, whole=("case", "boundary", "type"), cut=("what happened",))
        say("\nOne case as a story: evidex diagnose GOLDEN --case ID")
    say(f"generation {found.generation[:_SHORT]}")


def _print_fixes(found: Diagnosis) -> None:
    first = found.fixes[0]
    say(
        f"Fix first   {first.boundary}, {first.type}: {counted(len(first.cases), 'case')} lost here first. "
        f"Owner: {first.owner}."
    )
    say(f"            {first.experiment}")
    say()
    rows = [
        (str(fix.boundary), fix.type, len(fix.cases), fix.owner, ", ".join(fix.cases[:_CASES]) + _more(fix.cases))
        for fix in found.fixes
    ]
    columns = ("boundary", "type", "cases", "owner", "which")
    print_table(columns, rows, right=("cases",), whole=("boundary", "type"), cut=("which",))


def _print_slices(found: Diagnosis) -> None:
    if not any(found.slices):
        return
    columns = [boundary.id for boundary in BOUNDARIES if boundary.id in found.boundaries]
    rows = [
        (category or "(none)", *(lost.get(id, "") for id in columns), sum(lost.values()))
        for category, lost in found.slices.items()
    ]
    print_table(("failed, by category", *columns, "all"), rows, right=(*columns, "all"))


def _print_stories(found: Diagnosis) -> None:
    for number, row in enumerate(found.rows):
        if number:
            say(f"\n{'─' * _WIDTH}\n")
        _print_story(row)


def _print_story(row: CaseVerdict) -> None:
    """A case as a short story: what was asked and expected, each boundary, the verdict, and what to do."""
    _field("Case", f"{row.case}" + (f" ({row.category})" if row.category else ""))
    _field("Question", row.question)
    _field("Expected", row.expected)
    if row.said:
        _field("Said", row.said)
    if row.verdict is None:
        _field(row.status.capitalize(), row.sentence)
        return
    say()
    for step in row.steps:
        mark = _TICK if step.finding.type is None else _CROSS
        _paragraph(f"{mark} {step.boundary!s:<{_LABEL}} ", f"{step.finding.sentence}{_links(step.finding.evidence)}")
    verdict = row.verdict
    say()
    fp = f" ({verdict.barnett} of Barnett et al.)" if verdict.barnett else ""
    _field("Verdict", f"{verdict.boundary}: {verdict.type}{fp}")
    _field("Owner", verdict.owner)
    _field("Try next", verdict.experiment)
    for rerun in row.reruns:
        outcome = "it passes" if rerun.passed else f"it fails at {rerun.reached}: {rerun.sentence}"
        _field("Asked again", f"with {rerun.substituted}, {outcome}")
    if row.confirmed is not None:
        _field("Confirmed", _how_confirmed(row))


def _how_confirmed(row: CaseVerdict) -> str:
    if not row.confirmed:
        return "no: with what was lost put back, it fails there or before"
    last = row.reruns[-1]
    return "yes" if last.passed else f"yes: it gets past this boundary then, and is lost at {last.reached}"


def _field(name: str, text: str) -> None:
    _paragraph(f"{name:<{_LABEL}}", text)


def _paragraph(head: str, text: str) -> None:
    lines = textwrap.wrap(" ".join(text.split()), _WIDTH - len(head), break_on_hyphens=False) or [""]
    for number, line in enumerate(lines):
        say((head if number == 0 else " " * len(head)) + line)


def _links(evidence: tuple[str, ...]) -> str:
    """The ids that the line rests on, shortened, a few of them."""
    shown = ", ".join(_short(id) for id in evidence[:_LINKS])
    return f" [{shown}{' …' if len(evidence) > _LINKS else ''}]" if evidence else ""


def _counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{count} {status}" for status, count in counts.items()) or "none"


def _more(cases: tuple[str, ...]) -> str:
    return f" and {len(cases) - _CASES} more" if len(cases) > _CASES else ""


def _short(id: str) -> str:
    """What tells a chunk from its neighbours, or the start of another digest; names of documents are left whole."""
    if len(id) == _CHUNK_DIGITS:
        return short_chunk(id)
    return id[:_SHORT] if len(id) >= 2 * _SHORT and id.isalnum() else id


COMMANDS = (diagnose, why)
