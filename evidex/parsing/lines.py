"""The lines of a text: where each begins, and which span of the text a run of them covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evidex.types import Block, BlockKind, OriginMap


@dataclass(frozen=True, slots=True)
class Lines:
    """A text as lines: line i is `text[starts[i]:starts[i + 1]]` without its line feed. Ranges are half open."""

    text: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Lines:
        lines = text.split("\n")
        starts = [0]
        for line in lines[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        return cls(text, tuple(lines), tuple(starts))

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, number: int) -> str:
        return self.lines[number]

    def is_blank(self, number: int) -> bool:
        """Whether a line is white space only; so is every line beyond the last."""
        return number >= len(self.lines) or not self.lines[number].strip()

    def end(self, number: int) -> int:
        """The offset behind the last character of a line that is not white space."""
        return self.starts[number] + len(self.lines[number].rstrip())

    def block(self, kind: BlockKind, first: int, last: int, *, level: int = 0, title: str = "") -> Block:
        """The block over the lines `first` to `last`, without the blank lines at its end."""
        while last - 1 > first and self.is_blank(last - 1):
            last -= 1
        start = self.starts[first]
        return Block(kind, start, self.end(last - 1), level, title, start if kind == "table" else 0)

    def paragraphs(self, first: int, last: int) -> Iterator[Block]:
        """The runs of lines between blank lines, as paragraphs."""
        begun: int | None = None
        for number in range(first, last):
            if self.is_blank(number):
                if begun is not None:
                    yield self.block("paragraph", begun, number)
                begun = None
            elif begun is None:
                begun = number
        if begun is not None:
            yield self.block("paragraph", begun, last)

    def origins(self, first_line: int) -> OriginMap:
        """Every line of the text is a line of the source, counted from `first_line`."""
        return OriginMap("line", self.starts, tuple(range(first_line, first_line + len(self.lines))))


def title_of(blocks: Iterable[Block]) -> str:
    """The first heading of level 1, which is what a document calls itself; "" where there is none."""
    return next((block.title for block in blocks if block.kind == "heading" and block.level == 1), "")
