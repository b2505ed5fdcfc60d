"""Rows of cells as the lines of a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evidex.parsing.writing import Marked, joined


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `columns` and `rows` tell how many it spans."""

    content: Marked
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `header` tells whether it names the columns."""

    cells: tuple[Cell, ...]
    header: bool = False


@dataclass(slots=True)
class Filling:
    """How many empty cells may still be added for spans: a page that claims a million columns must cost nothing."""

    left: int = 100_000

    def take(self, wanted: int) -> int:
        granted = min(wanted, self.left)
        self.left -= granted
        return granted


@dataclass(slots=True)
class _Grid:
    """Keeps columns in line: a spanning cell is written once, and what it covers is left empty."""

    filling: Filling
    number: int = 0
    covered_until: dict[int, int] = field(default_factory=dict)

    def place(self, row: Row) -> list[Marked]:
        contents: list[Marked] = []
        for cell in row.cells:
            self._skip_covered(contents)
            width = 1 + self.filling.take(cell.columns - 1)
            if cell.rows > 1:
                columns = range(len(contents), len(contents) + width)
                self.covered_until |= dict.fromkeys(columns, self.number + cell.rows)
            contents += [cell.content, *[Marked("")] * (width - 1)]
        self._skip_covered(contents)
        self.number += 1
        return contents

    def _skip_covered(self, contents: list[Marked]) -> None:
        while self.covered_until.get(len(contents), 0) > self.number and self.filling.take(1):
            contents.append(Marked(""))


def table_text(rows: Sequence[Row], filling: Filling) -> tuple[Marked, int]:
    """The table as `| a | b |` lines and the length of its header with the line of dashes below it (0: no header)."""
    grid = _Grid(filling)
    placed = [grid.place(row) for row in rows]
    lines = [_line(contents) for contents in placed]
    headers = next((at for at, row in enumerate(rows) if not row.header), len(rows))
    if headers:
        lines.insert(headers, Marked("|" + " --- |" * len(placed[headers - 1])))
    header_length = len(joined(lines[: headers + 1], "\n").text) if headers else 0
    return joined(lines, "\n"), header_length


def _line(contents: Sequence[Marked]) -> Marked:
    inner = joined(contents, " | ")
    return Marked(f"| {inner.text} |", tuple((offset + 2, number) for offset, number in inner.marks))
