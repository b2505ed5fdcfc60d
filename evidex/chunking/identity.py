"""What makes a chunk the same chunk? Its document, its place in the outline and its words; never its offset.

So an edit in one section leaves the ids of the other sections' chunks as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidex.storage import digest_of
from evidex.types import Chunk, ChunkId, Document

_NEIGHBOUR_DIGITS = 8
_OWN_DIGITS = 24


@dataclass(frozen=True, slots=True)
class Span:
    """A chunk to be: where it lies, and what is known of its place."""

    start: int
    end: int
    section: tuple[str, ...] = ()
    table_header: str = ""
    parent: ChunkId | None = None


def chunk_id(
    document: Document,
    section: Sequence[str],
    text: str,
    table_header: str,
    chunker_name: str,
    occurrence: int,
) -> ChunkId:
    """40 hexadecimal digits: 8 of the tenant's SHA-256, 8 of the document's, and 24 over everything that a chunk is.

    So wherever chunks are sorted by id, those of a tenant are neighbours, and among them those of a document: a search
    within one tenant reads its own postings and vectors and nobody else's, and a changed document moves bytes in one
    place. `occurrence` numbers chunks of one document that are equal in all else, from 0. White space around the text
    does not count. A superseded revision adds its key, for its successor may declare the same version.
    """
    revision = document.key if document.superseded else ""
    place = [document.metadata.tenant, document.id, document.metadata.version, revision, document.title, *section]
    making = [document.parser, chunker_name]
    near = [digest_of(name)[:_NEIGHBOUR_DIGITS] for name in (document.metadata.tenant, document.id)]
    return ChunkId("".join(near) + digest_of([place, making, text.strip(), table_header, occurrence])[:_OWN_DIGITS])


def identified(document: Document, spans: Iterable[Span], chunker_name: str) -> tuple[Chunk, ...]:
    """The chunks of a document from their spans, in the order given."""
    seen: Counter[tuple[tuple[str, ...], str, str]] = Counter()
    chunks: list[Chunk] = []
    for span in spans:
        text = document.text[span.start : span.end]
        likeness = (span.section, text.strip(), span.table_header)
        id = chunk_id(document, span.section, text, span.table_header, chunker_name, seen[likeness])
        seen[likeness] += 1
        chunks.append(
            Chunk(
                id=id,
                document=document.id,
                version=document.metadata.version,
                key=document.key,
                start=span.start,
                end=span.end,
                text=text,
                section=span.section,
                table_header=span.table_header,
                parent=span.parent,
            )
        )
    return tuple(chunks)
