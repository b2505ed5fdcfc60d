"""What an owner says of a document, and which saying wins where there are several.

From strongest to weakest:

1. front matter at the start of a text file, or the keys of a JSON line;
2. the sidecar file `<file name>.meta.yaml` beside it;
3. the mapping under `sources.mappings` whose path is the longest that holds the file;
4. `access.default_tenant` and `access.default_readers`.

They are settled key by key. Keys: `id`, `version`, `family` (default: the id), `title`, `language`, `tenant`,
`readers` and `tags` (a list or one name), `effective_from` and `effective_to` (dates such as 2025-01-31), and
`status` (`active` or `retired`) or `active` (`true` or `false`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TypeVar

from evidex.config import AccessSettings
from evidex.errors import SourceError
from evidex.types import DocumentId, Metadata

LONGEST_NAME = 500
"""The most characters of an id, a version or another name."""

KEYS = frozenset({
    "id", "version", "family", "title", "language", "tenant", "readers", "tags", "effective_from", "effective_to",
    "status", "active",
})  # fmt: skip
_MISSPELT = {"reader": "readers", "acl": "readers", "tenants": "tenant"}
# Material for MkDocs marks pages so; it says nothing about whether they are in force.
_OTHER_STATUSES = frozenset({"new", "deprecated"})
_YES_OR_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CONTROL = frozenset({"Cc", "Cs", "Zl", "Zp"})
_NOTHING = frozenset({"", "~", "null"})

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Declared:
    """What one place says of a document; None where it says nothing."""

    id: DocumentId | None = None
    version: str | None = None
    family: str | None = None
    title: str | None = None
    language: str | None = None
    tenant: str | None = None
    readers: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    retired: bool | None = None

    def over(self, weaker: Declared) -> Declared:
        """This, and for the keys on which it is silent, `weaker`."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(weaker, **{name: value for name, value in said.items() if value is not None})


class _WrongError(ValueError):
    """What a value has to be."""


def declared(values: Mapping[str, object], *, where: str) -> Declared:
    """Check the values of the known keys; others are ignored, unless they are a misspelling of who may read.

    Raises `SourceError` naming the key, its value and what it has to be.
    """
    for key in sorted(values):
        meant = _MISSPELT.get(key.lower(), key.lower())
        if key not in KEYS and meant in ("readers", "tenant"):
            raise SourceError(f"{where} has the key {key!r}.", f"Write {meant!r}, which sets who may read.")
    id = _read(values, "id", _name, where)
    return Declared(
        id=None if id is None else DocumentId(id),
        version=_read(values, "version", _name, where),
        family=_read(values, "family", _name, where),
        title=_read(values, "title", _title, where),
        language=_read(values, "language", _name, where),
        tenant=_read(values, "tenant", _name, where),
        readers=_read(values, "readers", _names, where),
        tags=_read(values, "tags", _tags, where),
        effective_from=_read(values, "effective_from", _date, where),
        effective_to=_read(values, "effective_to", _date, where),
        retired=_retired(values, where),
    )


def settle(said: Declared, *, default_id: str, access: AccessSettings) -> Metadata:
    """The metadata of a document of which all that is `said` has been put together.

    Raises `SourceError` for a default id that cannot be one, and for an interval that ends before it begins.
    """
    id = said.id or _read({"id": default_id}, "id", _name, "The file name")
    assert id is not None
    if said.effective_from and said.effective_to and said.effective_to <= said.effective_from:
        raise SourceError(
            f"effective_to is {said.effective_to}, which is not after effective_from, {said.effective_from}.",
            "effective_to is the first day on which the document is no longer in force.",
        )
    return Metadata(
        id=DocumentId(id),
        version=said.version or "1",
        family=said.family or id,
        title=said.title or "",
        language=said.language or "",
        tenant=said.tenant or access.default_tenant,
        readers=frozenset(access.default_readers) if said.readers is None else said.readers,
        tags=said.tags or frozenset(),
        effective_from=said.effective_from,
        effective_to=said.effective_to,
        retired=said.retired or False,
    )


def _read(values: Mapping[str, object], key: str, convert: Callable[[object], Value], where: str) -> Value | None:
    """The converted value of a key; None where it is left out or empty. Id, tenant and readers may not be empty."""
    value = values.get(key)
    empty = value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING)
    if key not in values or (empty and key not in ("readers", "tenant", "id")):
        return None
    try:
        if empty:
            raise _WrongError("not empty; leave the key out where nothing is to be said")
        return convert(value)
    except _WrongError as wrong:
        raise SourceError(f"{where} sets {key!r} to {_shown(value)}.", f"It has to be {wrong}.") from None


def _retired(values: Mapping[str, object], where: str) -> bool | None:
    status = _read(values, "status", _status, where)
    active = _read(values, "active", _flag, where)
    if status and active is not None and (status == "active") != active:
        raise SourceError(
            f"{where} sets 'status' to {status!r} and 'active' to {active}.", "Keep the one that is true."
        )
    if active is not None:
        return not active
    return status == "retired" if status else None


def _name(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise _WrongError("a text; put quotes around a number")
    name = value.strip()
    if not 0 < len(name) <= LONGEST_NAME or any(unicodedata.category(character) in _CONTROL for character in name):
        raise _WrongError(f"one line of 1 to {LONGEST_NAME} characters, without control characters")
    return name


def _names(value: object) -> frozenset[str]:
    if isinstance(value, str):
        return frozenset({_name(value)})
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        raise _WrongError("a name or a list of names")
    return frozenset(_name(name) for name in value)


def _tags(value: object) -> frozenset[str]:
    return frozenset() if value == [] else _names(value)


def _title(value: object) -> str:
    if not isinstance(value, str) or any(unicodedata.category(character) == "Cs" for character in value):
        raise _WrongError("a text")
    return " ".join(value.split())


def _date(value: object) -> date:
    try:
        if not isinstance(value, str) or not _ISO_DATE.fullmatch(value.strip()):
            raise ValueError
        return date.fromisoformat(value.strip())
    except ValueError:
        raise _WrongError("a date such as 2025-01-31") from None


def _status(value: object) -> str:
    if not isinstance(value, str) or value.strip().lower() not in {"active", "retired"} | _OTHER_STATUSES:
        raise _WrongError("'active' or 'retired'")
    status = value.strip().lower()
    return "" if status in _OTHER_STATUSES else status


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.strip().lower() not in _YES_OR_NO:
        raise _WrongError("'true' or 'false'")
    return _YES_OR_NO[value.strip().lower()]


def _shown(value: object) -> str:
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
