"""Traces of past questions, newest last; kept apart from the catalog so that asking never waits for an ingest."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from evidex.errors import ConfigError
from evidex.storage import canonical_json, digest_of

KEPT = 1000
"""How many traces are kept; older ones are dropped."""


class TraceStore:
    """Traces in one SQLite file, each a JSON value under an id."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS traces (sequence INTEGER PRIMARY KEY, id TEXT UNIQUE, body BLOB NOT NULL)"
        )

    def close(self) -> None:
        self._connection.close()

    def add(self, body: dict[str, Any]) -> str:
        """Keep a trace and return its id: 16 hexadecimal digits of the digest of its content and place."""
        cursor = self._connection.execute("INSERT INTO traces (body) VALUES (?)", (canonical_json(body),))
        id = digest_of([cursor.lastrowid, body])[:16]
        self._connection.execute("UPDATE traces SET id = ? WHERE sequence = ?", (id, cursor.lastrowid))
        self._connection.execute("DELETE FROM traces WHERE sequence <= ?", ((cursor.lastrowid or 0) - KEPT,))
        return id

    def get(self, id: str) -> dict[str, Any]:
        """The trace of that id. Raises `ConfigError` when it is unknown or has been dropped."""
        row = self._connection.execute("SELECT body FROM traces WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise ConfigError(f"There is no trace {id!r}.", f"The last {KEPT} are kept; ask the question again.")
        body: dict[str, Any] = json.loads(row[0])
        return body
