"""`ingest`, `documents` and `show`: what the workspace knows."""

from __future__ import annotations

from collections import Counter
from datetime import date

import click

from evidex.catalog.catalog import Record
from evidex.cli.output import (
    asker_options,
    json_option,
    opened,
    print_json,
    print_table,
    progress,
    say,
    workspace_option,
)

_ROWS_SHOWN = 20


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--sync", is_flag=True, help="Delete documents that vanished from below PATHS, and nothing else.")
@workspace_option
@json_option
def ingest(paths: tuple[str, ...], sync: bool, path: str, as_json_text: bool) -> None:
    """Take in files, folders, JSONL files or BEIR folders. A failing item is a row; the rest goes on."""
    with opened(path) as workspace, progress() as report_progress:
        report = workspace.ingest(*paths, sync=sync, progress=lambda read: report_progress("read", read, 0))
    if as_json_text:
        print_json("ingest", report)
        return
    for row in report.failures[:_ROWS_SHOWN]:
        say(f"failed  {row.locator}\n        {row.reason}")
    if len(report.failures) > _ROWS_SHOWN:
        say(f"… and {len(report.failures) - _ROWS_SHOWN} more failures (--json lists all)")
    counts = Counter(row.outcome for row in report.rows)
    say(", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())) or "Nothing there to ingest.")
    if counts.keys() & {"added", "changed"}:
        say("Run 'evidex build' and 'evidex publish': until then, what is new or changed is in no answer.")


@click.command()
@workspace_option
@asker_options
@json_option
def documents(path: str, user: str | None, tenant: str | None, as_json_text: bool) -> None:
    """List the documents: all, or those that a user may read."""
    with opened(path) as workspace:
        records = workspace.documents(user=user, tenant=tenant)
        today = workspace.today
        if as_json_text:
            print_json("documents", {"documents": records})
            return
        print_table(
            ("document", "version", "state", "from", "to", "tenant", "readers", "title"),
            [
                (
                    record.id,
                    record.metadata.version,
                    _state(record, today),
                    None if record.begins == date.min else record.begins,
                    None if record.ends == date.max else record.ends,
                    record.metadata.tenant,
                    ", ".join(sorted(record.metadata.readers)),
                    record.metadata.title,
                )
                for record in records
            ],
        )


def _state(record: Record, today: date) -> str:
    if record.metadata.retired:
        return "retired"
    if record.in_force(today):
        return "in force"
    return "not yet" if today < record.begins else "superseded" if record.state == "superseded" else "ended"


@click.command()
@click.argument("document")
@click.option("--version", help="Version to show; the newest in force unless given.")
@workspace_option
@asker_options
@json_option
def show(
    document: str, version: str | None, path: str, user: str | None, tenant: str | None, as_json_text: bool
) -> None:
    """Print the text of DOCUMENT as it was parsed."""
    with opened(path) as workspace:
        found = workspace.show(document, version=version, user=user, tenant=tenant)
        if as_json_text:
            print_json("document", found)
            return
        say(f"{found.id}, version {found.metadata.version}: {found.title}")
        say(found.text)


COMMANDS = (ingest, documents, show)
