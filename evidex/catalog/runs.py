"""Evaluation runs, each question's row written as it is done, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidex.errors import ConfigError, EvidexError

_TABLES = (
    "CREATE TABLE IF NOT EXISTS runs (sequence INTEGER PRIMARY KEY, id TEXT UNIQUE, at TEXT, head TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS rows (run TEXT NOT NULL, question TEXT NOT NULL, body TEXT NOT NULL, "
    "PRIMARY KEY (run, question)) WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as it is kept: its id, when it was begun, and what it said of itself then, as JSON."""

    id: str
    at: str
    head: Mapping[str, Any]


class RunStore:
    """Runs in one SQLite file, opened when first needed: whoever measures nothing never meets it.

    Raises `EvidexError` when it is damaged or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: sqlite3.Connection | None = None

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def begin(self, id: str, *, at: str, head: Mapping[str, Any]) -> None:
        """Remember a run as the newest; rows that it has already stay."""
        self._do("DELETE FROM runs WHERE id = ?", (id,))
        self._do("INSERT INTO runs (id, at, head) VALUES (?, ?, ?)", (id, at, json.dumps(head, sort_keys=True)))

    def add(self, run: str, question: str, body: Mapping[str, Any]) -> None:
        """Keep the row of one question."""
        written = json.dumps(body, sort_keys=True, ensure_ascii=False)
        self._do("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", (run, question, written))

    def rows(self, run: str) -> dict[str, Any]:
        """The rows that a run has so far, by question, in the order of their names."""
        found = self._do("SELECT question, body FROM rows WHERE run = ? ORDER BY question", (run,))
        return {question: json.loads(body) for question, body in found}

    def runs(self) -> tuple[RunRecord, ...]:
        """Every run, oldest first."""
        found = self._do("SELECT id, at, head FROM runs ORDER BY sequence", ())
        return tuple(RunRecord(id, at, json.loads(head)) for id, at, head in found)

    def find(self, start: str) -> RunRecord:
        """The run whose id begins so; `latest` is the newest. Raises `ConfigError` unless it is one."""
        runs = self.runs()
        matching = list(runs[-1:]) if start == "latest" else [run for run in runs if run.id.startswith(start)]
        if len(matching) != 1:
            found = "No run begins" if not matching else f"{len(matching)} runs begin"
            raise ConfigError(f"{found} with {start!r}.", "List them: evidex eval runs")
        return matching[0]

    def _do(self, statement: str, values: tuple[str, ...]) -> list[tuple[Any, ...]]:
        try:
            return self._connection().execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            connection = sqlite3.connect(self._path, timeout=10, check_same_thread=False, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                for table in _TABLES:
                    connection.execute(table)
            except sqlite3.DatabaseError:
                connection.close()
                raise
            self._opened = connection
        return self._opened

    def _unusable(self, error: sqlite3.DatabaseError) -> EvidexError:
        return EvidexError(f"The runs in {str(self._path)!r} cannot be used: {error}.", "Mend or remove that file.")
