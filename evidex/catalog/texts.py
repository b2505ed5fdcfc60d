"""From a revision in the catalog to its parsed document; bytes are parsed once per parser version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evidex.catalog.catalog import Catalog, Record
from evidex.errors import ConfigError
from evidex.ports import Parser
from evidex.storage import canonical_json, digest_of
from evidex.types import Block, Document, OriginMap, Parsed, SourceItem


def parser_for(format: str, parsers: Mapping[str, Parser]) -> Parser:
    """The parser of a format. Raises `ConfigError` that lists the formats there are."""
    if format not in list(parsers):
        raise ConfigError(f"No parser reads the format {format!r}.", f"Formats: {', '.join(sorted(parsers))}.")
    return parsers[format]


def parsed_digest(item: SourceItem, content_digest: str, parser: Parser) -> str:
    """The key under which a parsed text is kept."""
    return digest_of([content_digest, item.format, item.first_line, item.one_line, parser.name])


def parse(item: SourceItem, parser: Parser) -> Parsed:
    """The text of an item, with origins that count the lines of its source."""
    parsed = parser.parse(item)
    if item.one_line:
        return replace(parsed, origins=OriginMap("line", (0,), (item.first_line,)))
    return parsed


def load_document(record: Record, catalog: Catalog, parsers: Mapping[str, Parser]) -> Document:
    """The parsed document of a revision, from the catalog's copy; parsed anew only when its parser has changed.

    Raises `ParseError` when a newer parser cannot read what an older one could.
    """
    parser = parser_for(record.format, parsers)
    item = SourceItem(record.locator, record.format, b"", record.metadata, record.first_line, record.one_line)
    digest = parsed_digest(item, record.content_digest, parser)
    kept = catalog.parsed(digest)
    if kept is None:
        parsed = parse(replace(item, content=catalog.content(record.content_digest)), parser)
        catalog.keep({}, {digest: encode(parsed)})
    else:
        parsed = decode(kept)
    return Document(record.key, record.metadata, parser.name, parsed, superseded=record.state == "superseded")


def encode(parsed: Parsed) -> bytes:
    """A parsed text as bytes for the catalog."""
    value = {
        "text": parsed.text,
        "title": parsed.title,
        "blocks": [[b.kind, b.start, b.end, b.level, b.title, b.header_end] for b in parsed.blocks],
        "origins": [parsed.origins.unit, parsed.origins.starts, parsed.origins.numbers],
    }
    return canonical_json(value)


def decode(data: bytes) -> Parsed:
    """The parsed text that `encode` wrote."""
    value: dict[str, Any] = json.loads(data)
    unit, starts, numbers = value["origins"]
    return Parsed(
        text=value["text"],
        blocks=tuple(Block(*fields) for fields in value["blocks"]),
        origins=OriginMap(unit, tuple(starts), tuple(numbers)),
        title=value["title"],
    )
