"""`evidex`: the commands, and how an error becomes one sentence and an exit code.

0: done · 1: a gate failed, an answer was withheld, or the doctor found an error · 2: usage · 3: environment
"""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from evidex.cli import diagnose, documents, evaluation, generations, golden, plan, plot, questions, workspaces
from evidex.errors import EvidexError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="evidex")
def main() -> None:
    """Find the passages that answer a question, cite them verifiably, and say which stage lost them."""


ROOMS = (workspaces, documents, generations, plan, questions, golden, evaluation, diagnose, plot)

for command in (command for room in ROOMS for command in room.COMMANDS):
    main.add_command(command)


def run() -> None:
    """Run the command line; every error that evidex knows is one sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a document may hold what this terminal cannot show
    try:
        # Outside standalone mode click returns the code that a command exits with.
        sys.exit(main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("evidex: Interrupted; nothing that was published has changed.", err=True)
        sys.exit(130)
    except EvidexError as error:
        click.echo(f"evidex: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        click.echo(f"evidex: {_environment(error)}", err=True)
        sys.exit(3)


def _environment(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}. Nothing that was published is affected; mend that, then repeat."
