"""JSON Lines: one document a line, as collections for search are published."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import BinaryIO

from evidex.config import AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.sources.locators import locator
from evidex.sources.mappings import Mappings
from evidex.sources.metadata import declared, settle
from evidex.sources.sidecar import read_sidecar
from evidex.types import Failure, Metadata, SourceItem

_ID_KEYS = ("id", "_id", "source_id")
_PIECE_BYTES = 2**16


class JsonLinesSource:
    """The documents of a file with one JSON object a line.

    Keys: `id` (or `_id`, or `source_id`), `text`, and optionally `format` (default `text`) and the keys of
    `sources.metadata`; `acl` is another name for `readers`. Other keys are ignored, and blank lines are no rows.
    A sidecar and the mapping of the file hold for all its lines.

    `locator` is `<absolute path>#<id>`. `;tenant=<name>` follows for a document of another than the default tenant,
    and `;version=<version>` for each further version of a document whose first version in the file goes without: so a
    row whose version is raised stays the same item. In these parts `%`, `#` and `;` are written `%25`, `%23` and `%3B`.
    """

    def __init__(self, path: Path, *, workspace: Path, sources: SourcesSettings, access: AccessSettings) -> None:
        self._path = path.resolve()
        self._max_bytes = sources.max_bytes
        self._mappings = Mappings(sources.mappings, workspace=workspace)
        self._access = access

    def documents(self) -> Iterable[SourceItem | Failure]:
        """Every line that is not blank, as an item or as a failure. Raises `SourceError` if the file cannot be read."""
        weaker = read_sidecar(self._path).over(self._mappings.of(self._path))
        lines_of: dict[tuple[str, str], dict[str, int]] = {}
        for number, row in rows(self._path, max_bytes=self._max_bytes):
            try:
                if isinstance(row, SourceError):
                    raise row
                said = declared(_said(row), where="The row").over(weaker)
                metadata = settle(said, default_id=str(said.id), access=self._access)
                versions = lines_of.setdefault((metadata.tenant, metadata.id), {})
                first = versions.setdefault(metadata.version, number)
                if first != number:
                    raise SourceError(
                        f"the id {metadata.id!r}, version {metadata.version!r}, is already that of line {first}.",
                        "Give each row an id or a version of its own.",
                    )
                format, content = _format(row), _text(row).encode()
            except SourceError as error:
                yield Failure(f"{locator(self._path)}:{number}", f"line {number}: {error}")
                continue
            yield SourceItem(
                self._locator(metadata, further=len(versions) > 1),
                format,
                content,
                metadata,
                first_line=number,
                one_line=True,
            )

    def _locator(self, metadata: Metadata, *, further: bool) -> str:
        tenant = f";tenant={_apart(metadata.tenant)}" if metadata.tenant != self._access.default_tenant else ""
        version = f";version={_apart(metadata.version)}" if further else ""
        return f"{locator(self._path)}#{_apart(metadata.id)}{tenant}{version}"


def _apart(name: str) -> str:
    """A name in which nothing can be taken for the signs between the parts of a locator."""
    return name.replace("%", "%25").replace("#", "%23").replace(";", "%3B")


def rows(path: Path, *, max_bytes: int) -> Iterator[tuple[int, Mapping[str, object] | SourceError]]:
    """The objects of a JSON Lines file with their line numbers from 1; an error in place of a line that holds none."""
    try:
        with path.open("rb") as stream:
            for number in count(1):
                line = stream.readline(max_bytes + 1)
                if not line:
                    return
                if len(line) > max_bytes:
                    size = len(line) + (0 if line.endswith(b"\n") else _rest_of_line(stream))
                    yield number, _too_long(size, max_bytes)
                    continue
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line.strip():
                    yield number, _row(line)
    except OSError as error:
        raise SourceError(f"{str(path)!r} cannot be read: {error.strerror}.", "Check its permissions.") from None


def _rest_of_line(stream: BinaryIO) -> int:
    """Pass over what is left of a line, which need not fit into memory; returns its bytes."""
    size = 0
    while piece := stream.readline(_PIECE_BYTES):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return size


def _too_long(size: int, max_bytes: int) -> SourceError:
    return SourceError(f"it has {size} bytes, more than the {max_bytes} of sources.max_bytes.", "Raise that setting.")


def _row(line: bytes) -> Mapping[str, object] | SourceError:
    try:
        value = json.loads(line.decode(), object_pairs_hook=_each_key_once)
    except (ValueError, RecursionError) as error:
        return SourceError(f"not JSON: {error}.", "Mend that line.")
    if not isinstance(value, dict):
        return SourceError(f"not a JSON object but {type(value).__name__}.", 'Write {"id": …, "text": …}.')
    return value


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} is given twice")
    return found


def _said(row: Mapping[str, object]) -> Mapping[str, object]:
    id = next((row[key] for key in _ID_KEYS if row.get(key) not in (None, "")), None)
    if id is None:
        raise SourceError("no id.", f"Give the row one of the keys {', '.join(_ID_KEYS)}.")
    said = {**row, "id": id}
    if "acl" in row:
        if "readers" in row:
            raise SourceError("both 'readers' and 'acl'.", "Keep one of them.")
        said["readers"] = said.pop("acl")
    return said


def _text(row: Mapping[str, object]) -> str:
    text = row.get("text")
    if not isinstance(text, str):
        raise SourceError(f"text is {text!r:.80}.", "It has to be a string.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise SourceError(f"text has half a surrogate pair at character {error.start}.", "Remove it.") from None
    return text


def _format(row: Mapping[str, object]) -> str:
    format = row.get("format", "text")
    if not isinstance(format, str) or not format:
        raise SourceError(f"format is {format!r:.80}.", "Name a parser, such as 'markdown'.")
    return format
