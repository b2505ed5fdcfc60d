"""reStructuredText: sections by their adornment, literal blocks, tables and lists, read line by line.

Follows the reStructuredText Markup Specification of Docutils as far as structure goes; directives are not run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidex.parsing.decoding import decode
from evidex.parsing.lines import Lines, title_of
from evidex.types import Block, Parsed, SourceItem

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
_SHORTEST_LOOSE_ADORNMENT = 4  # Docutils takes a line this long for an adornment even where the title is longer
_DEEPEST_LEVEL = 6
_CODE = re.compile(r"\s*\.\. +(?:code|code-block|sourcecode|parsed-literal|prompt|literalinclude)::")
_TABLE = re.compile(r"\s*\.\. +(?:table|list-table|csv-table)::")
_ITEM = re.compile(r"(\s*)(?:[-*+•]|\(?(?:\d+|#|[A-Za-z])[.)])(?:\s+\S|$)")
_GRID_BORDER = re.compile(r"\s*\+(?:[-=]+\+)+\s*$")
_SIMPLE_BORDER = re.compile(r"\s*=+(?: +=+)+\s*$")
_MARKUP = (
    (re.compile(r":[\w.:+-]+:`([^`<]+?)(?:\s*<[^`>]*>)?`"), r"\1"),
    (re.compile(r"``(.+?)``"), r"\1"),
    (re.compile(r"`([^`<]+?)(?:\s*<[^`>]*>)?`_{0,2}"), r"\1"),
    (re.compile(r"(?<!\\)\*\*(.+?)\*\*"), r"\1"),
    (re.compile(r"(?<![\\*])\*(\S.*?)\*"), r"\1"),
    (re.compile(r"\\(.)"), r"\1"),
)
_LONGEST_TITLE = 1000


class RestructuredParser:
    """The text is the decoded source itself, markup included, so offsets are those of the source."""

    name = "restructured/1"

    def parse(self, item: SourceItem) -> Parsed:
        """Raises `ParseError` for bytes that are not text."""
        lines = Lines.of(decode(item.content))
        blocks = tuple(_read(lines))
        return Parsed(lines.text, blocks, lines.origins(item.first_line), title_of(blocks))


def _read(lines: Lines) -> Iterator[Block]:
    """Blocks in order. Heading levels follow the order in which adornment styles first appear."""
    styles: list[str] = []
    here = 0
    while here < len(lines):
        if lines.is_blank(here):
            here += 1
        elif (heading := _heading(lines, here)) is not None:
            last, title, style = heading
            if style not in styles:
                styles.append(style)
            level = min(styles.index(style) + 1, _DEEPEST_LEVEL)
            yield lines.block("heading", here, last, level=level, title=title)
            here = last
        else:
            block, here = _body(lines, here)
            yield block
            if block.kind == "paragraph" and _announces_literal(lines[here - 1]):
                literal = _literal(lines, here, deeper_than=_indent(lines[here - 1]))
                if literal is not None:
                    block, here = literal
                    yield block


def _heading(lines: Lines, here: int) -> tuple[int, str, str] | None:
    """The line behind a section title that begins here, the title, and its style; None where there is none."""
    if _is_adornment(lines[here]) and not lines.is_blank(here + 1) and here + 2 < len(lines):
        title, below = lines[here + 1].strip(), lines[here + 2].rstrip()
        if below == lines[here].rstrip() and _underlines(below, title):
            return here + 3, _plain(title), f"over {below[0]}"
    if here + 1 < len(lines) and not lines[here][0].isspace() and _is_adornment(lines[here + 1]):
        title, below = lines[here].strip(), lines[here + 1].rstrip()
        if _underlines(below, title) and not _is_adornment(lines[here]):
            return here + 2, _plain(title), below[0]
    return None


def _is_adornment(line: str) -> bool:
    return _ADORNMENT.match(line) is not None and line.strip() not in ("::", "..")


def _underlines(adornment: str, title: str) -> bool:
    return len(adornment) >= min(len(title), _SHORTEST_LOOSE_ADORNMENT)


def _body(lines: Lines, here: int) -> tuple[Block, int]:
    """The block that begins at a line which is neither blank nor a title, and the line behind it."""
    line = lines[here]
    if _CODE.match(line):
        last = _indented_end(lines, here + 1, deeper_than=_indent(line))
        return lines.block("code", here, last), last
    if _TABLE.match(line):
        last = _indented_end(lines, here + 1, deeper_than=_indent(line))
        return lines.block("table", here, last), last
    if _GRID_BORDER.match(line):
        return _table(lines, here, _run_end(lines, here), _grid_header_end(lines, here))
    if _SIMPLE_BORDER.match(line) and (borders := _simple_borders(lines, here)):
        header = borders[0] if len(borders) == 2 else here
        return _table(lines, here, borders[-1] + 1, header)
    if item := _ITEM.match(line):
        last = _list_end(lines, here, len(item[1]))
        return lines.block("list", here, last), last
    last = _paragraph_end(lines, here)
    return lines.block("code" if line.lstrip().startswith(">>> ") else "paragraph", here, last), last


def _table(lines: Lines, first: int, last: int, header: int) -> tuple[Block, int]:
    """The table over `first` to `last`, whose header rows end with the line `header` (`first`: it has none)."""
    start = lines.starts[first]
    end_of_header = lines.end(header) if header > first else start
    return Block("table", start, lines.end(last - 1), header_end=end_of_header), last


def _grid_header_end(lines: Lines, here: int) -> int:
    last = _run_end(lines, here)
    return next((row for row in range(here, last) if "=" in lines[row] and _GRID_BORDER.match(lines[row])), here)


def _simple_borders(lines: Lines, here: int) -> list[int]:
    """The borders below the top one: the header's and the bottom's, or the bottom's alone; none where it is missing."""
    borders = []
    for row in range(here + 1, len(lines)):
        if _SIMPLE_BORDER.match(lines[row]):
            borders.append(row)
            if len(borders) == 2 or lines.is_blank(row + 1):
                return borders
    return []


