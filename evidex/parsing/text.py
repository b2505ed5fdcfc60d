"""Plain text: paragraphs between blank lines."""

from __future__ import annotations

from evidex.parsing.decoding import decode
from evidex.parsing.lines import Lines
from evidex.types import Parsed, SourceItem


class TextParser:
    """The text is the decoded content itself, so offsets are those of the source."""

    name = "text/1"

    def parse(self, item: SourceItem) -> Parsed:
        """Raises `ParseError` for bytes that are not text."""
        lines = Lines.of(decode(item.content))
        return Parsed(lines.text, tuple(lines.paragraphs(0, len(lines))), lines.origins(item.first_line))


def make() -> TextParser:
    """The parser of the format `text`."""
    return TextParser()
