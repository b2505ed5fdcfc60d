"""Documents and their revisions, failures, generations and aliases: everything that is not sealed.

What the catalog says wins over a generation at query time, so revoking a reader or deleting a document takes effect
on the next question and no rollback brings either back. Every change raises `revision`, by which readers know that
what they remember is out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, TypeAlias

from sqlalchemy import (
    Connection,
    ExceptionContext,
    Row,
    Table,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, OperationalError

from evidex.catalog import schema
from evidex.catalog.standings import Standings, read_standings
from evidex.errors import EvidexError, GenerationError
from evidex.storage import digest_of
from evidex.types import DocumentId, DocumentKey, Failure, GenerationId, Metadata, Principal

LIVE = "live"
"""The alias that questions are answered from unless they name another."""

FilterField: TypeAlias = Literal["document", "family", "language", "tag"]
"""The fields by which a question can be narrowed."""


@dataclass(frozen=True, slots=True)
class Record:
    """One revision of one document as the catalog knows it.

    `current` revisions are the newest of their id and version; a `superseded` one was replaced on `superseded_on`;
    a `deleted` one is in no answer, whatever else holds. `began_on` is the day on which this one replaced another.
    `readers_now` are the readers of the revision that is current: an owner who narrows them means older texts, too.
    """

    key: DocumentKey
    metadata: Metadata
    locator: str
    format: str
    first_line: int
    one_line: bool
    content_digest: str
    text_digest: str
    state: Literal["current", "superseded", "deleted"] = "current"
    superseded_on: date | None = None
    began_on: date | None = None
    readers_now: frozenset[str] | None = None

    @property
    def id(self) -> DocumentId:
        return self.metadata.id

    @property
    def begins(self) -> date:
        """The first day on which this revision answers; `date.min` when nothing says."""
        return max(self.began_on or date.min, self.metadata.effective_from or date.min)

    @property
    def ends(self) -> date:
        """The first day on which it no longer does; `date.max` when nothing says."""
        return min(self.superseded_on or date.max, self.metadata.effective_to or date.max)

    def in_force(self, day: date) -> bool:
        """Whether this revision answers questions as of `day`."""
        return self.state != "deleted" and not self.metadata.retired and self.begins <= day < self.ends

    def readable_by(self, principal: Principal) -> bool:
        """Whether the document's tenant and readers, those it had and those it has now, admit a principal."""
        if self.readers_now is not None and not principal.may_read(replace(self.metadata, readers=self.readers_now)):
            return False
        return principal.may_read(self.metadata)


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """A generation that was built, and the aliases that name it now."""

    id: GenerationId
    built_at: str
    documents: int
    chunks: int
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AliasChange:
    """One move of an alias."""

    alias: str
    generation: GenerationId
    action: Literal["publish", "rollback"]
    at: str


def document_key(metadata: Metadata, text_digest: str) -> DocumentKey:
    """The key of one revision: 128 bits over tenant, id, version and text."""
    return DocumentKey(digest_of([metadata.tenant, metadata.id, metadata.version, text_digest])[:32])


