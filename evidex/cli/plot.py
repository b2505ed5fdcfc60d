"""`plot`: pictures of runs, questions, documents and the index, as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evidex.cli.output import asker_options, json_option, opened, print_json, print_table, say, workspace_option
from evidex.plots.catalogue import PICTURES


@click.command()
@click.argument("name", required=False)
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path), help="File to write; NAME.svg unless given.")
@click.option("--run", help="The run to draw, by the start of its id; the newest unless given.")
@click.option("--against", metavar="RUN", help="The run to compare it with.")
@click.option("--golden", type=click.Path(path_type=Path), help="The golden set to draw from.")
@click.option("--question", default="", help="The question to draw.")
@click.option("--document", default="", help="The document to draw, or the one to look for in a question's results.")
@click.option("--evidence", default="", metavar="QUOTE", help="Words of the document to mark in its cuts.")
@click.option("--measure", default="", metavar="ID", help="The measure to draw.")
@click.option("--page", default=1, show_default=True, type=click.IntRange(1), help="Page of a heat map.")
@asker_options
@workspace_option
@json_option
def plot(name: str | None, to: Path | None, path: str, as_json_text: bool, **subject: Any) -> None:
    """Draw the picture NAME, or list the pictures that there are.

    Ending .svg or .png. Pictures need the extra plots: pip install 'evidex[plots]'.
    """
    if name is None:
        _print_pictures(as_json_text)
        return
    target = to or Path(f"{name}.svg")
    with opened(path) as workspace:
        workspace.draw(name, target, **subject)
    if as_json_text:
        print_json("picture", {"name": name, "file": target})
    else:
        say(f"Wrote {target}.")


def _print_pictures(as_json_text: bool) -> None:
    if as_json_text:
        print_json("pictures", {"pictures": PICTURES})
        return
    print_table(("picture", "drawn from", "shows"), [(name, p.needs, p.shows) for name, p in PICTURES.items()])


COMMANDS = (plot,)
