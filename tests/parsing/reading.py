"""Bytes into `Parsed`, with what holds for every parser checked on the way."""

from __future__ import annotations

from importlib import import_module

from evidex.types import Block, DocumentId, Metadata, Parsed, SourceItem


def check(parsed: Parsed, *, first: int, last: int) -> None:
    """Blocks are in order, apart, and hold every character that is not white space; origins are within the source."""
    end = 0
    for block in parsed.blocks:
        assert end <= block.start < block.end <= len(parsed.text)
        assert not parsed.text[end : block.start].strip()
        assert not parsed.text[block.end - 1].isspace()
        assert block.kind != "table" or block.start <= block.header_end <= block.end
        assert (block.kind == "heading") == (1 <= block.level <= 6)
        end = block.end
    assert not parsed.text[end:].strip()
    assert parsed.text.isascii() or parsed.text.encode()  # no half of a surrogate pair
    assert len(parsed.origins.starts) == len(parsed.origins.numbers) > 0
    assert list(parsed.origins.starts) == sorted(parsed.origins.starts)
    assert all(first <= number <= last for number in parsed.origins.numbers)


def read_with(format: str, content: str | bytes, first_line: int = 1) -> Parsed:
    data = content.encode() if isinstance(content, str) else content
    item = SourceItem("memory", format, data, Metadata(DocumentId("d")), first_line)
    parsed: Parsed = import_module(f"evidex.parsing.{format}").make().parse(item)
    if format != "pdf":
        check(parsed, first=first_line, last=first_line + max(data.count(b"\n"), data.count(b"\r")))
    return parsed


def span(parsed: Parsed, block: Block) -> str:
    return parsed.text[block.start : block.end]
