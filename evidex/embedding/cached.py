"""Unchanged texts are never embedded again: vectors by content and contract, in one SQLite file."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evidex.embedding.contract import fingerprint
from evidex.embedding.prefixes import Role
from evidex.ports import Embedder, EmbedderContract, Embedding
from evidex.types import Vectors

# The table's name holds its version: another layout is another table.
_CREATE = """
CREATE TABLE IF NOT EXISTS embeddings_1 (
    key BLOB PRIMARY KEY, known INTEGER NOT NULL, unknown INTEGER NOT NULL, truncated INTEGER NOT NULL,
    vector BLOB NOT NULL, tokens BLOB, checksum INTEGER NOT NULL
) WITHOUT ROWID
"""
_SELECT = "SELECT key, known, unknown, truncated, vector, tokens, checksum FROM embeddings_1 WHERE key IN"
_REPLACE = "REPLACE INTO embeddings_1 VALUES (?, ?, ?, ?, ?, ?, ?)"
_KEYS_AT_ONCE = 500
_WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is kept of one text: a float32 vector and, where they were asked for, float16 token vectors, as bytes."""

    known: int
    unknown: int
    truncated: int
    vector: bytes
    tokens: bytes | None

    @property
    def checksum(self) -> int:
        counts = f"{self.known} {self.unknown} {self.truncated}".encode()
        return zlib.crc32(self.tokens or b"", zlib.crc32(self.vector, zlib.crc32(counts)))


class CachedEmbedder:
    """Embeds what its file does not hold, and keeps it before the call returns.

    Token vectors are rounded to float16, half the size, whether they come from the file or not: a build
    that finds everything gives the same bytes as one that finds nothing.

    The file is a help, never a condition. One that is damaged is begun again, and one that cannot be read or written
    (a full disk, no permission) costs time only: `problem` then says what was wrong. Several processes and threads
    may share it. `embedded` counts the texts that it did not hold over the lifetime.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._path = path
        self.embedded = 0
        self.problem = ""

    @property
    def contract(self) -> EmbedderContract:
        return self._embedder.contract

    @property
    def has_token_vectors(self) -> bool:
        return self._embedder.has_token_vectors

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        contract = self.contract
        tokens = token_vectors and self.has_token_vectors
        keys = _keys(texts, contract, role)
        entries = self._read(sorted(set(keys)), contract.width, tokens=tokens)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in entries}
        if missing:
            fresh = self._fresh(missing, role, tokens=tokens)
            self._write(fresh)
            entries.update(fresh)
        return _assembled([entries[key] for key in keys], contract.width, tokens=tokens)

    def _fresh(self, texts: dict[bytes, str], role: Role, *, tokens: bool) -> dict[bytes, _Entry]:
        embedding = self._embedder.embed(tuple(texts.values()), role=role, token_vectors=tokens)
        self.embedded += len(texts)
        return {
            key: _Entry(
                known=embedding.known[row],
                unknown=embedding.unknown[row],
                truncated=embedding.truncated[row],
                vector=embedding.vectors[row].astype("<f4").tobytes(),
                tokens=embedding.token_vectors[row].astype("<f2").tobytes() if tokens else None,
            )
            for row, key in enumerate(texts)
        }

    def _read(self, keys: Sequence[bytes], width: int, *, tokens: bool) -> dict[bytes, _Entry]:
        found: dict[bytes, _Entry] = {}

        def look_up(database: sqlite3.Connection) -> None:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                for key, *values, checksum in database.execute(f"{_SELECT} ({','.join('?' * len(some))})", some):
                    entry = _Entry(*values)
                    whole = entry.checksum == checksum and len(entry.vector) == 4 * width
                    if whole and (entry.tokens is not None or not tokens):
                        found[key] = entry

        self._use(look_up)
        return found

    def _write(self, entries: dict[bytes, _Entry]) -> None:
        rows = [
            (key, entry.known, entry.unknown, entry.truncated, entry.vector, entry.tokens, entry.checksum)
            for key, entry in entries.items()
        ]

        def put(database: sqlite3.Connection) -> None:
            with database:
                database.executemany(_REPLACE, rows)

        self._use(put)

    def _use(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Do `action` with the open cache. What goes wrong is noted, and a damaged file removed, but nothing raised."""
        try:
            with closing(sqlite3.connect(self._path, timeout=_WAIT_SECONDS)) as database:
                database.execute("PRAGMA journal_mode=WAL")
                database.execute("PRAGMA synchronous=NORMAL")
                database.execute(_CREATE)
                action(database)
        except sqlite3.OperationalError as error:
            self.problem = f"The embedding cache {str(self._path)!r} cannot be used: {error}."
        except sqlite3.DatabaseError as error:
            self.problem = f"The embedding cache {str(self._path)!r} was damaged and is begun again: {error}."
            for ending in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)


def _keys(texts: Iterable[str], contract: EmbedderContract, role: Role) -> list[bytes]:
    start = hashlib.sha256(f"{fingerprint(contract)} {role} ".encode())
    keys = []
    for text in texts:
        key = start.copy()
        key.update(text.encode("utf-8", "surrogatepass"))
        keys.append(key.digest())
    return keys


def _assembled(entries: Sequence[_Entry], width: int, *, tokens: bool) -> Embedding:
    vectors = np.frombuffer(b"".join(entry.vector for entry in entries), "<f4").reshape(len(entries), width)
    return Embedding(
        vectors=vectors.astype(np.float32),
        known=tuple(entry.known for entry in entries),
        unknown=tuple(entry.unknown for entry in entries),
        truncated=tuple(entry.truncated for entry in entries),
        token_vectors=tuple(_token_vectors(entry, width) for entry in entries) if tokens else (),
    )


def _token_vectors(entry: _Entry, width: int) -> Vectors:
    return np.frombuffer(entry.tokens or b"", "<f2").reshape(-1, width).astype(np.float32)
