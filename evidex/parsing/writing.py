"""Writing a text block by block, for sources whose own bytes are no text to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from evidex.types import Block, BlockKind, OriginMap, Parsed

BETWEEN_BLOCKS = "\n\n"


@dataclass(frozen=True, slots=True)
class Marked:
    """A piece of text; `marks` pairs offsets into it with the line or page of the source from there on."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def stripped(self) -> Marked:
        """The same without blank lines at its start and white space at its end; indentation stays."""
        lead = len(self.text) - len(self.text.lstrip())
        cut = self.text.rfind("\n", 0, lead) + 1
        text = self.text[cut:].rstrip()
        before = [number for offset, number in self.marks if offset <= cut]
        first = [(0, before[-1])] if before else []
        return Marked(text, (*first, *((at - cut, number) for at, number in self.marks if cut < at < cut + len(text))))


def joined(pieces: Sequence[Marked], between: str) -> Marked:
    """The pieces as one text, with their marks moved along."""
    marks: list[tuple[int, int]] = []
    here = 0
    for piece in pieces:
        marks += [(here + offset, number) for offset, number in piece.marks]
        here += len(piece.text) + len(between)
    return Marked(between.join(piece.text for piece in pieces), tuple(marks))


@dataclass(slots=True)
class Writer:
    """Collects blocks in document order; a blank line stands between one and the next."""

    unit: Literal["line", "page"]
    first: int
    last: int
    _texts: list[str] = field(default_factory=list)
    _blocks: list[Block] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)
    _end: int = 0

    def add(self, kind: BlockKind, piece: Marked, *, level: int = 0, header: int = 0) -> None:
        """Append a block. `header` is the length of a table's header rows; a heading's title is its own text."""
        start = self._end + len(BETWEEN_BLOCKS) if self._blocks else 0
        self._end = start + len(piece.text)
        self._texts.append(piece.text)
        title = piece.text if kind == "heading" else ""
        self._blocks.append(Block(kind, start, self._end, level, title, start + header if kind == "table" else 0))
        for offset, number in piece.marks:
            self._mark(start + offset, min(number, self.last))

    def _mark(self, offset: int, number: int) -> None:
        if self._numbers and self._numbers[-1] == number:
            return
        self._starts.append(offset)
        self._numbers.append(number)

    def parsed(self, title: str = "") -> Parsed:
        """Everything written so far. A text without marks begins at `first`."""
        origins = OriginMap(self.unit, tuple(self._starts) or (0,), tuple(self._numbers) or (self.first,))
        return Parsed(BETWEEN_BLOCKS.join(self._texts), tuple(self._blocks), origins, title)
