"""`build`, `publish`, `rollback` and `generations`: what is searched."""

from __future__ import annotations

import click

from evidex.catalog.catalog import AliasChange
from evidex.cli.output import json_option, opened, print_json, print_table, progress, say, workspace_option


@click.command()
@workspace_option
@json_option
def build(path: str, as_json_text: bool) -> None:
    """Build a sealed generation of the documents in force today. Unchanged texts are not embedded again."""
    with opened(path) as workspace, progress() as report_progress:
        report = workspace.build(progress=report_progress)
        asked_width = workspace.settings.embedding.width
    if as_json_text:
        print_json("build", report)
        return
    for failure in report.failures:
        say(f"left out  {failure.locator}\n          {failure.reason}")
    how = "built" if report.written else "there already, nothing has changed"
    say(f"Generation {report.id[:12]} is {how}: {report.documents} documents, {report.chunks} chunks.")
    if report.written and report.width:
        known = report.chunks - report.embedded
        say(f"{report.embedded} texts were embedded" + (f"; the vectors of {known} were known." if known > 0 else "."))
    if report.problem:
        say(report.problem)
    if 0 < report.width < asked_width:
        say(f"Vectors are {report.width} wide, not {asked_width}: these documents span no more dimensions.")


@click.command()
@click.argument("generation", required=False)
@workspace_option
@json_option
def publish(generation: str | None, path: str, as_json_text: bool) -> None:
    """Answer from GENERATION (its id or the start of it; the newest unless given) from now on."""
    with opened(path) as workspace:
        _print_move(workspace.publish(generation), as_json_text)


@click.command()
@workspace_option
@json_option
def rollback(path: str, as_json_text: bool) -> None:
    """Answer from the generation that was published before."""
    with opened(path) as workspace:
        _print_move(workspace.rollback(), as_json_text)


@click.command()
@workspace_option
@json_option
def generations(path: str, as_json_text: bool) -> None:
    """List the generations that were built, and which is live."""
    with opened(path) as workspace:
        rows = workspace.generations()
        if as_json_text:
            print_json("generations", {"generations": rows, "alias_history": workspace.alias_history()})
            return
        print_table(
            ("generation", "built at", "documents", "chunks", "aliases"),
            [(row.id[:12], row.built_at, row.documents, row.chunks, ", ".join(row.aliases)) for row in rows],
            right=("documents", "chunks"),
        )


def _print_move(change: AliasChange, as_json_text: bool) -> None:
    if as_json_text:
        print_json("alias", change)
    else:
        say(f"{change.alias} is now generation {change.generation[:12]} ({change.action}).")


COMMANDS = (build, publish, rollback, generations)
