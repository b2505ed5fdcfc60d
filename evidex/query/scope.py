"""Which documents may a question be answered from? Asked of the catalog at every question, never of the generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from evidex.catalog.catalog import Catalog, FilterField, Record
from evidex.errors import ConfigError
from evidex.index.generation import Generation
from evidex.types import DocumentId, DocumentKey, Metadata, Principal, Question, Scope

_SCOPES_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The catalog at one revision, and the scopes that were worked out from it.

    The document in row i of the generation stands as the record `examples[classes[i]]` does.
    """

    revision: int
    classes: NDArray[np.int32]
    examples: tuple[Record, ...]
    scopes: dict[tuple[Question, date], Scope]


class View:
    """A generation as the catalog lets it be seen now. Threads may share it: each works on one snapshot throughout."""

    def __init__(self, generation: Generation, catalog: Catalog, today: Callable[[], date]) -> None:
        self._generation = generation
        self._catalog = catalog
        self._today = today
        self._snapshot = _Snapshot(-1, np.zeros(0, np.int32), (), {})

    def scope(self, question: Question) -> Scope:
        """The chunks that this question may be answered from."""
        snapshot, today = self._now(), self._today()
        asked = (replace(question, text="", history=()), today)
        scope = snapshot.scopes.get(asked)
        if scope is None:
            scope = self._generation.scope(self._visible(snapshot, question, today))
            if len(snapshot.scopes) >= _SCOPES_KEPT:
                snapshot.scopes.clear()
            snapshot.scopes[asked] = scope
        return scope

    def why_outside(self, document: DocumentId, question: Question) -> str | None:
        """Why a document is not among them, or None when it is."""
        records = self._catalog.records(document)
        reason = why_outside(document, records, question, self._today())
        if reason is not None:
            return reason
        sealed = self._generation.documents.keys
        if not any(_admitted(record, question, self._today()) and sealed.find(record.key) >= 0 for record in records):
            return (
                "what it says now was ingested after this generation was built; run 'evidex build' and 'evidex publish'"
            )
        return None

    def origin_of(self, key: DocumentKey, offset: int) -> tuple[str, int]:
        """The unit and number of the place in the source that an offset came from."""
        origins = self._generation.documents.origins(key)
        return origins.unit, origins.at(offset)

    def _visible(self, snapshot: _Snapshot, question: Question, today: date) -> NDArray[np.bool_]:
        check_filters(question.filters)
        day = question.as_of or today
        admitted = [example.in_force(day) and example.readable_by(question.principal) for example in snapshot.examples]
        visible: NDArray[np.bool_] = np.array([*admitted, False])[snapshot.classes]
        for field, value in question.filters:
            rows = self._generation.document_rows(self._catalog.keys_where(field, value))  # type: ignore[arg-type]
            passing = np.zeros_like(visible)
            passing[rows[rows >= 0]] = True
            visible &= passing
        return visible

    def _now(self) -> _Snapshot:
        revision = self._catalog.revision()
        snapshot = self._snapshot
        if snapshot.revision != revision:
            # Read after the revision: at worst the standings are newer than it, and are read once more next time.
            standings = self._catalog.standings()
            # A document that the catalog does not know any more stands as the last of all, which nobody may see.
            classes = np.full(len(self._generation.chunks.keys), len(standings.examples), np.int32)
            rows = self._generation.document_rows(standings.keys)
            classes[rows[rows >= 0]] = standings.classes[rows >= 0]
            snapshot = self._snapshot = _Snapshot(revision, classes, standings.examples, {})
        return snapshot


def _admitted(record: Record, question: Question, today: date) -> bool:
    return (
        record.in_force(question.as_of or today)
        and record.readable_by(question.principal)
        and all(_passes(record.metadata, field, value) for field, value in question.filters)
    )


def check_filters(filters: Iterable[tuple[str, str]]) -> None:
    """Raises `ConfigError` for a field that documents do not have."""
    for field, value in filters:
        if field not in get_args(FilterField):
            raise ConfigError(
                f"Unknown filter {field!r} (={value!r}).", f"Filters: {', '.join(get_args(FilterField))}."
            )


def why_outside(document: DocumentId, records: Iterable[Record], question: Question, today: date) -> str | None:
    """Why no revision of a document is admitted, or None when one is.

    A document that the asker may not read is spoken of exactly as one that does not exist.
    """
    day = question.as_of or today
    revisions = [
        record
        for record in records
        if record.id == document and record.state != "deleted" and record.readable_by(question.principal)
    ]
    if not revisions:
        return f"there is no document {document!r} that {_name(question.principal)} may read"
    in_force = [record for record in revisions if record.in_force(day)]
    if not in_force:
        return _why_not_in_force(max(revisions, key=lambda record: record.begins), day)
    for field, value in question.filters:
        if not any(_passes(record.metadata, field, value) for record in in_force):
            return f"it does not pass the filter {field}={value}"
    return None


def _why_not_in_force(record: Record, day: date) -> str:
    metadata = record.metadata
    if metadata.retired:
        return f"version {metadata.version} is retired"
    ends = [end for end in (record.superseded_on, metadata.effective_to) if end is not None and end <= day]
    if ends:
        return f"version {metadata.version} was in force until {min(ends)}, and the question is as of {day}"
    return f"version {metadata.version} is in force from {record.begins}, and the question is as of {day}"


def _passes(metadata: Metadata, field: str, value: str) -> bool:
    if field == "tag":
        return value in metadata.tags
    return value == {"document": metadata.id, "family": metadata.family, "language": metadata.language}[field]


def _name(principal: Principal) -> str:
    return f"{principal.name or 'this asker'} (tenant {principal.tenant})"
