"""A process that is killed on its way: the old version still answers, and what it left is cleared away."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import evidex
from tests.commands import python
from tests.conftest import NOON
from tests.crash.conftest import finished

SCRIPT = """\
import sys
from datetime import UTC, datetime
import evidex
from evidex.catalog import catalog, ingest
from evidex.catalog.catalog import Catalog
from evidex.storage import Folder

def hang(*_, **__):
    print("reached", flush=True)
    sys.stdin.read()

def at(number, function):
    calls = iter(range(1, number))
    return lambda *words, **more: function(*words, **more) if next(calls, None) else hang()

step = lambda name: lambda at, done, whole: hang() if at == name else None
with evidex.open(now=lambda: datetime(2026, 6, 1, 12, tzinfo=UTC)) as kb:
"""
INGEST = {
    "at the first item": "kb.ingest('docs', progress=hang)",
    "between the texts and the documents": "Catalog.apply = hang; kb.ingest('docs')",
    "between two documents": "catalog._values = at(2, catalog._values); kb.ingest('docs')",
}
BUILD = {
    "while parsing": "kb.build(progress=step('parse'))",
    "while embedding": "kb.build(progress=step('embed'))",
    "at a write": "Folder.write = at(20, Folder.write); kb.build()",
    "at the manifest": "import evidex.index.build as b; b.seal = hang; kb.build()",
    "when whole and not in its place": "Folder.rename = hang; kb.build()",
    "in its place and not in the catalog": "Catalog.add_generation = hang; kb.build()",
    "before the alias moved": "catalog.insert = hang; kb.publish()",
}


def kill(kb: Path, *lines: str) -> None:
    """Run the lines in a process of their own and kill it where they hang."""
    process = python(SCRIPT + "".join(f"    {line}\n" for line in lines), at=kb)
    assert process.stdout is not None
    reached = process.stdout.readline()
    process.kill()
    _, complaints = process.communicate()
    assert (reached, process.returncode) == ("reached\n", -signal.SIGKILL), complaints


@pytest.mark.parametrize("line", INGEST.values(), ids=INGEST.keys())
def test_an_ingest_that_is_killed_changes_nothing_and_can_be_repeated(
    kb: Path, told: Callable[[], object], wanted: dict[str, str], line: str
) -> None:
    before = told()

    kill(kb, line)

    assert told() == before
    assert finished(kb) == wanted


@pytest.mark.parametrize("line", BUILD.values(), ids=BUILD.keys())
def test_a_build_that_is_killed_leaves_the_published_generation_and_the_next_one_clears_up(
    kb: Path, told: Callable[[], object], wanted: dict[str, str], line: str
) -> None:
    with evidex.open(kb, now=lambda: NOON) as workspace:
        workspace.ingest(kb / "docs")
    ingested = told()

    kill(kb, line)

    assert told() == ingested
    assert finished(kb) == wanted
