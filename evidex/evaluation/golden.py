"""By which questions is a system judged? Golden sets: read from files, checked, chosen from, and written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from evidex.errors import ConfigError, SourceError
from evidex.evaluation.beir import QUERIES, beir_entries
from evidex.evaluation.cases import Entry, NotACase, entry, line_of, row_of
from evidex.evaluation.table import table_entries
from evidex.sources.jsonl import rows
from evidex.storage import Folder, digest_of
from evidex.types import Case

PROPOSED = ".proposed.jsonl"
"""How files end that hold proposals, which no golden set has yet."""


@dataclass(frozen=True)
class GoldenSet:
    """Cases under a name, sorted by id; no two share one. `path` is where they were read from, "" if nowhere."""

    name: str
    cases: tuple[Case, ...]
    path: str = field(default="", compare=False)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of what the cases say; neither their order in files nor the files' formatting counts."""
        return digest_of([row_of(case) for case in self.cases])

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that cases name, sorted."""
        return tuple(sorted({case.split for case in self.cases if case.split}))


# --- reading


def read_golden(path: Path) -> GoldenSet:
    """Read a golden set: a JSON Lines or CSV file, a folder of JSON Lines files, or a folder in the layout of BEIR.

    Raises `ConfigError` for what is not there or holds no case, and for the first row that is no case or repeats the
    id of another: with its file, line and id, and how many more there are.
    """
    if not path.exists():
        raise ConfigError(f"There is no golden set {str(path)!r}.", "Name a file or folder that exists.")
    try:
        entries = list(_entries(path))
    except SourceError as error:
        raise ConfigError(error.problem, error.remedy) from None
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error.strerror}.", "Check its permissions.") from None
    cases = _cases(entries)
    if not cases:
        raise ConfigError(f"The golden set {str(path)!r} holds no case.", 'Write rows {"id": …, "question": …}.')
    name = path.resolve().name if path.is_dir() else path.stem
    return GoldenSet(name, tuple(sorted(cases, key=lambda case: case.id)), str(path.resolve()))


def _entries(path: Path) -> Iterator[Entry]:
    if path.is_dir():
        if (path / QUERIES).is_file():
            yield from beir_entries(path)
        else:
            for file in sorted(path.glob("*.jsonl")):
                yield from () if file.name.endswith(PROPOSED) else _lines(file)
    elif path.suffix.lower() == ".csv":
        yield from table_entries(path)
    else:
        yield from _lines(path)


def _lines(file: Path) -> Iterator[Entry]:
    for number, row in rows(file, max_bytes=sys.maxsize - 1):
        if isinstance(row, SourceError):
            yield Entry(file, number, "", problem=f"is {row.problem.removesuffix('.')}")
        else:
            yield entry(row, file, number)


def _cases(entries: Iterable[Entry]) -> list[Case]:
    first: dict[str, Entry] = {}
    wrong: list[tuple[Entry, str]] = []
    for found in entries:
        if found.case is None:
            wrong.append((found, found.problem))
        elif found.id in first:
            other = first[found.id]
            wrong.append((found, f"has the id of line {other.line} of {str(other.file)!r}"))
        else:
            first[found.id] = found
    if wrong:
        found, problem = wrong[0]
        more = len(wrong) - 1
        rest = f"Mend it, and {more} more like it." if more else "Mend it."
        raise ConfigError(f"{found} {problem}.", rest)
    return [found.case for found in first.values() if found.case is not None]


# --- choosing


def select(
    golden: GoldenSet, split: str | None = None, *, category: str | None = None, ids: tuple[str, ...] = ()
) -> GoldenSet:
    """The cases of a split, of a category, or of the given ids; what is not given chooses nothing.

    Raises `ConfigError`, which lists what there is, for a split or category without a case and for an unknown id.
    """
    cases = golden.cases
    if split is not None:
        cases = _having(golden, "split", split, lambda case: case.split)
    if category is not None:
        _having(golden, "category", category, lambda case: case.category)
        cases = tuple(case for case in cases if case.category == category)
    unknown = sorted(set(ids) - {case.id for case in golden.cases})
    if unknown:
        raise ConfigError(
            f"The golden set {golden.name!r} has no case {unknown[0]!r}.", "Ids are written as in its file."
        )
    if ids:
        cases = tuple(case for case in cases if case.id in ids)
    if not cases:
        raise ConfigError(f"No case of {golden.name!r} is in all that was chosen.", "Choose less narrowly.")
    return replace(golden, cases=cases)


def _having(golden: GoldenSet, what: str, wanted: str, of: Callable[[Case], str]) -> tuple[Case, ...]:
    cases = tuple(case for case in golden.cases if of(case) == wanted)
    if not cases:
        there = sorted({of(case) for case in golden.cases} - {""})
        raise ConfigError(
            f"The golden set {golden.name!r} has no case of the {what} {wanted!r}.",
            f"There is {', '.join(there)}." if there else f"None of its cases names a {what}.",
        )
    return cases


# --- writing


def write_golden(path: Path, cases: Iterable[Case]) -> None:
    """Write cases in their order as JSON Lines, as a whole or not at all.

    Keys have one order and defaults are left out, so equal cases give equal bytes. Raises `ConfigError`, before
    anything is written, for a case that could not be read again.
    """
    Folder(path.parent).write(path.name, "".join(golden_line(case) for case in cases).encode())


def golden_line(case: Case) -> str:
    """A case as a line of a golden file. Raises `ConfigError` for one that could not be read again."""
    try:
        return line_of(case)
    except NotACase as error:
        raise ConfigError(f"Case {case.id!r} {error}.", "Mend it before it is written.") from None
