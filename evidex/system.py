"""What does a generation look like to those who judge it? Everything that is there, whoever may read it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evidex.assembly import OpenedGeneration
from evidex.catalog.catalog import Catalog, Record
from evidex.errors import EvidexError
from evidex.index.build import COVERAGE
from evidex.index.part import open_part
from evidex.judging import Outcome, Revision, Substitution, System
from evidex.query.ask import ask, search
from evidex.query.substitute import substituted
from evidex.storage import digest_of
from evidex.trace import Trace
from evidex.types import Case, Channel, ChunkId, DocumentId, DocumentKey, Question

Name = TypeVar("Name", bound=Hashable)

_BINARY_FORMATS = frozenset({"pdf"})


def system_of(
    opened: OpenedGeneration,
    catalog: Catalog,
    *,
    question_of: Callable[[Case], Question],
    today: Callable[[], date],
) -> System:
    """The system that answers from an opened generation; `question_of` makes a case's question, or raises."""
    view = _Judged(opened, catalog, question_of, today)
    generation = opened.generation
    inputs = generation.manifest.inputs
    return System(
        generation=opened.id,
        corpus=digest_of(sorted(inputs.documents)),
        built_with={
            "chunker": inputs.chunker,
            "analyzer": inputs.analyzer,
            "embedding": dict(inputs.embedding),
            "index": dict(inputs.settings),
        },
        settings=opened.parts.settings,
        chunk_count=len(generation.chunks) - int(generation.chunks.is_parent.sum()),
        outcome=view.outcome,
        search=view.search,
        visible_chunks=lambda case: opened.parts.scope(question_of(case)).size,
        everything=view.everything,
        revisions=view.revisions,
        relatives=view.relatives,
        documents=view.documents,
        chunks=generation.chunks.get,
        families=view.families,
        source_text=view.source_text,
        ranks=view.ranks,
        terms=generation.sparse.analyzer.terms,
        fidelity=view.fidelity,
        unread_tokens=view.unread_tokens,
    )


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The catalog at one revision: every record, by document, family and key."""

    revision: int = -1
    of_document: Mapping[DocumentId, tuple[Record, ...]] = field(default_factory=dict)
    of_family: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    of_key: Mapping[DocumentKey, Record] = field(default_factory=dict)


class _Judged:
    """One opened generation beside the catalog. Threads may share it: what it remembers is replaced as a whole."""

    def __init__(
        self,
        opened: OpenedGeneration,
        catalog: Catalog,
        question_of: Callable[[Case], Question],
        today: Callable[[], date],
    ) -> None:
        self._opened = opened
        self._generation = opened.generation
        self._catalog = catalog
        self._question_of = question_of
        self._today = today
        self._snapshot = _Snapshot()

    # --- asking

    def outcome(self, case: Case, substitution: Substitution) -> Outcome:
        trace = Trace(self._opened.id, case.question, settings=self._opened.parts.settings.digest)
        try:
            parts = substituted(self._opened.parts, substitution)
            reply = ask(self._question_of(case), parts, trace)
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything, and a question is a row
            return Outcome(trace, error=_sentence(error))
        return Outcome(trace, reply.found.query, reply.found.order, reply.context, reply.answer)

    def search(self, case: Case) -> Outcome:
        trace = Trace(self._opened.id, case.question, settings=self._opened.parts.settings.digest)
        try:
            found = search(self._question_of(case), self._opened.parts, trace)
        except Exception as error:  # noqa: BLE001 - see above
            return Outcome(trace, error=_sentence(error))
        return Outcome(trace, found.query, found.order)

    def ranks(self, case: Case, chunks: Sequence[ChunkId]) -> Mapping[Channel, Mapping[ChunkId, int]]:
        scope = self._opened.parts.scope(self._question_of(case))
        everything = max(1, len(self._generation.chunks))
        wanted = frozenset(chunks)
        indexes = {index.channel: index for index in self._opened.parts.indexes}
        dense = self._generation.dense
        if dense is not None and dense.approximation is not None and dense.channel in indexes:
            indexes[f"{dense.channel} (exact)"] = replace(dense, approximation=None)
        return {
            name: {hit.chunk: hit.rank for hit in ranking.hits if hit.chunk in wanted}
            for name, index in indexes.items()
            for ranking in index.search([case.question], scope, everything)
        }

    # --- what is there

    def everything(self, case: Case) -> tuple[ChunkId, ...]:
        visible = self._opened.parts.scope(self._question_of(case)).documents
        chunks = self._generation.chunks
        return tuple(chunk.id for row in np.flatnonzero(visible) for chunk in chunks.of_document(int(row)))

    def revisions(self, document: DocumentId, case: Case) -> tuple[Revision, ...]:
        return self._revisions(self._now().of_document.get(document, ()), case)

    def relatives(self, family: str, case: Case) -> tuple[Revision, ...]:
        return self._revisions(self._now().of_family.get(family, ()), case)

    def documents(self) -> tuple[DocumentId, ...]:
        return tuple(self._now().of_document)

    def families(self, ids: Sequence[ChunkId]) -> tuple[str, ...]:
        known = self._now().of_key
        found = ((chunk.document, known.get(chunk.key)) for chunk in self._generation.chunks.get(ids))
        return tuple(document if record is None else _family(record) for document, record in found)

    def source_text(self, key: DocumentKey) -> str | None:
        record = self._now().of_key.get(key)
        if record is None or record.format in _BINARY_FORMATS:
            return None
        return self._catalog.content(record.content_digest).decode("utf-8", "replace")

    def fidelity(self, id: ChunkId) -> float | None:
        embedder, store = self._opened.embedder, self._generation.vectors
        if embedder is None or not store.width:
            return None
        (chunk,) = self._generation.chunks.get([id])
        fresh = embedder.embed([chunk.indexed_text], role="passage").vectors[0].astype(np.float64)
        sealed = store.vectors([id])[0].astype(np.float64)
        lengths = float(np.linalg.norm(fresh) * np.linalg.norm(sealed))
        return float(fresh @ sealed) / lengths if lengths else float(not fresh.any() and not sealed.any())

    def unread_tokens(self, id: ChunkId) -> int:
        if self._opened.embedder is None or not self._generation.vectors.width:
            return 0
        counts: NDArray[np.int32] = open_part(self._opened.path / COVERAGE).arrays["known-unknown-truncated"]
        return int(counts[self._generation.chunks.ids.find(id), 2])

    # --- inside

    def _now(self) -> _Snapshot:
        revision = self._catalog.revision()
        snapshot = self._snapshot
        if snapshot.revision != revision:
            records = self._catalog.records()
            of_key = {record.key: record for record in records}
            snapshot = self._snapshot = _Snapshot(
                revision, _grouped((r.id, r) for r in records), _grouped((_family(r), r) for r in records), of_key
            )
        return snapshot

    def _revisions(self, records: Sequence[Record], case: Case) -> tuple[Revision, ...]:
        question = self._question_of(case)
        asker, day = question.principal, question.as_of or self._today()
        visible = self._opened.parts.scope(question).documents
        return tuple(
            self._revision(record, record.in_force(day), record.readable_by(asker), visible)
            for record in records
            if asker.everything or record.metadata.tenant == asker.tenant
        )

    def _revision(self, record: Record, in_force: bool, readable: bool, visible: NDArray[np.bool_]) -> Revision:
        sealed = self._generation.documents.keys.find(record.key) >= 0
        row = self._generation.chunks.keys.find(record.key)
        return Revision(
            key=record.key,
            metadata=record.metadata,
            state=record.state,
            in_force=in_force,
            readable=readable,
            in_scope=bool(row >= 0 and visible[row]),
            text=self._generation.documents.text(record.key) if sealed else None,
            chunks=self._generation.chunks.of_document(row) if row >= 0 else (),
        )


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, EvidexError) else f"{type(error).__name__}: {error}"


def _family(record: Record) -> str:
    return record.metadata.family or record.id


def _grouped(pairs: Iterable[tuple[Name, Record]]) -> dict[Name, tuple[Record, ...]]:
    groups: dict[Name, list[Record]] = {}
    for name, record in pairs:
        groups.setdefault(name, []).append(record)
    return {name: tuple(group) for name, group in groups.items()}
