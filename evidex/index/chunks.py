"""The chunks of a generation. They are sorted by id, so the order of rows is the order of ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError
from evidex.index.damage import damaged
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.storage import Folder
from evidex.types import Chunk, ChunkId, DocumentId, DocumentKey

PART = "chunks"
_DECODED_KEPT = 10_000


def write_chunks(folder: Folder, chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Write the chunks of a generation, given in any order; returns them in row order, as the other writers need them.

    Raises `GenerationError` for an id that occurs twice, a parent that is not there, and a document key that
    stands for two documents.
    """
    rows = tuple(sorted(chunks, key=lambda chunk: chunk.id))
    row_of = {chunk.id: row for row, chunk in enumerate(rows)}
    _require_unique(rows)
    documents = _documents(rows)
    keys = sorted(documents)
    sections, section_rows = _distinct([json.dumps(chunk.section) for chunk in rows])
    headers, header_rows = _distinct([chunk.table_header for chunk in rows])
    document_row = {key: row for row, key in enumerate(keys)}
    ids, document_keys = Strings.of(chunk.id for chunk in rows), Strings.of(keys)
    arrays = {
        **ids.arrays("ids"),
        **Strings.of(chunk.text for chunk in rows).arrays("texts"),
        **document_keys.arrays("document-keys"),
        **Strings.of(documents[key][0] for key in keys).arrays("document-ids"),
        **Strings.of(documents[key][1] for key in keys).arrays("document-versions"),
        **sections.arrays("sections"),
        **headers.arrays("table-headers"),
        "document-rows": np.array([document_row[chunk.key] for chunk in rows], np.int32),
        "spans": np.array([(chunk.start, chunk.end) for chunk in rows], np.int64).reshape(-1, 2),
        "section-rows": section_rows,
        "table-header-rows": header_rows,
        "parent-rows": np.array([_parent_row(chunk, row_of) for chunk in rows], np.int32),
    }
    write_part(folder.child(PART), arrays, {"id-width": ids.width, "key-width": document_keys.width})
    return rows


def parent_ids(chunks: Iterable[Chunk]) -> frozenset[ChunkId]:
    """The chunks that others name as their parent: delivered in their children's place, never found themselves."""
    return frozenset(chunk.parent for chunk in chunks if chunk.parent is not None)


