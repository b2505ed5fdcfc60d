"""The life of a generation, top to bottom: changes, parse, chunk, embed, write, seal.

A generation is written beside its place and moved there when it is whole, so a build that dies leaves nothing behind
that anyone could open. The same documents and settings give the same id and the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.numbering import TermNumbering
from evidex.catalog.catalog import Catalog, Record
from evidex.catalog.texts import load_document
from evidex.config import IndexSettings
from evidex.embedding.cached import CachedEmbedder
from evidex.embedding.probes import probe_vectors
from evidex.errors import ConfigError, ParseError
from evidex.index.approximate import write_approximation
from evidex.index.chunks import parent_ids, write_chunks
from evidex.index.documents import document_digest, write_documents
from evidex.index.layout import Counts, Inputs, generation_id, read_manifest, seal, verify
from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.part import write_part
from evidex.index.postings import write_postings
from evidex.index.strings import Strings
from evidex.index.token_pools import write_token_pools
from evidex.index.vectors import write_vectors
from evidex.index.warm_up import warm_up
from evidex.ports import Analyzer, Chunker, Embedder, Parser, Trainer
from evidex.storage import Folder
from evidex.types import Chunk, Document, Failure, GenerationId, Vectors

WEIGHTS = "embedder"
"""The folder of a generation that holds weights trained on its own corpus."""
COVERAGE = "coverage"
"""The part of a generation that tells how many tokens of each chunk the embedder knew, did not know, never saw."""

PROBED = "probes"
"""The part of a generation that holds the embedder's vectors of fixed sentences."""

_BUILDING = ".building"
_NUMBERED = 10_000


class Progress(Protocol):
    """Called with the name of a step, what is done of it, and the whole."""

    def __call__(self, step: str, done: int, whole: int, /) -> None: ...


def silent(*_: object) -> None:
    """Report no progress."""


