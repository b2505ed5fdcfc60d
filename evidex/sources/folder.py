"""Files and folders as documents."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evidex.config import FILE_NAME, AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.sources import front_matter
from evidex.sources.front_matter import FrontMatter
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


@dataclass(frozen=True, slots=True)
class _Found:
    """A file below one of the roots: its path with every link resolved, and that root."""

    path: Path
    root: Path


class FolderSource:
    """The documents among `roots`, which are files and folders, walked in the order of their names.

    Hidden files and folders are passed over. A link is followed while it stays within its root. `locator` is the
    absolute path with links resolved, so a file is the same document whichever root it was found under.
    """

    def __init__(
        self, roots: Sequence[Path], *, workspace: Path, sources: SourcesSettings, access: AccessSettings
    ) -> None:
        self._roots = tuple(root.resolve() for root in roots)
        self._workspace = workspace.resolve()
        self._max_bytes = sources.max_bytes
        self._mappings = Mappings(sources.mappings, workspace=workspace)
        self._formats = {**FORMATS, **{_ending(name): format for name, format in sources.formats.items()}}
        self._access = access

    def documents(self) -> Iterable[SourceItem | Failure]:
        """Every file once: as an item, or as a failure that says why it cannot be one."""
        owners: dict[tuple[str, DocumentId], str] = {}
        seen: set[Path] = set()
        for found in self._walk():
            if isinstance(found, Failure):
                yield found
            elif found.path not in seen:
                seen.add(found.path)
                yield self._unique(self._document(found), owners)

    # --- finding

    def _walk(self) -> Iterator[_Found | Failure]:
        for root in self._roots:
            if root.is_dir():
                yield from self._below(root)
            else:
                yield _Found(root, root)

    def _below(self, root: Path) -> Iterator[_Found | Failure]:
        waiting, entered = [root], {root}
        while waiting:
            folder = waiting.pop()
            subfolders: list[Path] = []
            for entry in self._entries(folder, root):
                if isinstance(entry, Failure) or not entry.path.is_dir():
                    yield entry
                elif entry.path not in entered:
                    entered.add(entry.path)
                    subfolders.append(entry.path)
            waiting += reversed(subfolders)

    def _entries(self, folder: Path, root: Path) -> Iterator[_Found | Failure]:
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
                yield _Found(path, root)

    # --- reading

    def _document(self, found: _Found) -> SourceItem | Failure:
        try:
            return self._item(found)
        except SourceError as error:
            return Failure(locator(found.path), str(error))
        except OSError as error:
            return Failure(locator(found.path), f"The file cannot be read: {error.strerror}. Check its permissions.")

    def _item(self, found: _Found) -> SourceItem:
        format = self._format(found.path)
        content = self._content(found.path)
        parted = front_matter.split(content) if format in front_matter.FORMATS else FrontMatter(content)
        said = declared(parted.values, where="Front matter").over(read_sidecar(found.path))
        metadata = settle(
            said.over(self._mappings.of(found.path)), default_id=self._default_id(found), access=self._access
        )
        return SourceItem(locator(found.path), format, parted.body, metadata, parted.first_line)

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

    def _default_id(self, found: _Found) -> str:
        base = self._workspace if found.path.is_relative_to(self._workspace) else found.root.parent
        return found.path.relative_to(base).as_posix()

    def _unique(self, item: SourceItem | Failure, owners: dict[tuple[str, DocumentId], str]) -> SourceItem | Failure:
        if isinstance(item, Failure):
            return item
        owner = owners.setdefault((item.metadata.tenant, item.metadata.id), item.locator)
        if owner == item.locator:
            return item
        return Failure(
            item.locator,
            f"The id {item.metadata.id!r} of {item.locator!r} is already that of {owner!r}. Give each its own.",
        )


def locator(path: Path) -> str:
    """The absolute path of a file with slashes; bytes of its name that are no UTF-8 are shown as `\\xff`."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


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
