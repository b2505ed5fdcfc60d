"""How results are printed: JSON for programs, tables for people, progress on a terminal and silence in a pipe."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from evidex.encoding import as_json
from evidex.index.build import Progress, silent
from evidex.workspace import Workspace
from evidex.workspace import open as open_workspace

Command = TypeVar("Command", bound=Callable[..., Any])

_PIPE_COLUMNS = 120
_WIDEST = 40
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else _PIPE_COLUMNS)
_progress_console = Console(stderr=True)


def workspace_option(command: Command) -> Command:
    """The option that names the workspace."""
    return click.option(
        "--workspace", "path", default=".", show_default=True, help="Workspace folder, or one below it."
    )(command)


def json_option(command: Command) -> Command:
    """The option that asks for JSON."""
    return click.option("--json", "as_json_text", is_flag=True, help="Print JSON (docs/json.md).")(command)


def asker_options(command: Command) -> Command:
    """The options that say who asks."""
    command = click.option("--tenant", help="Ask as an anonymous member of this tenant.")(command)
    return click.option("--as", "user", help="Ask as this user (see [access.users] in evidex.toml).")(command)


@contextmanager
def opened(path: str) -> Iterator[Workspace]:
    """The workspace of a command, closed afterwards."""
    with open_workspace(path) as workspace:
        yield workspace


def print_json(schema: str, value: Any) -> None:
    """Print a value as one JSON object whose first key names its schema."""
    body = as_json(value)
    fields = body if isinstance(body, dict) else {"items": body}
    click.echo(json.dumps({"schema": f"evidex.{schema}/1"} | fields, ensure_ascii=False, indent=2))


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Sequence[str] = (),
    whole: Sequence[str] = (),
    cut: Sequence[str] = (),
) -> None:
    """Print rows under headings. Columns in `right` are set to the right; those and columns in `whole` are never
    folded, and those in `cut` end in an ellipsis where the line does, which no other column may fill alone."""
    table = Table(box=None, header_style="bold", pad_edge=False, expand=bool(cut))
    for column in columns:
        table.add_column(
            column,
            justify="right" if column in right else "left",
            no_wrap=column in {*right, *whole, *cut},
            overflow="ellipsis" if column in cut else "fold",
            ratio=1 if column in cut else None,
            max_width=min(_WIDEST, console.width // 3) if cut and column not in cut else None,
        )
    for row in rows:
        table.add_row(*(Text("" if cell is None else _harmless(str(cell))) for cell in row))
    with console.capture() as drawn:
        console.print(table, soft_wrap=False)
    click.echo(drawn.get(), nl=False)


def short_chunk(id: str) -> str:
    """The last 8 digits of a chunk's id: the first 16 are those of every chunk of its document."""
    return id[-8:]


def remark(text: str) -> None:
    """Say something beside the output, where no pipe reads it."""
    click.echo(_harmless(text), err=True)


def say(text: str = "") -> None:
    """Print a line as it is: no markup, no wrapping."""
    click.echo(_harmless(text))


def _harmless(text: str) -> str:
    """The text with control characters spelled out, so that no document can steer the terminal."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


@contextmanager
def progress() -> Iterator[Progress]:
    """A callback (step, done, whole) that draws bars on a terminal and does nothing elsewhere."""
    if not sys.stderr.isatty():
        yield silent
        return
    columns = (TextColumn("{task.description:>8}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=_progress_console, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def report(step: str, done: int, whole: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=whole or None)
            bars.update(tasks[step], completed=done, total=whole or None)

        yield report
