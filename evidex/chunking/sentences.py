"""Chunks of whole sentences, wherever headings fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidex.chunking.atoms import Atom, grouped, refined
from evidex.chunking.identity import Span, identified
from evidex.chunking.outline import path_at, sections
from evidex.chunking.words import Words, checked
from evidex.config import ChunkingSettings
from evidex.ports import Chunker
from evidex.types import Chunk, Document


@dataclass(frozen=True, slots=True)
class SentenceChunker:
    """Fills chunks with sentences, list items and table rows, at most `max_words` in each.

    A longer sentence is cut at words; a line of code is never cut. A chunk names the section in which it begins.
    """

    max_words: int

    def __post_init__(self) -> None:
        checked(self.max_words)

    @property
    def name(self) -> str:
        return f"sentences/1(max_words={self.max_words})"

    def chunk(self, document: Document) -> Sequence[Chunk]:
        words, outline = Words(document.text), sections(document)
        blocks = (Atom(block.start, block.end, block) for block in document.parsed.blocks)
        sentences = (part for block in blocks for part in refined(block, words, self.max_words))
        firsts = [group[0] for group in grouped(sentences, words, self.max_words)]
        cuts = [0, *(first.start for first in firsts[1:]), len(document.text)]
        spans = [
            Span(start, end, path_at(outline, first.start), first.table_header(document.text))
            for first, (start, end) in zip(firsts, pairwise(cuts), strict=False)
        ]
        return identified(document, spans, self.name)


def make(settings: ChunkingSettings) -> Chunker:
    """The chunker that `sentences` names."""
    return SentenceChunker(settings.max_words)