@dataclass(frozen=True, slots=True, eq=False)
class SealedChunks:
    """The chunks of an opened generation, decoded when asked for; implements `ChunkStore`.

    `document_rows[row]` is the position in `keys` of the document that chunk `row` is of; `is_parent[row]` tells
    whether other chunks name it as their parent.
    """

    ids: Strings
    keys: Strings
    document_rows: NDArray[np.int32]
    is_parent: NDArray[np.bool_]
    _texts: Strings
    _document_ids: Strings
    _versions: Strings
    _sections: Strings
    _headers: Strings
    _spans: NDArray[np.int64]
    _section_rows: NDArray[np.int32]
    _header_rows: NDArray[np.int32]
    _parent_rows: NDArray[np.int32]
    _decoded: dict[int, Chunk] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path) -> SealedChunks:
        """Open the chunks of the generation in `path`. Raises `GenerationError` naming a damaged file."""
        part = open_part(path / PART)
        parent_rows = part.arrays["parent-rows"]
        is_parent = np.zeros(len(parent_rows), np.bool_)
        is_parent[parent_rows[parent_rows >= 0]] = True
        return cls(
            ids=part.strings("ids", width=part.facts["id-width"]),
            keys=part.strings("document-keys", width=part.facts["key-width"]),
            document_rows=part.arrays["document-rows"],
            is_parent=is_parent,
            _texts=part.strings("texts"),
            _document_ids=part.strings("document-ids"),
            _versions=part.strings("document-versions"),
            _sections=part.strings("sections"),
            _headers=part.strings("table-headers"),
            _spans=part.arrays["spans"],
            _section_rows=part.arrays["section-rows"],
            _header_rows=part.arrays["table-header-rows"],
            _parent_rows=parent_rows,
        )

    def documents(self, ids: Sequence[ChunkId]) -> tuple[DocumentId, ...]:
        """The documents that chunks are of, in this order. Raises `GenerationError` for an unknown id."""
        rows = self.document_rows[rows_of(self.ids, ids)]
        names = {row: DocumentId(self._document_ids[row]) for row in set(rows.tolist())}
        return tuple(names[row] for row in rows.tolist())

    def of_document(self, row: int) -> tuple[Chunk, ...]:
        """The chunks of the document in row `row` of `keys`, parents left out, in the order of its text."""
        rows = np.flatnonzero((self.document_rows == row) & ~self.is_parent)
        return tuple(self._remembered(int(row)) for row in rows[np.argsort(self._spans[rows, 0], kind="stable")])

    def get(self, ids: Sequence[ChunkId]) -> tuple[Chunk, ...]:
        """The chunks with these ids, in this order. Raises `GenerationError` for an unknown id."""
        return tuple(self._remembered(row) for row in rows_of(self.ids, ids).tolist())

    def __len__(self) -> int:
        return len(self.ids)

    def _remembered(self, row: int) -> Chunk:
        chunk = self._decoded.get(row)
        if chunk is None:
            chunk = self._chunk(row)
            if len(self._decoded) >= _DECODED_KEPT:
                self._decoded.clear()
            self._decoded[row] = chunk
        return chunk

    def _chunk(self, row: int) -> Chunk:
        document, parent = self.document_rows[row], self._parent_rows[row]
        return Chunk(
            id=ChunkId(self.ids[row]),
            document=DocumentId(self._document_ids[document]),
            version=self._versions[document],
            key=DocumentKey(self.keys[document]),
            start=int(self._spans[row, 0]),
            end=int(self._spans[row, 1]),
            text=self._texts[row],
            section=self._section(row),
            table_header=self._headers[self._header_rows[row]],
            parent=ChunkId(self.ids[parent]) if parent >= 0 else None,
        )

    def _section(self, row: int) -> tuple[str, ...]:
        written = self._sections[self._section_rows[row]]
        try:
            return tuple(json.loads(written))
        except ValueError as error:
            raise damaged(self._sections.file, f"is not JSON ({error})") from error


def rows_of(ids: Strings, wanted: Sequence[ChunkId]) -> NDArray[np.int64]:
    """The rows of chunks among the sorted ids of a generation. Raises `GenerationError` for one that is not there."""
    rows = ids.find_all(wanted)
    if len(rows) and rows.min() < 0:
        missing = wanted[int(rows.argmin())]
        raise GenerationError(f"The generation has no chunk {missing!r}.", "Ask the generation that the id came from.")
    return rows


def _require_unique(rows: Sequence[Chunk]) -> None:
    for one, other in pairwise(rows):
        if one.id == other.id:
            raise GenerationError(f"Chunk id {one.id!r} occurs twice.", "Give every chunk an id of its own.")


def _documents(rows: Sequence[Chunk]) -> dict[DocumentKey, tuple[DocumentId, str]]:
    documents: dict[DocumentKey, tuple[DocumentId, str]] = {}
    for chunk in rows:
        known = documents.setdefault(chunk.key, (chunk.document, chunk.version))
        if known != (chunk.document, chunk.version):
            raise GenerationError(
                f"Document key {chunk.key!r} stands for {known} and for {(chunk.document, chunk.version)}.",
                "Give every document revision a key of its own.",
            )
    return documents


def _parent_row(chunk: Chunk, row_of: Mapping[ChunkId, int]) -> int:
    if chunk.parent is None:
        return -1
    if chunk.parent not in row_of:
        raise GenerationError(
            f"Chunk {chunk.id!r} names the parent {chunk.parent!r}, which is missing.", "Write parents too."
        )
    return row_of[chunk.parent]


def _distinct(values: Sequence[str]) -> tuple[Strings, NDArray[np.int32]]:
    table = sorted(set(values))
    position = {value: row for row, value in enumerate(table)}
    return Strings.of(table), np.array([position[value] for value in values], np.int32)
