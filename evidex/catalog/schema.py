"""The tables of the catalog, their version, and how an older catalog is brought up to it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Date,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    update,
)

from evidex.errors import GenerationError

SCHEMA_VERSION = 1

metadata = MetaData()

state = Table(
    "state",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("schema_version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("key", String(32), primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("family", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("readers", JSON, nullable=False),
    Column("tags", JSON, nullable=False),
    Column("effective_from", Date),
    Column("effective_to", Date),
    Column("retired", Boolean, nullable=False),
    Column("locator", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("one_line", Boolean, nullable=False),
    Column("content_digest", String(64), nullable=False),
    Column("text_digest", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("superseded_on", Date),
    Column("began_on", Date),
    Column("readers_now", JSON(none_as_null=True)),
    Index("documents_by_id", "tenant", "id"),
    Index("documents_by_locator", "locator"),
)

contents = Table(
    "contents",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

parsed_texts = Table(
    "parsed_texts",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

failures = Table(
    "failures",
    metadata,
    Column("locator", Text, primary_key=True),
    Column("reason", Text, nullable=False),
)

generations = Table(
    "generations",
    metadata,
    Column("sequence", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("built_at", String(32), nullable=False),
    Column("documents", Integer, nullable=False),
    Column("chunks", Integer, nullable=False),
    sqlite_autoincrement=True,
)

alias_history = Table(
    "alias_history",
    metadata,
    Column("sequence", Integer, primary_key=True),
    Column("alias", Text, nullable=False),
    Column("generation", String(32), nullable=False),
    Column("action", String(16), nullable=False),
    Column("at", String(32), nullable=False),
)

migrations: dict[int, Callable[[Connection], None]] = {}
"""`migrations[n]` brings a catalog of schema version n to version n + 1."""


def prepare(connection: Connection) -> None:
    """Create the tables of a new catalog, or migrate an older one. Raises `GenerationError` for a newer one."""
    if not inspect(connection).has_table("state") and _created(connection):
        return
    found = connection.execute(select(state.c.schema_version)).scalar_one()
    if found > SCHEMA_VERSION:
        raise GenerationError(
            f"The catalog has schema version {found}; this evidex reads up to {SCHEMA_VERSION}.", "Upgrade evidex."
        )
    for version in range(found, SCHEMA_VERSION):
        migrations[version](connection)
        connection.execute(update(state).values(schema_version=version + 1))


def _created(connection: Connection) -> bool:
    """Create the tables in one transaction, unless another process was faster."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # by itself, the driver begins none for CREATE
        if inspect(connection).has_table("state"):
            return False
    metadata.create_all(connection)
    connection.execute(insert(state).values(id=1, schema_version=SCHEMA_VERSION, revision=0))
    return True
