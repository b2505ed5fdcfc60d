"""Windows of so many words, so far apart: the plain baseline, blind to sentences and headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidex.chunking.identity import Span, identified
from evidex.chunking.outline import path_at, sections
from evidex.chunking.words import Words, checked
from evidex.config import ChunkingSettings
from evidex.errors import ConfigError
from evidex.ports import Chunker
from evidex.types import Chunk, Document


@dataclass(frozen=True, slots=True)
class WindowChunker:
    """Windows of `size` words; neighbours share `overlap` words. n > overlap words give
    ⌈(n − overlap) / (size − overlap)⌉ windows, and no words give none.

    A window reaches from the start of its first word to the start of the word after its last.
    """

    size: int
    overlap: int = 0

    def __post_init__(self) -> None:
        checked(self.size)
        if not 0 <= self.overlap < self.size:
            raise ConfigError(
                f"Setting 'chunking.overlap_words' is {self.overlap!r} with windows of {self.size} words.",
                f"Set it to 0 or more, and below {self.size}.",
            )

    @property
    def name(self) -> str:
        return f"windows/1(max_words={self.size},overlap_words={self.overlap})"

    def chunk(self, document: Document) -> Sequence[Chunk]:
        outline, words = sections(document), Words(document.text)
        spans = [
            Span(0 if first == 0 else start, end, path_at(outline, start)) for first, start, end in self._windows(words)
        ]
        return identified(document, spans, self.name)

    def _windows(self, words: Words) -> Iterator[tuple[int, int, int]]:
        edges = [*words.starts, len(words.text)]
        for first in range(0, len(words), self.size - self.overlap):
            last = min(first + self.size, len(words))
            yield first, edges[first], edges[last]
            if last == len(words):
                return


def make(settings: ChunkingSettings) -> Chunker:
    """The chunker that `windows` names. Raises `ConfigError` for an overlap that leaves no step."""
    return WindowChunker(settings.max_words, settings.overlap_words)
