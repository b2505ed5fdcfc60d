"""Files and folders as documents."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evidex.config import FILE_NAME, AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.sources import front_matter
from evidex.sources.front_matter import FrontMatter
from evidex.sources.jsonl import JsonLinesSource
from evidex.sources.locators import locator
from evidex.sources.mappings import Mappings
from evidex.sources.metadata import declared, settle
from evidex.sources.sidecar import ENDING as SIDECAR_ENDING
from evidex.sources.sidecar import read_sidecar, sidecar_of
from evidex.types import DocumentId, Failure, SourceItem

FORMATS: Mapping[str, str] = {
    ".htm": "html",
    ".html": "html",
    ".markdown": "markdown",
    ".md": "markdown",
    ".pdf": "pdf",
    ".rst": "restructured",
    ".text": "text",
    ".txt": "text",
}
"""The format of a file by its ending, before `sources.formats` adds to it."""


class FolderSource:
    """The documents among `roots`, which are files and folders, walked in the order of their names.

    Hidden files and folders are passed over. A link is followed while it stays within its root. `locator` is the
    absolute path with links resolved, and the id of a file that names none is its path relative to the workspace, or
    the absolute one outside of it: so a file is the same document whichever root it was found under.
    """

    def __init__(
        self, roots: Sequence[Path], *, workspace: Path, sources: SourcesSettings, access: AccessSettings
    ) -> None:
        self._roots = tuple(root.resolve() for root in roots)
        self._workspace = workspace.resolve()
        self._sources = sources
        self._max_bytes = sources.max_bytes
        self._mappings = Mappings(sources.mappings, workspace=workspace)
        self._formats = {**FORMATS, **{_ending(name): format for name, format in sources.formats.items()}}
        self._access = access

    def documents(self) -> Iterable[SourceItem | Failure]:
        """Every file once: as an item, or as a failure that says why it cannot be one."""
        owners: dict[tuple[str, DocumentId, str], str] = {}
        seen: set[Path] = set()
        for found in self._walk():
            if isinstance(found, Failure):
                yield found
            elif found not in seen:
                seen.add(found)
                for item in self._documents_in(found):
                    yield self._unique(item, owners)

    def _documents_in(self, path: Path) -> Iterator[SourceItem | Failure]:
        if path.suffix.lower() != ".jsonl" or ".jsonl" in self._formats:
            yield self._document(path)
            return
        try:
            yield from JsonLinesSource(
                path, workspace=self._workspace, sources=self._sources, access=self._access
            ).documents()
        except SourceError as error:
            yield Failure(locator(path), str(error))

    # --- finding

    def _walk(self) -> Iterator[Path | Failure]:
        for root in self._roots:
            if root.is_dir():
                yield from self._below(root)
            else:
                yield root

    def _below(self, root: Path) -> Iterator[Path | Failure]:
        waiting, entered = [root], {root}
        while waiting:
            folder = waiting.pop()
            subfolders: list[Path] = []
            for entry in self._entries(folder, root):
                if isinstance(entry, Failure) or not entry.is_dir():
                    yield entry
                elif entry not in entered:
                    entered.add(entry)
                    subfolders.append(entry)
            waiting += reversed(subfolders)

    def _entries(self, folder: Path, root: Path) -> Iterator[Path | Failure]:
        try:
            names = sorted(entry.name for entry in folder.iterdir())
        except OSError as error:
            yield Failure(locator(folder), f"The folder cannot be read: {error.strerror}. Check its permissions.")
            return
        for name in names:
            if name.startswith(".") or name == FILE_NAME:
                continue
            path = _resolved(folder / name)
            if path is None:
                yield Failure(
                    locator(folder / name),
                    "It cannot be reached: a link that leads nowhere, or a folder that may not be entered.",
                )
            elif not path.is_relative_to(root):
                yield Failure(locator(folder / name), f"The link leads out of {str(root)!r}. Put a copy there instead.")
            elif name.endswith(SIDECAR_ENDING):
                yield from _lonely(path)
            else:
                yield path

    # --- reading

    def _document(self, path: Path) -> SourceItem | Failure:
        try:
            return self._item(path)
        except SourceError as error:
            return Failure(locator(path), str(error))
        except OSError as error:
            return Failure(locator(path), f"The file cannot be read: {error.strerror}. Check its permissions.")

    def _item(self, path: Path) -> SourceItem:
        format = self._format(path)
        content = self._content(path)
        parted = front_matter.split(content) if format in front_matter.FORMATS else FrontMatter(content)
        said = declared(parted.values, where="Front matter").over(read_sidecar(path))
        metadata = settle(said.over(self._mappings.of(path)), default_id=self._default_id(path), access=self._access)
        return SourceItem(locator(path), format, parted.body, metadata, parted.first_line)

    def _format(self, path: Path) -> str:
        ending = path.suffix.lower()
        if ending not in self._formats:
            raise SourceError(
                f"not a document format evidex reads: {(ending or path.name)!r};",
                "map the ending under sources.formats",
            )
        return self._formats[ending]

    def _content(self, path: Path) -> bytes:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("It is not a regular file.", "Leave it out.")
        with path.open("rb") as stream:
            content = stream.read(self._max_bytes + 1)
        if len(content) > self._max_bytes:
            size = max(status.st_size, len(content))
            raise SourceError(
                f"The file has {size} bytes, more than the {self._max_bytes} of sources.max_bytes.",
                "Split it, or raise that setting.",
            )
        return content

    def _default_id(self, path: Path) -> str:
        inside = path.is_relative_to(self._workspace)
        return (path.relative_to(self._workspace) if inside else path).as_posix()

    def _unique(
        self, item: SourceItem | Failure, owners: dict[tuple[str, DocumentId, str], str]
    ) -> SourceItem | Failure:
        if isinstance(item, Failure):
            return item
        said = item.metadata
        owner = owners.setdefault((said.tenant, said.id, said.version), item.locator)
        if owner == item.locator:
            return item
        return Failure(
            item.locator,
            f"The id {said.id!r}, version {said.version!r}, of {item.locator!r} is already that of {owner!r}. "
            "Give each an id or a version of its own.",
        )


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a link that leads to itself, before Python 3.13
        return None


def _lonely(sidecar: Path) -> Iterator[Failure]:
    """A sidecar that no file of its name goes with describes nothing, perhaps by a misspelling."""
    file = sidecar.with_name(sidecar.name.removesuffix(SIDECAR_ENDING))
    if file.is_symlink() or not file.is_file() or sidecar_of(file) != sidecar:
        yield Failure(locator(sidecar), f"The sidecar describes no file: there is no {file.name!r} beside it.")


def _ending(name: str) -> str:
    return name.lower() if name.startswith(".") else f".{name.lower()}"
