"""`evidex` as a user runs it: in this process where that is enough, and in one of its own where it is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from evidex.cli.main import run

SCRIPT = Path(sys.executable).with_name("evidex")


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value

    @property
    def sentence(self) -> str:
        """The one line of an error. Fails for output, for a traceback, and for anything beside that line."""
        assert self.out == ""
        assert self.err.startswith("evidex: ") and self.err.endswith("\n") and self.err.count("\n") == 1, self.err
        return self.err.removeprefix("evidex: ").rstrip("\n")


def evidex(*words: str, at: Path) -> Done:
    """Run a command in the folder `at`, in this process."""
    out, err = StringIO(), StringIO()
    code = 0
    with chdir(at), patch.object(sys, "argv", ["evidex", *words]), redirect_stdout(out), redirect_stderr(err):
        try:
            run()
        except SystemExit as stop:
            assert stop.code is None or isinstance(stop.code, int)
            code = stop.code or 0
    return Done(code, out.getvalue(), err.getvalue())


def evidex_process(*words: str, at: Path, **variables: str) -> Done:
    """Run a command in the folder `at`, in a process of its own and with pipes for its output."""
    return _done([str(SCRIPT), *words], at, variables)


def shell(line: str, *, at: Path, **variables: str) -> Done:
    """Run a line of shell in the folder `at`, where $EVIDEX is the command."""
    return _done(["sh", "-c", line], at, {"EVIDEX": str(SCRIPT), **variables})


def python(script: str, *words: str, at: Path, **variables: str) -> subprocess.Popen[str]:
    """Start a script of ours in the folder `at`; it is talked to through pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *words],
        cwd=at,
        env=environment(**variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def environment(**variables: str) -> Mapping[str, str]:
    """The environment without what would change the settings or the look of the output."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("EVIDEX_") and name != "FORCE_COLOR"
    }
    return kept | {"OMP_NUM_THREADS": "1"} | variables


def _done(words: Sequence[str], at: Path, variables: Mapping[str, str]) -> Done:
    done = subprocess.run(
        words, cwd=at, env=environment(**variables), capture_output=True, encoding="utf-8", errors="replace"
    )
    return Done(done.returncode, done.stdout, done.stderr)