def _announces_literal(line: str) -> bool:
    return line.rstrip().endswith("::") and not line.lstrip().startswith(".. ")


def _literal(lines: Lines, here: int, *, deeper_than: int) -> tuple[Block, int] | None:
    """The indented block after a paragraph that ends in `::`."""
    while here < len(lines) and lines.is_blank(here):
        here += 1
    if here == len(lines) or _indent(lines[here]) <= deeper_than:
        return None
    last = _indented_end(lines, here, deeper_than=deeper_than)
    return lines.block("code", here, last), last


def _list_end(lines: Lines, here: int, indent: int) -> int:
    """A list goes on through items at its own indent and through everything indented deeper."""
    last = here + 1
    for row in range(here + 1, len(lines)):
        if lines.is_blank(row):
            continue
        item = _ITEM.match(lines[row])
        if _indent(lines[row]) <= indent and not (item and len(item[1]) == indent and _heading(lines, row) is None):
            break
        last = row + 1
    return last


def _paragraph_end(lines: Lines, here: int) -> int:
    """A paragraph ends at a blank line; explicit markup (`.. note::`) also before text that is not indented."""
    last = here + 1
    explicit = lines[here].lstrip().startswith(".. ")
    while not lines.is_blank(last) and not (explicit and _indent(lines[last]) <= _indent(lines[here])):
        last += 1
    return last


def _run_end(lines: Lines, here: int) -> int:
    while not lines.is_blank(here):
        here += 1
    return here


def _indented_end(lines: Lines, here: int, *, deeper_than: int) -> int:
    last = here
    for row in range(here, len(lines)):
        if lines.is_blank(row):
            continue
        if _indent(lines[row]) <= deeper_than:
            break
        last = row + 1
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _plain(title: str) -> str:
    if len(title) > _LONGEST_TITLE:
        return title
    for pattern, words in _MARKUP:
        title = pattern.sub(words, title)
    return title


def make() -> RestructuredParser:
    """The parser of the format `restructured`."""
    return RestructuredParser()
