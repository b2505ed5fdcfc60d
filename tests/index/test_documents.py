from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from evidex.errors import GenerationError
from evidex.index.documents import DocumentRecord, SealedDocuments, document_digest, write_documents
from evidex.storage import Folder, checksums, digest
from evidex.types import Block, Document, DocumentId, DocumentKey, Metadata, OriginMap, Parsed

RICH = Document(
    key=DocumentKey("k2"),
    metadata=Metadata(
        id=DocumentId("refund-us-v3"),
        version="3",
        family="refund",
        language="en",
        tenant="us",
        readers=frozenset({"staff", "user:ada", "everyone"}),
        tags=frozenset({"policy", "adr"}),
        effective_from=date(2024, 1, 1),
        effective_to=date(2025, 1, 1),
        retired=True,
    ),
    parser="pdf/1",
    parsed=Parsed("Vierzehn Tage.\nÉté 東京", (), OriginMap("page", (0, 15), (1, 4)), title="Refunds"),
    superseded=True,
)
PLAIN = Document(
    key=DocumentKey("k1"),
    metadata=Metadata(id=DocumentId("blank"), title="Blank page"),
    parser="text/1",
    parsed=Parsed("", (), OriginMap("line", (0,), (1,)), title="Other"),
)


def opened(path: Path, *documents: Document) -> SealedDocuments:
    write_documents(Folder(path), documents)
    return SealedDocuments.open(path)


def test_documents_are_in_the_order_of_keys(tmp_path: Path) -> None:
    assert list(opened(tmp_path, RICH, PLAIN).keys) == ["k1", "k2"]


@pytest.mark.parametrize("document", [RICH, PLAIN])
def test_text_origins_and_record_of_a_document_come_back(tmp_path: Path, document: Document) -> None:
    store = opened(tmp_path, RICH, PLAIN)
    record = store.record(document.key)
    assert store.text(document.key) == document.text
    assert store.origins(document.key) == document.parsed.origins
    assert record == DocumentRecord(
        key=document.key,
        id=document.id,
        version=document.metadata.version,
        title=document.title,
        parser=document.parser,
        text_digest=digest(document.text.encode()),
    )


def test_the_order_of_documents_changes_no_byte(tmp_path: Path) -> None:
    write_documents(Folder(tmp_path / "one"), [RICH, PLAIN])
    write_documents(Folder(tmp_path / "two"), [PLAIN, RICH])
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")


def test_whatever_a_generation_is_made_of_changes_the_digest_of_a_document() -> None:
    others = [
        replace(RICH, key=DocumentKey("k3")),
        replace(RICH, superseded=False),
        replace(RICH, parser="pdf/2"),
        replace(RICH, metadata=replace(RICH.metadata, title="Other")),
        replace(RICH, parsed=replace(RICH.parsed, title="Other still")),
        replace(RICH, parsed=replace(RICH.parsed, blocks=(Block("paragraph", 0, 14),))),
        replace(RICH, parsed=replace(RICH.parsed, blocks=(Block("heading", 0, 14, level=1),))),
        replace(RICH, parsed=replace(RICH.parsed, origins=OriginMap("line", (0, 15), (1, 4)))),
        replace(RICH, parsed=replace(RICH.parsed, origins=OriginMap("page", (0, 15), (1, 5)))),
    ]
    assert len({document_digest(document) for document in [RICH, *others]}) == 1 + len(others)


RELABELLED = (
    {"readers": frozenset({"staff"})},
    {"tags": frozenset[str]()},
    {"effective_from": None},
    {"effective_to": None},
    {"retired": False},
    {"language": "de"},
    {"family": "returns"},
)


@pytest.mark.parametrize("labels", RELABELLED, ids=lambda labels: next(iter(labels)))
def test_what_the_catalog_decides_at_query_time_is_not_sealed(tmp_path: Path, labels: dict[str, Any]) -> None:
    other = replace(RICH, metadata=replace(RICH.metadata, **labels))
    assert document_digest(other) == document_digest(RICH)
    write_documents(Folder(tmp_path / "one"), [RICH])
    write_documents(Folder(tmp_path / "two"), [other])
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")


def test_one_damaged_byte_of_a_text_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    store = opened(tmp_path, RICH)
    file = tmp_path / "documents" / "texts.bin"
    file.write_bytes(b"\xff" + file.read_bytes()[1:])
    with pytest.raises(GenerationError, match=r"texts\.bin' is not UTF-8"):
        store.text(RICH.key)


def test_an_unknown_key_is_an_error_that_names_it(tmp_path: Path) -> None:
    store = opened(tmp_path, RICH)
    for read in (store.text, store.origins, store.record):
        with pytest.raises(GenerationError, match="'k9'"):
            read(DocumentKey("k9"))


def test_a_key_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="'k1' occurs twice"):
        write_documents(Folder(tmp_path), [PLAIN, RICH, PLAIN])


def test_no_documents_are_a_store_too(tmp_path: Path) -> None:
    assert len(opened(tmp_path)) == 0
