"""The sample as its tests see it: pages as a source would hand them over, cases as they are read."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from evidex.evaluation.golden import read_golden
from evidex.types import Case, DocumentId, Metadata, SourceItem


@pytest.fixture(scope="session")
def sample() -> Path:
    return Path(str(files("evidex.sample")))


@pytest.fixture(scope="session")
def front_matter(sample: Path) -> dict[str, dict[str, Any]]:
    """What the front matter of each page says, by its path below docs."""
    docs = sample / "docs"
    return {path.relative_to(docs).as_posix(): _split(path)[0] for path in sorted(docs.rglob("*.md"))}


@pytest.fixture(scope="session")
def pages(sample: Path) -> tuple[SourceItem, ...]:
    docs = sample / "docs"
    return tuple(_page(path, path.relative_to(docs).as_posix()) for path in sorted(docs.rglob("*.md")))


@pytest.fixture(scope="session")
def latest(pages: tuple[SourceItem, ...]) -> date:
    """The last day on which the sample changes: every later day has the same pages in force."""
    days = [day for page in pages for day in (page.metadata.effective_from, page.metadata.effective_to) if day]
    return max(days)


@pytest.fixture(scope="session")
def dev(sample: Path) -> tuple[Case, ...]:
    return _in_file_order(sample / "golden" / "dev.jsonl")


@pytest.fixture(scope="session")
def test(sample: Path) -> tuple[Case, ...]:
    return _in_file_order(sample / "golden" / "test.jsonl")


def _in_file_order(file: Path) -> tuple[Case, ...]:
    return tuple(sorted(read_golden(file).cases, key=lambda case: case.line))


def _split(path: Path) -> tuple[dict[str, Any], str]:
    _, front, body = path.read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(front), body


def _page(path: Path, locator: str) -> SourceItem:
    front, body = _split(path)
    metadata = Metadata(
        id=DocumentId(front["id"]),
        version=front["version"],
        family=front["family"],
        title=front["title"],
        language=front["language"],
        tenant=front["tenant"],
        readers=frozenset(front["readers"]),
        tags=frozenset(front["tags"]),
        effective_from=front["effective_from"],
        effective_to=front.get("effective_to"),
    )
    return SourceItem(locator, "markdown", body.encode(), metadata)
