"""Real documentation folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.tree import found


@pytest.mark.parametrize(("folder", "count"), [("fastapi/en", 155), ("pydantic_ai/docs", 228), ("datasette/docs", 31)])
def test_every_page_of_a_documentation_folder_is_an_item(shared: Path, folder: str, count: int) -> None:
    root = shared / "data" / "documents" / folder
    items, failures = found(root)
    assert (len(items), failures) == (sum(path.suffix in (".md", ".rst") for path in root.rglob("*")), [])
    assert len(items) >= count
    assert all(item.metadata.id.startswith(f"{root.name}/") for item in items)
