"""What goes wrong while a generation is built: parsers, chunkers, analyzers and embedders that lose something.

Each wraps the real part and spoils it for the documents that it names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from evidex.analysis.identifiers import identifiers
from evidex.chunking.windows import WindowChunker
from evidex.grounding.locate import places
from evidex.ports import Analyzer, Chunker, Embedder, Parser
from evidex.testing.at_ingest import Name, evidence_of
from evidex.testing.pipeline import Pipeline, Wrap
from evidex.testing.prefixes import Prefixed
from evidex.types import Block, Case, Chunk, Document, OriginMap, Parsed, SourceItem

Names: TypeAlias = frozenset[Name]

WINDOW, OVERLAP = 8, 2
"""Words of windows that are too small for most sentences, and words that neighbours share."""


def tables_dropped(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The parser leaves tables out."""
    return replace(pipeline, parsers=(*pipeline.parsers, Wrap("B1", _WithoutTables, (_names(cases, pipeline),))))


def spans_split(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Small windows cut through sentences."""
    return replace(pipeline, chunkers=(*pipeline.chunkers, _cut("B2", _windows, cases, pipeline)))


def headings_lost(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Chunks have neither the headings under which they stand nor the path down to them."""
    return replace(pipeline, chunkers=(*pipeline.chunkers, _cut("B2", _without_headings, cases, pipeline)))


def chunks_left_out(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The chunks with the evidence never reach the generation; the rest of their documents does."""
    quotes = frozenset(evidence.quote for case in cases for evidence in case.evidence)
    return replace(pipeline, chunkers=(*pipeline.chunkers, _cut("B3", _WithoutChunks(quotes), cases, pipeline)))


def identifiers_dissolved(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:  # noqa: ARG001 - of all documents
    """Keyword search reads identifiers as nothing at all, in passages and in questions."""
    return replace(pipeline, analyzers=(*pipeline.analyzers, Wrap("B3", _WithoutIdentifiers)))


def prefix_forgotten(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:  # noqa: ARG001 - of all documents
    """Passages are embedded without the prefix that the contract promises."""
    return replace(pipeline, sealers=(*pipeline.sealers, Wrap("B3", _forgetful)))


def _names(cases: Sequence[Case], pipeline: Pipeline) -> Names:
    return frozenset(evidence_of(cases, pipeline))


def _cut(
    boundary: str, cut: Callable[[Chunker, Document], Sequence[Chunk]], cases: Sequence[Case], pipeline: Pipeline
) -> Wrap:
    return Wrap(boundary, _Spoilt, (_names(cases, pipeline), cut))


@dataclass(frozen=True, slots=True)
class _WithoutTables:
    parser: Parser
    names: Names

    @property
    def name(self) -> str:
        return self.parser.name

    def parse(self, item: SourceItem) -> Parsed:
        parsed = self.parser.parse(item)
        if (item.metadata.tenant, item.metadata.id) not in self.names:
            return parsed
        return _without([(block.start, block.end) for block in parsed.blocks if block.kind == "table"], parsed)


def _without(spans: Sequence[tuple[int, int]], parsed: Parsed) -> Parsed:
    """A parsed text without some of its blocks; what follows them moves up, with the way back to its line."""
    kept = list(_between(spans, len(parsed.text)))

    def moved(offset: int) -> int:
        return offset - sum(min(offset, end) - start for start, end in spans if start < offset)

    def block_moved(block: Block) -> Block:
        start, end, header = moved(block.start), moved(block.end), moved(block.header_end)
        return replace(block, start=start, end=end, header_end=header)

    gone = {start for start, _ in spans}
    starts = {moved(start): number for start, number in zip(parsed.origins.starts, parsed.origins.numbers, strict=True)}
    return Parsed(
        "".join(parsed.text[start:end] for start, end in kept),
        tuple(block_moved(block) for block in parsed.blocks if block.start not in gone),
        OriginMap(parsed.origins.unit, tuple(starts), tuple(starts.values())),
        parsed.title,
    )


def _between(spans: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    begin = 0
    for start, end in spans:
        yield begin, start
        begin = end
    yield begin, length


@dataclass(frozen=True, slots=True)
class _Spoilt:
    """A chunker that cuts the documents which it names in another way."""

    chunker: Chunker
    names: Names
    cut: Callable[[Chunker, Document], Sequence[Chunk]]

    @property
    def name(self) -> str:
        return self.chunker.name

    def chunk(self, document: Document) -> Sequence[Chunk]:
        named = (document.metadata.tenant, document.id) in self.names
        return self.cut(self.chunker, document) if named else self.chunker.chunk(document)


def _windows(_: Chunker, document: Document) -> Sequence[Chunk]:
    return WindowChunker(WINDOW, OVERLAP).chunk(document)


def _without_headings(chunker: Chunker, document: Document) -> Sequence[Chunk]:
    headings = [block for block in document.parsed.blocks if block.kind == "heading"]

    def below(chunk: Chunk) -> Chunk:
        start = max((h.end for h in headings if chunk.start <= h.start and h.end < chunk.end), default=chunk.start)
        return replace(chunk, section=(), start=start, text=document.text[start : chunk.end])

    return [below(chunk) for chunk in chunker.chunk(document)]


@dataclass(frozen=True, slots=True)
class _WithoutChunks:
    """Leaves out the chunks that hold one of the quotes."""

    quotes: frozenset[str]

    def __call__(self, chunker: Chunker, document: Document) -> Sequence[Chunk]:
        return [chunk for chunk in chunker.chunk(document) if not any(_holds(chunk, quote) for quote in self.quotes)]


def _holds(chunk: Chunk, quote: str) -> bool:
    return any(places(quote, chunk.text, 0, len(chunk.text)))


@dataclass(frozen=True, slots=True)
class _WithoutIdentifiers:
    """An analyzer to which an identifier is no word."""

    analyzer: Analyzer

    @property
    def name(self) -> str:
        return self.analyzer.name

    def terms(self, text: str) -> list[str]:
        lost = frozenset(identifiers(text))
        return self.analyzer.terms(" ".join(word for word in text.split() if not lost & frozenset(identifiers(word))))


def _forgetful(embedder: Embedder) -> Embedder:
    return replace(embedder, forgetful=True) if isinstance(embedder, Prefixed) else embedder
