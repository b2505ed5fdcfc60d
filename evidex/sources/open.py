"""Which source reads a path?"""

from __future__ import annotations

from pathlib import Path

from evidex.config import AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.ports import Source
from evidex.sources import beir
from evidex.sources.folder import FolderSource
from evidex.sources.jsonl import JsonLinesSource


def open_source(path: Path, *, workspace: Path, sources: SourcesSettings, access: AccessSettings) -> Source:
    """A BEIR collection for a folder with corpus.jsonl, JSON Lines for a file that ends so, else files and folders.

    Raises `SourceError` when there is nothing at `path`.
    """
    if not path.exists():
        raise SourceError(f"There is nothing at {str(path)!r}.", "Name a file or folder that exists.")
    if (path / beir.CORPUS).is_file():
        return beir.corpus(path, workspace=workspace, sources=sources, access=access)
    if path.suffix.lower() == ".jsonl" and path.is_file():
        return JsonLinesSource(path, workspace=workspace, sources=sources, access=access)
    return FolderSource((path,), workspace=workspace, sources=sources, access=access)
