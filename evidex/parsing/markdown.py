"""Markdown: CommonMark with tables, its structure found by markdown-it-py."""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evidex.parsing.crashes import crashes_are_parse_errors
from evidex.parsing.decoding import decode
from evidex.parsing.lines import Lines, title_of
from evidex.types import Block, BlockKind, Parsed, SourceItem

_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
}
_ATTRIBUTE_LIST = re.compile(r"\s*\{:?\s*(?:[#.][^{}]*|-\s*|[\w-]+=[^{}]*)\}\s*$")
_LONGEST_TITLE = 1000


class MarkdownParser:
    """The text is the decoded source itself, markup included, so offsets are those of the source."""

    name = "markdown/1"

    def __init__(self) -> None:
        # The inline markup of a paragraph decides nothing here, and reading it would cost most of the time.
        self._blocks = MarkdownIt("commonmark").enable("table")
        self._blocks.core.ruler.disable(["inline", "text_join"])
        self._inline = MarkdownIt("commonmark")

    def parse(self, item: SourceItem) -> Parsed:
        """Raises `ParseError` for bytes that are not text."""
        lines = Lines.of(decode(item.content))
        with crashes_are_parse_errors("Markdown"):
            blocks = tuple(self._read(lines))
        return Parsed(lines.text, blocks, lines.origins(item.first_line), title_of(blocks))

    def _read(self, lines: Lines) -> Iterator[Block]:
        references: dict[str, Any] = {}
        tokens = self._blocks.parse(lines.text, references)
        done = 0
        for position, token in enumerate(tokens):
            if token.level or token.map is None or token.map[0] < done:
                continue
            first, last = token.map
            yield from lines.paragraphs(done, first)  # link definitions leave no token
            yield from self._block(lines, tokens, position, references)
            done = last
        yield from lines.paragraphs(done, len(lines))

    def _block(
        self, lines: Lines, tokens: list[Token], position: int, references: MutableMapping[str, Any]
    ) -> Iterator[Block]:
        token = tokens[position]
        assert token.map is not None
        first, last = token.map
        kind = _KINDS.get(token.type)
        if kind is None:
            yield from lines.paragraphs(first, last)
        elif kind == "heading":
            title = self._plain(tokens[position + 1].content, references)
            yield lines.block(kind, first, last, level=int(token.tag[1]), title=title)
        elif kind == "table":
            table = lines.block(kind, first, last)
            yield Block(kind, table.start, table.end, header_end=lines.end(first + 1))
        else:
            yield lines.block(kind, first, last)

    def _plain(self, source: str, references: MutableMapping[str, Any]) -> str:
        """The words of a heading, without markup and without an attribute list such as `{ #install }` at its end."""
        if len(source) > _LONGEST_TITLE:
            return " ".join(source.split())
        children = list(self._inline.parseInline(source, references)[0].children or ())
        words = [" " if child.type in ("softbreak", "hardbreak") else _words(child) for child in children]
        if children and children[-1].type == "text":
            words[-1] = _ATTRIBUTE_LIST.sub("", words[-1])
        return " ".join("".join(words).split()) or source.strip()


def _words(token: Token) -> str:
    return token.content if token.type in ("text", "code_inline", "image") else ""


def make() -> MarkdownParser:
    """The parser of the format `markdown`."""
    return MarkdownParser()
