from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evidex.parsing.markdown import MarkdownParser
from evidex.storage import digest
from evidex.types import Document, DocumentId, DocumentKey, Metadata, SourceItem


@pytest.fixture(scope="session")
def markdown() -> Callable[..., Document]:
    """Makes a document of Markdown; keywords go into its metadata."""
    parser = MarkdownParser()

    def make(text: str, *, superseded: bool = False, **fields: object) -> Document:
        metadata = Metadata(DocumentId("handbook"), **fields)  # type: ignore[arg-type]
        item = SourceItem("handbook.md", "markdown", text.encode(), metadata)
        key = DocumentKey(digest(text.encode()))
        return Document(key, metadata, parser.name, parser.parse(item), superseded)

    return make


@pytest.fixture(scope="session")
def handbook() -> str:
    return (Path(__file__).parent / "handbook.md").read_text("utf-8")
