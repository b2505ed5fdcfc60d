"""Which cases does a table hold? CSV, as people keep questions in a spreadsheet: one evidence a row, one id a case."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from evidex.evaluation.cases import Entry, entry

_CASE = (
    *("id", "split", "category", "group", "question", "as", "tenant", "as_of", "answerable", "answer"),
    *("annotator", "adjudication"),
)
_LISTS = ("history", "withheld", "nuggets")
_EVIDENCE = ("document", "grade", "version", "quote", "start", "end")
_COLUMNS = (*_CASE, *_LISTS, *_EVIDENCE)
_TRUTH = {"true": True, "false": False}


def table_entries(file: Path) -> Iterator[Entry]:
    """The cases of a CSV file with a header, comma separated, at the line where each begins.

    Columns are named like the fields of a case and of its evidence, a span being `start` and `end`; lists (`history`,
    `withheld`, `nuggets`) have one entry a line of their cell. Each further row of an id adds evidence and leaves the
    other cells empty or repeats them.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield Entry(file, 1, "", problem=f"begins a file that is not UTF-8: {error}")
        return
    table = csv.reader(io.StringIO(text, newline=""), strict=True)
    numbered: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for cells in table:
            numbered.append((begins, cells))
            begins = table.line_num + 1  # a cell may hold line feeds
    except csv.Error as error:
        yield Entry(file, begins, "", problem=f"is not CSV: {error}")
        return
    header = [name.strip() for name in numbered[0][1]] if numbered else []
    problem = _problem_of(header)
    if problem:
        yield Entry(file, 1, "", problem=problem)
        return
    yield from _entries(file, header, numbered[1:])


def _problem_of(header: list[str]) -> str:
    missing = [name for name in ("id", "question") if name not in header]
    unknown = [name for name in header if name not in _COLUMNS]
    twice = [name for number, name in enumerate(header) if name in header[:number]]
    if unknown:
        return f"has the unknown column {unknown[0]!r:.60}; known are {', '.join(_COLUMNS)}"
    if missing:
        return f"has no column {missing[0]!r} in its comma-separated header"
    return f"names the column {twice[0]!r} twice" if twice else ""


def _entries(file: Path, header: list[str], numbered: list[tuple[int, list[str]]]) -> Iterator[Entry]:
    cases: dict[str, tuple[int, dict[str, object]]] = {}
    for line, cells in numbered:
        if not any(cell.strip() for cell in cells):
            continue
        said = {name: cell for name, cell in zip(header, cells, strict=False) if cell.strip()}
        id = said.get("id", "")
        if len(cells) > len(header):
            yield Entry(file, line, id, problem=f"has {len(cells)} cells under {len(header)} columns")
        elif not id:
            yield Entry(file, line, "", problem="has no 'id'")
        else:
            differing = _add(said, cases.setdefault(id, (line, {}))[1])
            if differing:
                first = cases[id][0]
                yield Entry(file, line, id, problem=f"has another {differing!r} than line {first} of the same id")
    for line, row in cases.values():
        yield entry(row, file, line)


def _add(said: dict[str, str], row: dict[str, object]) -> str:
    """Add what a row of the table says to its case; returns the column in which the two differ, or ""."""
    for name in (*_CASE, *_LISTS):
        if name in said:
            value = _value(name, said[name])
            if row.setdefault(name, value) != value:
                return name
    evidence = {name: _value(name, said[name]) for name in _EVIDENCE if name in said}
    if evidence:
        span = [evidence.pop(name, None) for name in ("start", "end")]
        gathered = row.setdefault("evidence", [])
        assert isinstance(gathered, list)
        gathered.append({**evidence, "span": None if span == [None, None] else span})
    return ""


def _value(name: str, cell: str) -> object:
    if name in _LISTS:
        return [line.strip() for line in cell.splitlines() if line.strip()]
    if name == "answerable":
        return _TRUTH.get(cell.strip().casefold(), cell)
    if name in {"grade", "start", "end"}:
        try:
            return int(cell)
        except ValueError:
            return cell
    return cell
