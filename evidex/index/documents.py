"""The document revisions of a generation, with their full texts: a citation is verified against what was pinned."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.storage import Folder, canonical_json, digest, digest_of
from evidex.types import Document, DocumentId, DocumentKey, Metadata, OriginMap

PART = "documents"


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What a generation knows of a document revision beside its text; `text_digest` is the SHA-256 of the text."""

    key: DocumentKey
    metadata: Metadata
    title: str
    parser: str
    text_digest: str
    superseded: bool


def document_digest(document: Document) -> str:
    """The digest of everything that is sealed of a document: equal digests, equal bytes."""
    origins = document.parsed.origins
    return digest_of([_record_json(document), origins.starts, origins.numbers])


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
        **Strings.of(_json_text(_record_json(document)) for document in rows).arrays("records"),
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
    _records: Strings
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
            _records=part.strings("records"),
            _origin_offsets=part.arrays["origin-offsets"],
            _origin_starts=part.arrays["origin-starts"],
            _origin_numbers=part.arrays["origin-numbers"],
        )

    def record(self, key: DocumentKey) -> DocumentRecord:
        """What the generation knows of a document beside its text."""
        content = json.loads(self._records[self._row(key)])
        return DocumentRecord(
            key=key,
            metadata=_metadata(content["metadata"]),
            title=content["title"],
            parser=content["parser"],
            text_digest=content["text_digest"],
            superseded=content["superseded"],
        )

    def metadata(self, key: DocumentKey) -> Metadata:
        """What the document's owner said of it when the generation was built."""
        return self.record(key).metadata

    def text(self, key: DocumentKey) -> str:
        """The full text of the pinned revision."""
        return self._texts[self._row(key)]

    def origins(self, key: DocumentKey) -> OriginMap:
        """Where in its source the text came from."""
        row = self._row(key)
        span = slice(self._origin_offsets[row], self._origin_offsets[row + 1])
        return OriginMap(
            unit=json.loads(self._records[row])["unit"],
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


def _record_json(document: Document) -> dict[str, Any]:
    return {
        "metadata": _metadata_json(document.metadata),
        "title": document.title,
        "parser": document.parser,
        "text_digest": digest(document.text.encode("utf-8", "surrogatepass")),
        "superseded": document.superseded,
        "unit": document.parsed.origins.unit,
    }


def _metadata_json(metadata: Metadata) -> dict[str, Any]:
    return asdict(metadata) | {
        "readers": sorted(metadata.readers),
        "tags": sorted(metadata.tags),
        "effective_from": metadata.effective_from.isoformat() if metadata.effective_from else None,
        "effective_to": metadata.effective_to.isoformat() if metadata.effective_to else None,
    }


def _metadata(content: Mapping[str, Any]) -> Metadata:
    began, ended = content["effective_from"], content["effective_to"]
    return Metadata(
        **dict(content)
        | {
            "id": DocumentId(content["id"]),
            "readers": frozenset(content["readers"]),
            "tags": frozenset(content["tags"]),
            "effective_from": date.fromisoformat(began) if began else None,
            "effective_to": date.fromisoformat(ended) if ended else None,
        }
    )


def _json_text(value: Any) -> str:
    return canonical_json(value).decode("utf-8", "surrogatepass")
