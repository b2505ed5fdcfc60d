"""Traces of past questions, newest last; kept apart from the catalog so that asking never waits for an ingest."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Lock

from pydantic import TypeAdapter

from evidex.errors import ConfigError, EvidexError
from evidex.storage import digest
from evidex.trace import Trace

KEPT = 1000
"""How many traces are kept; older ones are dropped."""

_JSON = TypeAdapter(Trace)


class TraceStore:
    """Traces in one SQLite file, each as JSON under an id.

    Keeping them is a help, never a condition of answering: a damaged file is begun again, and where nothing more can
    be written (a full disk, no permission) a trace is not kept and has the id "".
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        try:
            self._connection = _connected(path)
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from error
        except sqlite3.DatabaseError:
            for ending in ("", "-wal", "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            self._connection = _connected(path)

    def close(self) -> None:
        self._connection.close()

    def add(self, trace: Trace) -> str:
        """Keep a trace and return its id: 16 hexadecimal digits of the digest of its content and place."""
        body = _JSON.dump_json(trace)
        with self._lock:
            try:
                return self._added(body)
            except sqlite3.DatabaseError:
                self._connection.rollback()
                return ""

    def get(self, id: str) -> Trace:
        """The trace of that id. Raises `ConfigError` when it is unknown or has been dropped."""
        try:
            row = self._connection.execute("SELECT body FROM traces WHERE id = ?", (id,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error
        if row is None:
            raise ConfigError(f"There is no trace {id!r}.", f"The last {KEPT} are kept; ask the question again.")
        return _JSON.validate_json(row[0])

    def _added(self, body: bytes) -> str:
        self._connection.execute("BEGIN IMMEDIATE")
        last = self._connection.execute("SELECT max(sequence) FROM traces").fetchone()[0] or 0
        id = digest(str(last + 1).encode() + body)[:16]
        self._connection.execute("INSERT INTO traces VALUES (?, ?, ?)", (last + 1, id, body))
        self._connection.execute("DELETE FROM traces WHERE sequence <= ?", (last + 1 - KEPT,))
        self._connection.execute("COMMIT")
        return id

    def _unusable(self, error: sqlite3.DatabaseError) -> EvidexError:
        return EvidexError(f"The traces in {str(self._path)!r} cannot be used: {error}.", "Mend or remove that file.")


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS traces (sequence INTEGER PRIMARY KEY, id TEXT UNIQUE, body BLOB NOT NULL)"
        )
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
