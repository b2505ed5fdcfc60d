"""How a model sees a context: one whole block a passage, which no passage can close, forge or reach out of.

    <source id="s1" version="3" title="Refunds" section="Refunds &gt; Window" trust="retrieved-data">
    A customer must request a refund within 45 calendar days of purchase.
    </source>

Blocks are numbered `s1`, `s2`, … by their place in the context: a model copies that more surely than a digest, and a
reply maps back by position. Text and attributes are XML-escaped. Characters that nobody sees (controls, zero width,
bidirectional marks, tags) are left out, so nothing is said to the model that a reader of the document could not see.
"""

from __future__ import annotations

import unicodedata
from html import escape

from evidex.analysis.invisible import CATEGORIES
from evidex.types import ChunkId, Context, Passage

TRUST = "retrieved-data"


def source_ids(context: Context) -> dict[str, ChunkId]:
    """The id that each block of `render` has, with its chunk."""
    return {f"s{number}": id for number, id in enumerate(context.ids, start=1)}


def render(context: Context) -> str:
    """All passages as `<source>` blocks, in their order."""
    blocks = zip(source_ids(context), context.passages, strict=True)
    return "\n".join(_block(id, passage) for id, passage in blocks)


def visible(text: str) -> str:
    """`text` without the characters that nobody sees, its line ends all written as a newline."""
    lines = "\n".join(text.splitlines())
    return "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) not in CATEGORIES)


def _block(id: str, passage: Passage) -> str:
    chunk = passage.chunk
    attributes = {
        "id": id,
        "version": chunk.version,
        "title": passage.title,
        "section": " > ".join(chunk.section),
        "trust": TRUST,
    }
    opening = " ".join(f'{name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    text = "\n".join(part for part in (chunk.table_header, chunk.text) if part)
    return f"<source {opening}>\n{escape(visible(text), quote=False)}\n</source>"


def _attribute(value: str) -> str:
    return escape(" ".join(visible(value).split()))
