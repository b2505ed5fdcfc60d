"""The sample knowledge base: the documents of an invented company, questions about them, and a synonym file.

docs/       support, company and handbook pages of Harborlight, and three pages of a partner in another tenant
golden/     questions with the documents and words that answer them: `dev` by hand, `test` from templates
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from evidex.errors import ConfigError
from evidex.storage import Folder

PARTS = ("docs", "golden", "synonyms.toml")
"""What a workspace gets of the sample."""


def copy_into(folder: Path) -> None:
    """Copy the sample into a workspace. Raises `ConfigError`, before it writes, where a part of it is already there."""
    taken = [part for part in PARTS if (folder / part).exists()]
    if taken:
        raise ConfigError(f"{str(folder / taken[0])!r} is already there.", "Choose another folder, or move it away.")
    workspace = Folder(folder)
    for part in PARTS:
        for name, file in _files(part, files(__name__) / part):
            workspace.write(name, file.read_bytes())


def _files(name: str, item: Traversable) -> Iterator[tuple[str, Traversable]]:
    if item.is_file():
        yield name, item
        return
    for child in sorted(item.iterdir(), key=lambda child: child.name):
        yield from _files(f"{name}/{child.name}", child)
