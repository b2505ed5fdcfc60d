"""Chunks that follow the outline: never across a heading, filled with whole blocks up to a cap. The default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidex.chunking.atoms import Atom, grouped, section_atoms
from evidex.chunking.identity import Span, identified
from evidex.chunking.outline import sections
from evidex.chunking.words import Words, checked
from evidex.config import ChunkingSettings
from evidex.ports import Chunker
from evidex.types import Chunk, Document


@dataclass(frozen=True, slots=True)
class HeadingChunker:
    """Fills chunks with the blocks of one section, at most `max_words` in each.

    A longer block is cut at sentences or list items, and a longer one of these at words. A table is cut between
    rows and every later piece carries its header rows; code is cut between lines, and a line is never cut.
    """

    max_words: int

    def __post_init__(self) -> None:
        checked(self.max_words)

    @property
    def name(self) -> str:
        return f"headings/1(max_words={self.max_words})"

    def chunk(self, document: Document) -> Sequence[Chunk]:
        words = Words(document.text)
        spans = [span for span, _ in section_spans(document, words, self.max_words)]
        return identified(document, spans, self.name)


def make(settings: ChunkingSettings) -> Chunker:
    """The chunker that `headings` names."""
    return HeadingChunker(settings.max_words)


def section_spans(document: Document, words: Words, limit: int) -> Iterator[tuple[Span, list[Atom]]]:
    """Spans of at most `limit` words that together are the document's text, each with its atoms."""
    groups = [
        (group, section.path)
        for section in sections(document)
        for group in grouped(section_atoms(section, words, limit), words, limit)
    ]
    cuts = [0, *(group[0].start for group, _ in groups[1:]), len(document.text)]
    for (group, path), (start, end) in zip(groups, pairwise(cuts), strict=False):
        yield Span(start, end, path, group[0].table_header(document.text)), group