class Catalog:
    """The catalog behind a database URL; an SQLite file by default.

    Whatever is asked of it, `EvidexError` is raised when the database is damaged or does not answer.
    """

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _prepare_sqlite)
        event.listen(self._engine, "handle_error", _as_one_sentence)
        with self._engine.begin() as connection:
            schema.prepare(connection)

    def close(self) -> None:
        self._engine.dispose()

    # --- reading

    def revision(self) -> int:
        """A number that every change of the catalog raises."""
        with self._engine.connect() as connection:
            return int(connection.execute(select(schema.state.c.revision)).scalar_one())

    def records(self, document: DocumentId | None = None) -> tuple[Record, ...]:
        """Every revision (of one document), deleted ones included, by tenant, id, version, key."""
        table = schema.documents.c
        query = select(schema.documents).order_by(table.tenant, table.id, table.version, table.key)
        if document is not None:
            query = query.where(table.id == document)
        with self._engine.connect() as connection:
            return tuple(_record(row) for row in connection.execute(query))

    def standings(self) -> Standings[Record]:
        """Who may read which revision, and when it is in force."""
        with self._engine.connect() as connection:
            return read_standings(connection, _record)

    def keys_where(self, field: FilterField, value: str) -> tuple[DocumentKey, ...]:
        """The revisions that have a value in a field; for `tag`, among others."""
        table = schema.documents.c
        with self._engine.connect() as connection:
            if field == "tag":
                rows = connection.execute(select(table.key, table.tags))
                return tuple(DocumentKey(key) for key, tags in rows if value in tags)
            column = {"document": table.id, "family": table.family, "language": table.language}[field]
            return tuple(DocumentKey(key) for (key,) in connection.execute(select(table.key).where(column == value)))

    def failures(self) -> tuple[Failure, ...]:
        """Items that failed when they were last ingested, by locator."""
        query = select(schema.failures).order_by(schema.failures.c.locator)
        with self._engine.connect() as connection:
            return tuple(Failure(row.locator, row.reason) for row in connection.execute(query))

    def content(self, digest: str) -> bytes:
        """The bytes of a source item. Raises `GenerationError` when they are missing."""
        data = self._blob(schema.contents, digest)
        if data is None:
            raise GenerationError(f"The catalog lost the content {digest[:12]!r}.", "Ingest its document again.")
        return data

    def parsed(self, digest: str) -> bytes | None:
        """A parsed text by the digest of its bytes and parser, or None."""
        return self._blob(schema.parsed_texts, digest)

    def generations(self) -> tuple[GenerationRow, ...]:
        """Every generation that was built, oldest first."""
        with self._engine.connect() as connection:
            aliases = _aliases(connection)
            rows = connection.execute(select(schema.generations).order_by(schema.generations.c.sequence))
            return tuple(
                GenerationRow(
                    id=GenerationId(row.id),
                    built_at=row.built_at,
                    documents=row.documents,
                    chunks=row.chunks,
                    aliases=tuple(sorted(alias for alias, id in aliases.items() if id == row.id)),
                )
                for row in rows
            )

    def alias(self, alias: str) -> GenerationId | None:
        """The generation that an alias names, or None before the first publish."""
        with self._engine.connect() as connection:
            return _aliases(connection).get(alias)

    def alias_history(self) -> tuple[AliasChange, ...]:
        """Every move of every alias, oldest first."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(schema.alias_history).order_by(schema.alias_history.c.sequence))
            return tuple(AliasChange(row.alias, GenerationId(row.generation), row.action, row.at) for row in rows)

    # --- writing

    def keep(self, contents: Mapping[str, bytes], parsed: Mapping[str, bytes]) -> None:
        """Keep source bytes and parsed texts under their digests; what is there already stays."""
        new = sqlite.insert if self._engine.dialect.name == "sqlite" else postgresql.insert
        with self._engine.begin() as connection:
            for table, blobs in ((schema.contents, contents), (schema.parsed_texts, parsed)):
                rows = [{"digest": digest, "data": data} for digest, data in blobs.items()]
                if rows:
                    connection.execute(new(table).on_conflict_do_nothing(), rows)

    def apply(self, records: Sequence[Record], failures: Sequence[Failure], mended: Iterable[str]) -> None:
        """Write revisions and failures in one transaction, and forget the failures of what is `mended` or gone."""
        known = {failure.locator: failure for failure in self.failures()}
        new = [failure for failure in failures if known.get(failure.locator) != failure]
        failing = {failure.locator for failure in failures}
        forgotten = known.keys() & ((set(mended) - failing) | {failure.locator for failure in new})
        if not (records or new or forgotten):
            return
        with self._changing() as connection:
            for locator in sorted(forgotten):
                connection.execute(delete(schema.failures).where(schema.failures.c.locator == locator))
            for failure in new:
                connection.execute(insert(schema.failures).values(locator=failure.locator, reason=failure.reason))
            if records:
                gone = delete(schema.documents).where(schema.documents.c.key == bindparam("gone"))
                connection.execute(gone, [{"gone": record.key} for record in records])
                connection.execute(insert(schema.documents), [_values(record) for record in records])

    def add_generation(self, id: GenerationId, *, built_at: str, documents: int, chunks: int) -> None:
        """Record a generation as the newest; one that was built before is the newest again."""
        with self._changing() as connection:
            connection.execute(delete(schema.generations).where(schema.generations.c.id == id))
            connection.execute(
                insert(schema.generations).values(id=id, built_at=built_at, documents=documents, chunks=chunks)
            )

    def move_alias(self, alias: str, to: GenerationId, *, action: Literal["publish", "rollback"], at: str) -> None:
        """Point an alias at a generation, in one step, and remember the move."""
        with self._changing() as connection:
            connection.execute(insert(schema.alias_history).values(alias=alias, generation=to, action=action, at=at))

    # --- inside

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            connection.execute(update(schema.state).values(revision=schema.state.c.revision + 1))
            yield connection

    def _blob(self, table: Table, digest: str) -> bytes | None:
        with self._engine.connect() as connection:
            data = connection.execute(select(table.c.data).where(table.c.digest == digest)).scalar_one_or_none()
        return None if data is None else bytes(data)


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA busy_timeout = 10000")


def _as_one_sentence(context: ExceptionContext) -> None:
    error, engine = context.sqlalchemy_exception, context.engine
    where = "" if engine is None else f" {engine.url.database!r}"
    if isinstance(error, OperationalError):
        raise EvidexError(
            f"The catalog{where} cannot be used: {error.orig}.",
            "Nothing that was published is affected; mend that, then repeat.",
        ) from error
    if type(error) is DatabaseError:
        raise EvidexError(
            f"The catalog{where} is damaged: {error.orig}.",
            "Put back a copy of it, or remove it, then ingest, build and publish again.",
        ) from error


def _aliases(connection: Connection) -> dict[str, GenerationId]:
    newest = select(func.max(schema.alias_history.c.sequence)).group_by(schema.alias_history.c.alias)
    rows = connection.execute(select(schema.alias_history).where(schema.alias_history.c.sequence.in_(newest)))
    return {row.alias: GenerationId(row.generation) for row in rows}


_METADATA_COLUMNS = (
    "tenant",
    "id",
    "version",
    "family",
    "title",
    "language",
    "effective_from",
    "effective_to",
    "retired",
)
_RECORD_COLUMNS = (
    "key",
    "locator",
    "format",
    "first_line",
    "one_line",
    "content_digest",
    "text_digest",
    "state",
    "superseded_on",
    "began_on",
)


def _values(record: Record) -> dict[str, Any]:
    return (
        {name: getattr(record.metadata, name) for name in _METADATA_COLUMNS}
        | {name: getattr(record, name) for name in _RECORD_COLUMNS}
        | {"readers": sorted(record.metadata.readers), "tags": sorted(record.metadata.tags)}
        | {"readers_now": None if record.readers_now is None else sorted(record.readers_now)}
    )


def _record(row: Row[Any]) -> Record:
    values = row._mapping
    metadata = Metadata(
        **{name: values[name] for name in _METADATA_COLUMNS},
        readers=frozenset(values["readers"]),
        tags=frozenset(values["tags"]),
    )
    readers_now = None if values["readers_now"] is None else frozenset(values["readers_now"])
    return Record(metadata=metadata, readers_now=readers_now, **{name: values[name] for name in _RECORD_COLUMNS})


def superseded(record: Record, on: date) -> Record:
    """The same revision, replaced as of `on`."""
    return replace(record, state="superseded", superseded_on=on)


def deleted(record: Record) -> Record:
    """The same revision, deleted."""
    return replace(record, state="deleted")
