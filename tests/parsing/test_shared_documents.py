"""Real documents: every one is read or refused with a reason, and its blocks and origins hold together."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidex.errors import ParseError
from tests.parsing.reading import check, read_with


@pytest.mark.parametrize(
    ("folder", "ending", "format"),
    [
        ("documents/fastapi", "md", "markdown"),
        ("documents/pydantic_ai", "md", "markdown"),
        ("documents/datasette", "rst", "restructured"),
        ("parser-fixtures/docling", "html", "html"),
        ("parser-fixtures/docling", "md", "markdown"),
    ],
)
def test_every_text_document_is_read(shared: Path, folder: str, ending: str, format: str) -> None:
    files = sorted((shared / "data" / folder).rglob(f"*.{ending}"))
    assert files
    for file in files:
        assert read_with(format, file.read_bytes(), first_line=3).blocks, file


def test_every_pdf_is_read_or_refused_with_its_reason(shared: Path) -> None:
    pytest.importorskip("pypdfium2", reason="the extra 'pdf' is not installed")
    refused = {}
    files = sorted((shared / "data" / "parser-fixtures" / "docling").rglob("*.pdf"))
    for file in files:
        try:
            parsed = read_with("pdf", file.read_bytes())
        except ParseError as error:
            refused[file.name] = error.problem
        else:
            check(parsed, first=1, last=10_000)
    assert files
    assert all("no text layer" in problem or "encrypted" in problem for problem in refused.values()), refused
    assert len(refused) < len(files) / 3
