"""How the visible elements of a page become blocks: headings, paragraphs, lists, tables and preformatted text.

What comes in is a page in document order, as elements that open, text, and elements that close; every element that
opens here also closes. Text goes into the innermost structure that is open, and nothing is held back when another
structure begins, so the order of the text is the order of the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evidex.parsing.elements import CELLS, HEADINGS, ITEMS, LISTS, ROW_GROUPS
from evidex.parsing.rows import Cell, Filling, Row, table_text
from evidex.parsing.writing import Marked, Writer, joined

_WIDEST_INDENT = 24  # a page that nests lists hundreds deep must not grow by its indentation
_WIDEST_SPAN = 1000  # HTML Living Standard, "attributes common to td and th elements"


@dataclass(slots=True)
class _List:
    """An open list; `number` is that of its next item, None where items are not numbered."""

    number: int | None
    marker: str = ""
    indent: int = 0


@dataclass(slots=True)
class _Table:
    """An open table. One that turns out to hold a page's layout lets its cells through as ordinary text."""

    is_layout: bool = False
    in_head: bool = False
    rows: list[Row] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    headers: int = 0
    cell: Mapping[str, str] | None = None
    cell_is_header: bool = False


@dataclass(slots=True)
class Layout:
    """Sends what it is told to `writer`, block by block."""

    writer: Writer
    _run: list[tuple[str, int]] = field(default_factory=list)
    _broken: list[Marked] = field(default_factory=list)
    _heading: int = 0
    _preformatted: int = 0
    _lists: list[_List] = field(default_factory=list)
    _items: list[Marked] = field(default_factory=list)
    _tables: list[_Table] = field(default_factory=list)
    _filling: Filling = field(default_factory=Filling)

    def text(self, text: str, line: int) -> None:
        """Character data that begins on `line` of the source."""
        pieces = text.split("\n")
        for number, piece in enumerate(pieces[:-1]):
            self._run.append((piece + "\n", line + number))
        if pieces[-1]:
            self._run.append((pieces[-1], line + len(pieces) - 1))

    def line_break(self, line: int) -> None:
        """A line of a paragraph or item ends."""
        if self._preformatted:
            self._run.append(("\n", line))
        elif self._lists or self._heading or self._cell_is_open():
            self._boundary()
        else:
            self._broken.append(collapsed(self._run))
            self._run = []

    def rule(self) -> None:
        """A thematic break."""
        self._boundary()

    def opens(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element of block level begins."""
        if self._heading and tag != "div" and any(text.strip() for text, _ in self._run):
            self._end_run()  # a heading that was never closed
            self._heading = 0
        if self._preformatted:
            self._line_in_preformatted()
            self._preformatted += tag == "pre"
        elif tag in HEADINGS:
            self._leave_cell_alone()
            self._end_run()
            self._heading = int(tag[1])
        elif tag == "pre":
            self._leave_cell_alone()
            self._end_run()
            self._preformatted = 1
        elif tag == "table":
            self._leave_cell_alone()
            self._end_run()
            self._end_items()
            self._end_rows()
            self._tables.append(_Table())
        else:
            self._boundary()
            self._opens_part(tag, attributes)

    def closes(self, tag: str) -> None:
        """An element of block level ends."""
        if self._preformatted:
            self._closes_in_preformatted(tag)
        elif tag in HEADINGS:
            self._end_run()
            self._heading = 0
        elif tag == "table":
            self._end_cell()
            self._end_run()
            self._end_items()
            self._end_rows()
            self._tables.pop()
        elif tag in CELLS and self._cell_is_open():
            self._end_cell()
        else:
            self._boundary()
            self._closes_part(tag)

    def finish(self) -> None:
        """The page ends."""
        self._end_run()
        self._end_items()

    # --- parts of lists and tables

    def _opens_part(self, tag: str, attributes: Mapping[str, str]) -> None:
        table = self._tables[-1] if self._tables else None
        if self._cell_is_open():
            return
        if tag in LISTS:
            number = _number(attributes.get("start"), 1) if tag == "ol" else None
            indent = self._lists[-1].indent + len(self._lists[-1].marker or "  ") if self._lists else 0
            self._lists.append(_List(number, indent=min(indent, _WIDEST_INDENT)))
        elif tag in ITEMS and self._lists:
            _next_item(self._lists[-1], tag)
        elif table is not None and not table.is_layout:
            self._opens_table_part(table, tag, attributes)

    def _opens_table_part(self, table: _Table, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in ROW_GROUPS:
            table.in_head = tag == "thead"
        elif tag == "tr":
            self._end_row(table)
        elif tag in CELLS:
            table.cell, table.cell_is_header = attributes, tag == "th"

    def _closes_part(self, tag: str) -> None:
        table = self._tables[-1] if self._tables else None
        if self._cell_is_open():
            return
        if tag in LISTS and self._lists:
            self._lists.pop()
            if not self._lists:
                self._end_items()
        elif tag == "tr" and table is not None:
            self._end_row(table)
        elif tag in ROW_GROUPS and table is not None:
            table.in_head = False

    def _cell_is_open(self) -> bool:
        return bool(self._tables) and self._tables[-1].cell is not None

    # --- what ends when

    def _boundary(self) -> None:
        """A block begins or ends: a word ends with it, and outside headings and cells so does the run of text."""
        if self._cell_is_open() or self._heading:
            self._run.append((" ", 0))
        else:
            self._end_run()

    def _end_run(self) -> None:
        if not self._run and not self._broken:
            return
        lines = [*self._broken, collapsed(self._run)]
        self._broken, self._run = [], []
        piece = joined([line for line in lines if line.text], "\n")
        if not piece.text:
            return
        if self._heading:
            self._end_items()
            self._end_rows()
            self.writer.add("heading", piece, level=self._heading)
        elif self._lists:
            self._end_rows()
            self._items.append(_item_line(self._lists[-1], piece))
        else:
            self._end_items()
            self._end_rows()
            self.writer.add("paragraph", piece)

    def _end_items(self) -> None:
        if self._items:
            items, self._items = self._items, []
            self.writer.add("list", joined(items, "\n"))

    def _end_cell(self) -> None:
        if not self._cell_is_open():
            return
        table = self._tables[-1]
        assert table.cell is not None
        content = _escaped(collapsed(self._run))
        columns, rows = (_number(table.cell.get(name), 1) for name in ("colspan", "rowspan"))
        table.cells.append(Cell(content, min(max(columns, 1), _WIDEST_SPAN), max(rows, 1)))
        table.headers += table.cell_is_header
        table.cell, self._run = None, []

    def _end_row(self, table: _Table) -> None:
        cells, table.cells = tuple(table.cells), []
        if any(cell.content.text for cell in cells):
            table.rows.append(Row(cells, table.in_head or table.headers == len(cells)))
        table.headers = 0

    def _end_rows(self) -> None:
        """Write the rows of the innermost table, before anything else is written."""
        if not self._tables:
            return
        table = self._tables[-1]
        self._end_row(table)
        rows, table.rows = table.rows, []
        if rows:
            self._end_items()
            text, header = table_text(rows, self._filling)
            self.writer.add("table", text, header=header)

    def _leave_cell_alone(self) -> None:
        """A heading, table or preformatted text inside a cell shows that the table is there for the page's layout."""
        if self._cell_is_open():
            table = self._tables[-1]
            table.is_layout, table.cell = True, None

    # --- preformatted text

    def _line_in_preformatted(self) -> None:
        if self._run and not self._run[-1][0].endswith("\n"):
            self._run.append(("\n", self._run[-1][1]))

    def _closes_in_preformatted(self, tag: str) -> None:
        self._preformatted -= tag == "pre"
        if self._preformatted:
            self._line_in_preformatted()
            return
        piece, self._run = _as_is(self._run).stripped(), []
        self._end_items()
        self._end_rows()
        if piece.text:
            self.writer.add("code", piece)


def collapsed(run: list[tuple[str, int]]) -> Marked:
    """A run of text with every stretch of white space as one blank, and none at its ends."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    length, blank = 0, False
    for text, line in run:
        words = " ".join(text.split())
        if words:
            lead = " " if length and (blank or text[0].isspace()) else ""
            marks.append((length + len(lead), line))
            parts += (lead, words)
            length += len(lead) + len(words)
            blank = text[-1].isspace()
        else:
            blank = blank or bool(text)
    return Marked("".join(parts), tuple(marks))


def _as_is(run: list[tuple[str, int]]) -> Marked:
    return joined([Marked(text, ((0, line),)) for text, line in run], "")


def _next_item(list: _List, tag: str) -> None:
    if tag == "dd":
        list.marker = "  "
    elif list.number is None:
        list.marker = "- "
    else:
        list.marker = f"{list.number}. "
        list.number += 1


def _item_line(list: _List, piece: Marked) -> Marked:
    """The first line of an item bears its marker; the lines after it stand below the first word."""
    lead = " " * list.indent + list.marker
    list.marker = " " * len(list.marker)
    return Marked(lead + piece.text, tuple((offset + len(lead), line) for offset, line in piece.marks))


def _escaped(piece: Marked) -> Marked:
    """A cell's text with its vertical bars escaped."""
    if "|" not in piece.text:
        return piece
    marks: list[tuple[int, int]] = []
    bars = counted = 0
    for offset, line in piece.marks:
        bars += piece.text.count("|", counted, offset)
        counted = offset
        marks.append((offset + bars, line))
    return Marked(piece.text.replace("|", "\\|"), tuple(marks))


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else otherwise
