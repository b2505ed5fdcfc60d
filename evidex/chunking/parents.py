"""Sentences to find, sections to deliver: small chunks match best, wide ones answer best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from evidex.chunking.atoms import Atom, grouped, refined
from evidex.chunking.headings import section_spans
from evidex.chunking.identity import Span, identified
from evidex.chunking.words import Words, checked
from evidex.config import ChunkingSettings
from evidex.ports import Chunker
from evidex.types import Chunk, Document

PARENT_FACTOR = 2
"""How many times `max_words` a parent may hold."""


@dataclass(frozen=True, slots=True)
class ParentChunker:
    """Parents are cut as `headings` cuts, at twice `max_words`; each is followed by its children, one a sentence.

    A child names its parent; headings stand with the first sentence below them. Parents alone make up the whole
    text, and so do children alone.
    """

    max_words: int

    def __post_init__(self) -> None:
        checked(self.max_words)

    @property
    def name(self) -> str:
        return f"parents/1(max_words={self.max_words})"

    def chunk(self, document: Document) -> Sequence[Chunk]:
        words = Words(document.text)
        families = list(section_spans(document, words, self.max_words * PARENT_FACTOR))
        parents = identified(document, [span for span, _ in families], self.name)
        spans = [
            replace(child, parent=parent.id)
            for parent, (span, atoms) in zip(parents, families, strict=True)
            for child in self._children(span, atoms, words)
        ]
        children = identified(document, spans, f"{self.name}/child")
        by_parent = {parent: tuple(group) for parent, group in groupby(children, key=lambda child: child.parent)}
        return tuple(chunk for parent in parents for chunk in (parent, *by_parent[parent.id]))

    def _children(self, parent: Span, atoms: Sequence[Atom], words: Words) -> Iterator[Span]:
        size = sum(atom.size(words) for atom in atoms if atom.leads)
        leads = size <= self.max_words // 2
        room = self.max_words - size if leads else self.max_words
        runs = (list(run) for _, run in groupby(atoms, key=lambda atom: atom.block))
        blocks = (replace(run[0], end=run[-1].end, leads=run[0].leads and leads) for run in runs)
        parts = (part for block in blocks for part in refined(block, words, room))
        firsts = [group[0] for group in grouped(parts, words, 0)]
        cuts = [parent.start, *(first.start for first in firsts[1:]), parent.end]
        for first, (start, end) in zip(firsts, pairwise(cuts), strict=True):
            yield Span(start, end, parent.section, first.table_header(words.text))


def make(settings: ChunkingSettings) -> Chunker:
    """The chunker that `parents` names."""
    return ParentChunker(settings.max_words)
