"""JSON Lines: one document a line, as collections for search are published."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from evidex.config import AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.sources.folder import locator
from evidex.sources.mappings import Mappings
from evidex.sources.metadata import declared, settle
from evidex.sources.sidecar import read_sidecar
from evidex.types import Failure, SourceItem

_ID_KEYS = ("id", "_id", "source_id")


class JsonLinesSource:
    """The documents of a file with one JSON object a line.

    Keys: `id` (or `_id`, or `source_id`), `text`, and optionally `format` (default `text`) and the keys of
    `sources.metadata`; `acl` is another name for `readers`. Other keys are ignored, and blank lines are no rows.
    A sidecar and the mapping of the file hold for all its lines. `locator` is `<absolute path>#<id>`.
    """

    def __init__(self, path: Path, *, workspace: Path, sources: SourcesSettings, access: AccessSettings) -> None:
        self._path = path.resolve()
        self._max_bytes = sources.max_bytes
        self._mappings = Mappings(sources.mappings, workspace=workspace)
        self._access = access

    def documents(self) -> Iterable[SourceItem | Failure]:
        """Every line that is not blank, as an item or as a failure. Raises `SourceError` if the file cannot be read."""
        weaker = read_sidecar(self._path).over(self._mappings.of(self._path))
        lines_of: dict[tuple[str, str], int] = {}
        for number, row in rows(self._path, max_bytes=self._max_bytes):
            try:
                if isinstance(row, SourceError):
                    raise row
                said = declared(_said(row), where="The row").over(weaker)
                metadata = settle(said, default_id=str(said.id), access=self._access)
                first = lines_of.setdefault((metadata.tenant, metadata.id), number)
                if first != number:
                    raise SourceError(
                        f"the id {metadata.id!r} is already that of line {first}.", "Give each row an id of its own."
                    )
                format, content = _format(row), _text(row).encode()
            except SourceError as error:
                yield Failure(f"{locator(self._path)}:{number}", f"line {number}: {error}")
                continue
            row_locator = f"{locator(self._path)}#{metadata.id}"
            yield SourceItem(row_locator, format, content, metadata, first_line=number, one_line=True)


def rows(path: Path, *, max_bytes: int) -> Iterator[tuple[int, Mapping[str, object] | SourceError]]:
    """The objects of a JSON Lines file with their line numbers from 1; an error in place of a line that holds none."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line.strip():
                    yield number, _row(line, max_bytes)
    except OSError as error:
        raise SourceError(f"{str(path)!r} cannot be read: {error.strerror}.", "Check its permissions.") from None


def _row(line: bytes, max_bytes: int) -> Mapping[str, object] | SourceError:
    if len(line) > max_bytes:
        return SourceError(
            f"it has {len(line)} bytes, more than the {max_bytes} of sources.max_bytes.", "Raise that setting."
        )
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
