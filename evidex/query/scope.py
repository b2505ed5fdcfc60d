"""Which documents may a question be answered from? Asked of the catalog at every question, never of the generation."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from evidex.catalog.catalog import Record
from evidex.errors import ConfigError
from evidex.types import DocumentId, DocumentKey, Metadata, Principal, Question

FILTER_FIELDS = ("document", "family", "language", "tag")
"""The fields by which a question can be narrowed."""


def admitted(records: Iterable[Record], question: Question, today: date) -> frozenset[DocumentKey]:
    """The revisions that the asker may read, that are in force, and that pass the filters."""
    check_filters(question.filters)
    day = question.as_of or today
    return frozenset(
        record.key
        for record in records
        if record.in_force(day)
        and question.principal.may_read(record.metadata)
        and all(_passes(record.metadata, field, value) for field, value in question.filters)
    )


def check_filters(filters: Iterable[tuple[str, str]]) -> None:
    """Raises `ConfigError` for a field that documents do not have."""
    for field, value in filters:
        if field not in FILTER_FIELDS:
            raise ConfigError(f"Unknown filter {field!r} (={value!r}).", f"Filters: {', '.join(FILTER_FIELDS)}.")


def why_outside(document: DocumentId, records: Iterable[Record], question: Question, today: date) -> str | None:
    """Why no revision of a document is admitted, or None when one is.

    A document that the asker may not read is spoken of exactly as one that does not exist.
    """
    day = question.as_of or today
    revisions = [
        record
        for record in records
        if record.id == document and record.state != "deleted" and question.principal.may_read(record.metadata)
    ]
    if not revisions:
        return f"there is no document {document!r} that {_name(question.principal)} may read"
    in_force = [record for record in revisions if record.in_force(day)]
    if not in_force:
        return _why_not_in_force(revisions[-1], day)
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
    begins = max(begin for begin in (record.began_on, metadata.effective_from) if begin is not None)
    return f"version {metadata.version} is in force from {begins}, and the question is as of {day}"


def _passes(metadata: Metadata, field: str, value: str) -> bool:
    if field == "tag":
        return value in metadata.tags
    return value == {"document": metadata.id, "family": metadata.family, "language": metadata.language}[field]


def _name(principal: Principal) -> str:
    return f"{principal.name or 'this asker'} (tenant {principal.tenant})"