@dataclass(frozen=True, slots=True)
class BuildParts:
    """What a build runs on.

    `open_embedder` opens the embedder on a folder of trained weights, which embedders without a trainer ignore; None
    builds without vectors. `embedding` holds, as JSON, the `provider` and the other settings that decide vectors of
    weights which have yet to be trained; where nothing is trained, the embedder's contract takes their place. `batch`
    is the number of texts per call of the embedder. Vectors of texts that were embedded before come from
    `vector_cache`.
    """

    parsers: Mapping[str, Parser]
    chunker: Chunker
    analyzer: Analyzer
    trainer: Trainer | None
    open_embedder: Callable[[Path], Embedder] | None
    embedding: Mapping[str, Any]
    batch: int
    vector_cache: Path
    settings: IndexSettings


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The generation that now is there, whether it had to be written, and the documents that it lacks.

    `width` is that of the vectors, 0 without an embedder; `embedded` counts the texts that the model had to embed now.
    `problem` says what was wrong with the cache of vectors, which costs time only; "" where nothing was.
    """

    id: GenerationId
    written: bool
    documents: int
    chunks: int
    width: int
    embedded: int
    failures: tuple[Failure, ...]
    problem: str = ""


def build(catalog: Catalog, folder: Folder, parts: BuildParts, *, today: date, progress: Progress) -> BuildReport:
    """Build and seal the generation of the documents in force today (with history: of all that ever were)."""
    records = changes(catalog, today, history=parts.settings.history)
    documents, failures = parse(records, catalog, parts.parsers, progress)
    ready = None if parts.open_embedder is None or parts.trainer else parts.open_embedder(folder.path / WEIGHTS)
    inputs = _inputs(documents, parts, ready)
    id = generation_id(inputs)
    folder.remove(_BUILDING)  # what a build that was killed has left
    if not verify(folder.path / id):
        sealed = read_manifest(folder.path / id)
        width = 0 if sealed.contract is None else sealed.contract.width
        return BuildReport(id, False, sealed.counts.documents, sealed.counts.chunks, width, 0, failures)

    warm_up(parts.analyzer, parts.settings, progress)
    target = folder.child(_BUILDING)
    try:
        chunks = write_chunks(target, chunk(documents, parts.chunker, progress))
        write_documents(target, documents)
        terms, tokens = index_terms(target, chunks, parts, progress)
        embedder = ready or train(target, chunks, parts)
        embedded, problem = embed(target, chunks, embedder, parts, progress)
        counts = Counts(len(documents), len(chunks), terms, tokens)
        contract = None if embedder is None else embedder.contract
        seal(target, inputs, counts, contract)
        folder.remove(id)  # a damaged generation gives way to the same one built anew
        folder.rename(_BUILDING, id)
    except BaseException:
        folder.remove(_BUILDING)
        raise
    width = 0 if contract is None else contract.width
    return BuildReport(id, True, len(documents), len(chunks), width, embedded, failures, problem)


def changes(catalog: Catalog, today: date, *, history: bool) -> tuple[Record, ...]:
    """The revisions that a generation built today holds, by key."""
    kept = (
        record
        for record in catalog.records()
        if record.state != "deleted" and not record.metadata.retired and (history or record.in_force(today))
    )
    return tuple(sorted(kept, key=lambda record: record.key))


def parse(
    records: Sequence[Record], catalog: Catalog, parsers: Mapping[str, Parser], progress: Progress
) -> tuple[tuple[Document, ...], tuple[Failure, ...]]:
    """Load every revision; one that a newer parser, or none, can read is a failure, and the rest goes on."""
    documents: list[Document] = []
    failures: list[Failure] = []
    for number, record in enumerate(records, start=1):
        try:
            documents.append(load_document(record, catalog, parsers))
        except (ParseError, ConfigError) as error:
            failures.append(Failure(record.locator, str(error)))
        progress("parse", number, len(records))
    return tuple(documents), tuple(failures)


def chunk(documents: Sequence[Document], chunker: Chunker, progress: Progress) -> tuple[Chunk, ...]:
    """Cut every document. Raises `ConfigError` for a chunker whose text is not that of its span."""
    chunks: list[Chunk] = []
    for number, document in enumerate(documents, start=1):
        pieces = chunker.chunk(document)
        for piece in pieces:
            if piece.text != document.text[piece.start : piece.end]:
                raise ConfigError(
                    f"The chunker {chunker.name!r} gave a chunk of {document.id!r} that is not its text from "
                    f"{piece.start} to {piece.end}.",
                    "Mend the chunker: text and offsets have to agree, or no citation could be verified.",
                )
        chunks.extend(pieces)
        progress("chunk", number, len(documents))
    return tuple(chunks)


def index_terms(folder: Folder, chunks: Sequence[Chunk], parts: BuildParts, progress: Progress) -> tuple[int, int]:
    """Write the postings; returns the number of distinct terms and of all their occurrences."""
    settings = parts.settings
    texts = _texts_to_find(chunks)
    numbering = TermNumbering(parts.analyzer)
    return write_postings(
        folder,
        _numbered(texts, numbering, progress),
        lambda: numbering.terms,
        analyzer=parts.analyzer.name,
        k1=settings.k1,
        b=settings.b,
        hidden=len(parent_ids(chunks)),
    )


def train(folder: Folder, chunks: Sequence[Chunk], parts: BuildParts) -> Embedder | None:
    """The embedder on weights learned from these chunks and written beside them; None in a build without vectors."""
    if parts.trainer is None or parts.open_embedder is None:
        return None
    parts.trainer([text for text in _texts_to_find(chunks) if text], folder.child(WEIGHTS).path)
    return parts.open_embedder(folder.path / WEIGHTS)


def embed(
    folder: Folder, chunks: Sequence[Chunk], embedder: Embedder | None, parts: BuildParts, progress: Progress
) -> tuple[int, str]:
    """Write the vectors of chunks and, where the embedder has them, of their tokens.

    Returns how many were new, and what was wrong with the cache ("" where nothing was).
    """
    if embedder is None:
        return 0, ""
    texts = _texts_to_find(chunks)
    with_tokens = parts.settings.token_vectors and embedder.has_token_vectors
    cached = CachedEmbedder(embedder, parts.vector_cache)
    vectors = np.zeros((len(texts), embedder.contract.width), np.float32)
    counts = np.zeros((len(texts), 3), np.int32)
    for rows in _batches([row for row, text in enumerate(texts) if text], parts.batch):
        found = cached.embed([texts[row] for row in rows], role="passage", token_vectors=with_tokens)
        vectors[rows] = found.vectors
        counts[rows] = np.array([found.known, found.unknown, found.truncated], np.int32).T
        progress("embed", rows[-1] + 1, len(texts))
    write_approximation(folder, write_vectors(folder, vectors, contract=embedder.contract), parts.settings)
    write_part(folder.child(COVERAGE), {"known-unknown-truncated": counts}, {})
    write_part(folder.child(PROBED), {"vectors": probe_vectors(embedder)}, {})
    embedded = cached.embedded
    if with_tokens:
        # Read from the cache a second time: the vectors of all tokens at once would not fit into memory.
        write_token_vectors(folder, _token_vectors(texts, cached, parts.batch), width=embedder.contract.width)
        write_token_pools(folder, SealedTokenVectors.open(folder.path, ids=Strings.of(chunk.id for chunk in chunks)))
    return embedded, cached.problem


def _inputs(documents: Sequence[Document], parts: BuildParts, ready: Embedder | None) -> Inputs:
    return Inputs(
        documents=tuple((document.key, document_digest(document)) for document in documents),
        parsers=tuple(sorted({document.parser for document in documents})),
        chunker=parts.chunker.name,
        analyzer=parts.analyzer.name,
        embedding=_embedding(parts, ready),
        settings=parts.settings.model_dump(mode="json"),
    )


def _embedding(parts: BuildParts, ready: Embedder | None) -> Mapping[str, Any]:
    """What decides the vectors, as far as it is known before anything is trained."""
    if parts.trainer is not None:
        return {**parts.embedding, "trainer": parts.trainer.name}
    contract = {} if ready is None else asdict(ready.contract)
    return {"provider": parts.embedding["provider"], **contract}


def _numbered(
    texts: Sequence[str], numbering: TermNumbering, progress: Progress
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    for rows in _batches(range(len(texts)), _NUMBERED):
        yield numbering.number(texts[rows[0] : rows[-1] + 1])
        progress("index", rows[-1] + 1, len(texts))


def _texts_to_find(chunks: Sequence[Chunk]) -> list[str]:
    """What the channels index of each chunk; nothing of parents, which are delivered and never found."""
    parents = parent_ids(chunks)
    return ["" if chunk.id in parents else chunk.indexed_text for chunk in chunks]


def _token_vectors(texts: Sequence[str], embedder: Embedder, batch: int) -> Iterator[Vectors]:
    nothing = np.zeros((0, embedder.contract.width), np.float32)
    for rows in _batches(range(len(texts)), batch):
        asked = [texts[row] for row in rows if texts[row]]
        found = iter(embedder.embed(asked, role="passage", token_vectors=True).token_vectors)
        yield from (next(found) if texts[row] else nothing for row in rows)


def _batches(rows: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
