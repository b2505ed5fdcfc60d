"""The document revisions of a generation, with their full texts: a citation is verified against what was pinned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.storage import Folder, digest, digest_of
from evidex.types import Document, DocumentId, DocumentKey, OriginMap

PART = "documents"


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What a generation knows of a document revision beside its text; `text_digest` is the SHA-256 of the text.

    Who may read it and when it is in force is not among it: that is asked of the catalog.
    """

    key: DocumentKey
    id: DocumentId
    version: str
    title: str
    parser: str
    text_digest: str


def document_digest(document: Document) -> str:
    """The digest of everything of a document that a generation's bytes depend on: equal digests, equal bytes.

    The key covers tenant, id, version and text.
    """
    blocks = [(b.kind, b.start, b.end, b.level, b.title, b.header_end) for b in document.parsed.blocks]
    origins = document.parsed.origins
    made = [document.key, document.superseded, document.title, document.parser]
    return digest_of([made, blocks, [origins.unit, origins.starts, origins.numbers]])


def write_documents(folder: Folder, documents: Iterable[Document]) -> None:
    """Write the documents of a generation, given in any order. Raises `GenerationError` for a key that occurs twice."""
    rows = sorted(documents, key=lambda document: document.key)
    for one, other in pairwise(rows):
        if one.key == other.key:
            raise GenerationError(f"Document key {one.key!r} occurs twice.", "Give every revision a key of its own.")
    origins = [document.parsed.origins for document in rows]
    origin_offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(origin.starts) for origin in origins], dtype=np.int64, out=origin_offsets[1:])
    arrays = {
        **Strings.of(document.key for document in rows).arrays("keys"),
        **Strings.of(document.text for document in rows).arrays("texts"),
        **Strings.of(document.id for document in rows).arrays("ids"),
        **Strings.of(document.metadata.version for document in rows).arrays("versions"),
        **Strings.of(document.title for document in rows).arrays("titles"),
        **Strings.of(document.parser for document in rows).arrays("parsers"),
        **Strings.of(_text_digest(document) for document in rows).arrays("text-digests"),
        "in-pages": np.array([origin.unit == "page" for origin in origins], np.bool_),
        "origin-offsets": origin_offsets,
        "origin-starts": np.array([start for origin in origins for start in origin.starts], np.int64),
        "origin-numbers": np.array([number for origin in origins for number in origin.numbers], np.int64),
    }
    write_part(folder.child(PART), arrays, {})


@dataclass(frozen=True, slots=True, eq=False)
class SealedDocuments:
    """The documents of an opened generation by key, decoded when asked for; `keys` is sorted.

    Every method raises `GenerationError` for a key that the generation does not hold.
    """

    keys: Strings
    _texts: Strings
    _ids: Strings
    _versions: Strings
    _titles: Strings
    _parsers: Strings
    _text_digests: Strings
    _in_pages: NDArray[np.bool_]
    _origin_offsets: NDArray[np.int64]
    _origin_starts: NDArray[np.int64]
    _origin_numbers: NDArray[np.int64]

    @classmethod
    def open(cls, path: Path) -> SealedDocuments:
        """Open the documents of the generation in `path`. Raises `GenerationError` naming a damaged file."""
        part = open_part(path / PART)
        return cls(
            keys=part.strings("keys"),
            _texts=part.strings("texts"),
            _ids=part.strings("ids"),
            _versions=part.strings("versions"),
            _titles=part.strings("titles"),
            _parsers=part.strings("parsers"),
            _text_digests=part.strings("text-digests"),
            _in_pages=part.arrays["in-pages"],
            _origin_offsets=part.arrays["origin-offsets"],
            _origin_starts=part.arrays["origin-starts"],
            _origin_numbers=part.arrays["origin-numbers"],
        )

    def record(self, key: DocumentKey) -> DocumentRecord:
        """What the generation knows of a document beside its text."""
        row = self._row(key)
        return DocumentRecord(
            key=key,
            id=DocumentId(self._ids[row]),
            version=self._versions[row],
            title=self._titles[row],
            parser=self._parsers[row],
            text_digest=self._text_digests[row],
        )

    def text(self, key: DocumentKey) -> str:
        """The full text of the pinned revision."""
        return self._texts[self._row(key)]

    def origins(self, key: DocumentKey) -> OriginMap:
        """Where in its source the text came from."""
        row = self._row(key)
        span = slice(self._origin_offsets[row], self._origin_offsets[row + 1])
        return OriginMap(
            unit="page" if self._in_pages[row] else "line",
            starts=tuple(self._origin_starts[span].tolist()),
            numbers=tuple(self._origin_numbers[span].tolist()),
        )

    def __len__(self) -> int:
        return len(self.keys)

    def _row(self, key: DocumentKey) -> int:
        row = self.keys.find(key)
        if row < 0:
            raise GenerationError(f"The generation has no document {key!r}.", "Ask the generation it was pinned in.")
        return row


def _text_digest(document: Document) -> str:
    return digest(document.text.encode("utf-8", "surrogatepass"))
