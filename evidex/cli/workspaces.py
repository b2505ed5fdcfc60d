"""`init`, `config show` and `doctor`: the workspace itself."""

from __future__ import annotations

from pathlib import Path

import click

from evidex.cli.output import json_option, opened, print_json, print_table, say, workspace_option
from evidex.config import explained
from evidex.new_workspace import create


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--sample", is_flag=True, help="Bring the sample knowledge base along.")
@click.option("--open", "open_access", is_flag=True, help="Single user: who asks without --as reads every document.")
@json_option
def init(folder: Path, sample: bool, open_access: bool, as_json_text: bool) -> None:
    """Make FOLDER a workspace: an evidex.toml with every choice that was made."""
    created = create(folder, open=open_access, with_sample=sample)
    if as_json_text:
        print_json("init", created)
        return
    say(f"Workspace {folder} is ready.")
    for sentence in created.choices:
        say(f"  {sentence}")
    say(f"Next: cd {folder}" if folder != Path() else "Next:")
    say(f"  evidex ingest {'docs' if sample else 'YOUR-DOCUMENTS'} --sync")
    say("  evidex build")
    say("  evidex publish")
    say('  evidex ask "What is the refund window in the United States?"' if sample else '  evidex ask "…"')


@click.group()
def config() -> None:
    """The settings of a workspace."""


@config.command()
@workspace_option
@json_option
def show(path: str, as_json_text: bool) -> None:
    """Print every setting: the value in force, the default, and what it means."""
    with opened(path) as workspace:
        rows = explained(workspace.settings)
        if as_json_text:
            print_json("config", {"digest": workspace.settings.digest, "settings": rows})
            return
        print_table(
            ("setting", "value", "default", "meaning"), [(r.name, r.value, r.default, r.description) for r in rows]
        )
        say(f"settings digest {workspace.settings.digest[:16]}")


@click.command()
@workspace_option
@json_option
def doctor(path: str, as_json_text: bool) -> None:
    """Check the workspace: contracts, damaged files, truncated chunks, empty channels, documents that failed."""
    with opened(path) as workspace:
        findings = workspace.doctor()
        if as_json_text:
            print_json("doctor", {"findings": findings})
        elif findings:
            print_table(("severity", "check", "finding"), [(f.severity, f.check, f.sentence) for f in findings])
        else:
            say("Nothing is wrong.")
    if any(finding.severity == "error" for finding in findings):
        click.get_current_context().exit(1)


COMMANDS = (init, config, doctor)
