"""Folders of files, and what a source makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evidex.config import AccessSettings, SourcesSettings
from evidex.sources.open import open_source
from evidex.types import Failure, SourceItem


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def found(
    path: Path, *, workspace: Path | None = None, access: AccessSettings | None = None, **sources: Any
) -> tuple[list[SourceItem], list[Failure]]:
    """The items and the failures below a path, each in the order in which the source gives them."""
    source = open_source(
        path,
        workspace=workspace or path.parent,
        sources=SourcesSettings(**sources),
        access=access or AccessSettings(),
    )
    rows = list(source.documents())
    return [row for row in rows if isinstance(row, SourceItem)], [row for row in rows if isinstance(row, Failure)]


def only(path: Path, **settings: Any) -> SourceItem:
    items, failures = found(path, **settings)
    assert not failures, failures
    (item,) = items
    return item


def reason(path: Path, **settings: Any) -> str:
    items, failures = found(path, **settings)
    assert not items, items
    (failure,) = failures
    return failure.reason
