"""How documents enter: read every item of the sources, parse it, settle what changed, and write that at once.

A failing item is a row of the report and changes nothing: the revision that was there before goes on serving. The
catalog is written in one transaction at the end, so a process that dies on the way leaves it as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from evidex.catalog.catalog import Catalog, Record, deleted, document_key, superseded
from evidex.catalog.texts import encode, parse, parsed_digest, parser_for
from evidex.errors import ConfigError, ParseError
from evidex.ports import Parser, Source
from evidex.storage import digest
from evidex.types import DocumentId, Failure, Metadata, SourceItem

Outcome = Literal["added", "changed", "relabelled", "unchanged", "removed", "failed"]
"""`changed`: another text; `relabelled`: the same text under other metadata."""

_BATCH = 200


@dataclass(frozen=True, slots=True)
class IngestRow:
    """What became of one item. `reason` is set for failures; `document` is empty where none could be told."""

    locator: str
    outcome: Outcome
    document: str = ""
    version: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """One row an item, by locator."""

    rows: tuple[IngestRow, ...]

    def count(self, outcome: Outcome) -> int:
        return sum(row.outcome == outcome for row in self.rows)

    @property
    def failures(self) -> tuple[IngestRow, ...]:
        return tuple(row for row in self.rows if row.outcome == "failed")


def ingest(
    sources: Sequence[Source],
    catalog: Catalog,
    parsers: Mapping[str, Parser],
    *,
    home: Path,
    today: date,
    sync_roots: Sequence[Path] = (),
    progress: Callable[[int], None] = lambda _: None,
) -> IngestReport:
    """Bring the catalog up to what the sources hold now.

    Locators below `home` are kept relative to it, so that a workspace can be moved. With `sync_roots`, documents from
    below those paths that no source holds any more are deleted, and nothing else. `progress` is called with the number
    of items read so far.
    """
    incoming: list[Record] = []
    failed: dict[str, IngestRow] = {}
    for outcome in _read(_at_home(sources, home), catalog, parsers, progress):
        if isinstance(outcome, IngestRow):
            failed[outcome.locator] = outcome
        else:
            incoming.append(outcome)
    settled = _Settlement(catalog.records(), today)
    seen = {record.locator for record in incoming} | set(failed)
    roots = [relative_to(home, root.as_posix()) for root in sync_roots]
    settled.remove_vanished(roots, seen)
    settled.enter(incoming)
    rows = sorted([*settled.rows, *failed.values()], key=lambda row: (row.locator, row.document))
    failures = [Failure(row.locator, row.reason) for row in rows if row.outcome == "failed"]
    gone = {row.locator for row in rows if row.outcome == "removed"}
    catalog.apply(settled.changed, failures, seen | gone | _vanished_failures(catalog, roots, seen))
    return IngestReport(tuple(rows))


def relative_to(home: Path, locator: str) -> str:
    """A locator below `home` without that part ("." for `home` itself); any other as it is."""
    folder = home.as_posix()
    if locator == folder:
        return "."
    return locator.removeprefix(f"{folder}/")


def _at_home(sources: Sequence[Source], home: Path) -> Iterator[SourceItem | Failure]:
    for source in sources:
        for item in source.documents():
            yield replace(item, locator=relative_to(home, item.locator))


def _read(
    items: Iterable[SourceItem | Failure],
    catalog: Catalog,
    parsers: Mapping[str, Parser],
    progress: Callable[[int], None],
) -> Iterator[Record | IngestRow]:
    contents: dict[str, bytes] = {}
    texts: dict[str, bytes] = {}
    for read, item in enumerate(items, start=1):
        progress(read)
        if isinstance(item, Failure):
            yield IngestRow(item.locator, "failed", reason=item.reason)
            continue
        try:
            yield _parse(item, parsers, contents, texts)
        except (ParseError, ConfigError) as error:
            yield IngestRow(item.locator, "failed", item.metadata.id, item.metadata.version, reason=str(error))
        if len(contents) >= _BATCH:
            catalog.keep(contents, texts)
            contents.clear()
            texts.clear()
    catalog.keep(contents, texts)


def _parse(
    item: SourceItem, parsers: Mapping[str, Parser], contents: dict[str, bytes], texts: dict[str, bytes]
) -> Record:
    parser = parser_for(item.format, parsers)
    parsed = parse(item, parser)
    if not parsed.text.strip():
        raise ParseError("The text is empty.", "Remove the document, or give it a text.")
    content_digest = digest(item.content)
    text_digest = digest(parsed.text.encode("utf-8", "surrogatepass"))
    contents[content_digest] = item.content
    texts[parsed_digest(item, content_digest, parser)] = encode(parsed)
    return Record(
        key=document_key(item.metadata, text_digest),
        metadata=item.metadata,
        locator=item.locator,
        format=item.format,
        first_line=item.first_line,
        one_line=item.one_line,
        content_digest=content_digest,
        text_digest=text_digest,
    )


class _Settlement:
    """What the catalog will hold: revisions as they stand, and what this ingest changes of them."""

    def __init__(self, records: Iterable[Record], today: date) -> None:
        self._today = today
        self._before = {record.key: record for record in records}
        self._now = dict(self._before)
        self._by_locator: dict[str, Record] = {}
        self._by_version: dict[tuple[str, DocumentId, str], Record] = {}
        self._by_family: dict[tuple[str, str, str], dict[str, Record]] = defaultdict(dict)
        for record in self._now.values():
            if record.state == "current":
                self._link(record)
        self.rows: list[IngestRow] = []

    @property
    def changed(self) -> tuple[Record, ...]:
        return tuple(record for key, record in sorted(self._now.items()) if self._before.get(key) != record)

    def remove_vanished(self, roots: Sequence[str], seen: set[str]) -> None:
        """Delete the documents below `roots` that no source holds any more, with their superseded revisions."""
        # A row that can no longer be read does not say which it was, so the other rows of its file stay, too.
        torn = {file for file, _, line in (locator.rpartition(":") for locator in seen) if line.isdigit()}
        for record in list(self._now.values()):
            if record.state == "deleted" or record.locator in seen or not below(record.locator, roots):
                continue
            if record.locator.rpartition("#")[0] in torn:
                continue
            if record.state == "current":
                self._unlink(record)
                self.rows.append(IngestRow(record.locator, "removed", record.id, record.metadata.version))
            self._now[record.key] = deleted(record)

    def enter(self, incoming: Sequence[Record]) -> None:
        """Enter what the sources hold, items already known first so that a version can end before its successor."""
        for new in sorted(incoming, key=lambda record: (record.locator not in self._by_locator, record.locator)):
            old = self._by_locator.get(new.locator)
            if old is not None and old.key == new.key:
                new = replace(new, began_on=old.began_on)
            reason = self._objection(new, old)
            if reason:
                outcome: Outcome = "failed"
            elif old == new:
                outcome = "unchanged"
            else:
                outcome = _outcome(new, old)
                self._replace(old, new)
            self.rows.append(IngestRow(new.locator, outcome, new.id, new.metadata.version, reason))

    def _objection(self, new: Record, old: Record | None) -> str:
        holder = self._by_version.get(_version(new))
        if holder is not None and holder.locator != new.locator:
            return (
                f"Document id {new.id!r}, version {new.metadata.version!r}, is already that of {holder.locator!r}. "
                "Give one of them another id or version."
            )
        if new.metadata.retired:
            return ""
        for other in self._by_family[_family(new)].values():
            if other is not old and other.key != new.key and _overlap(new.metadata, other.metadata):
                return (
                    f"Version {new.metadata.version!r} of family {new.metadata.family!r} is in force at the same time "
                    f"as version {other.metadata.version!r} ({other.locator!r}). "
                    "End one of them with effective_to, or retire it."
                )
        return ""

    def _replace(self, old: Record | None, new: Record) -> None:
        if old is not None:
            self._unlink(old)
            if old.key != new.key:
                same_item = (old.metadata.tenant, old.id) == (new.metadata.tenant, new.id)
                ends = self._today
                if old.metadata.version != new.metadata.version and new.metadata.effective_from is not None:
                    ends = new.metadata.effective_from
                self._now[old.key] = superseded(old, ends) if same_item else deleted(old)
                new = replace(new, began_on=ends if same_item else None)
        self._now[new.key] = new
        self._link(new)

    def _link(self, record: Record) -> None:
        self._by_locator[record.locator] = record
        self._by_version[_version(record)] = record
        if not record.metadata.retired:
            self._by_family[_family(record)][record.key] = record

    def _unlink(self, record: Record) -> None:
        del self._by_locator[record.locator]
        del self._by_version[_version(record)]
        self._by_family[_family(record)].pop(record.key, None)


def below(locator: str, roots: Sequence[str]) -> bool:
    """Whether a locator is one of the roots or lies below one; all of them relative to one home where they can be."""
    return any(
        locator == root or locator.startswith((f"{root}/", f"{root}#")) or (root == "." and not locator.startswith("/"))
        for root in roots
    )


def _vanished_failures(catalog: Catalog, roots: Sequence[str], seen: set[str]) -> set[str]:
    return {failure.locator for failure in catalog.failures() if below(failure.locator, roots)} - seen


def _outcome(new: Record, old: Record | None) -> Outcome:
    if old is None:
        return "added"
    return "relabelled" if old.text_digest == new.text_digest else "changed"


def _version(record: Record) -> tuple[str, DocumentId, str]:
    return (record.metadata.tenant, record.id, record.metadata.version)


def _family(record: Record) -> tuple[str, str, str]:
    return (record.metadata.tenant, record.metadata.family, record.metadata.language)


def _overlap(one: Metadata, other: Metadata) -> bool:
    starts = max(one.effective_from or date.min, other.effective_from or date.min)
    ends = min(one.effective_to or date.max, other.effective_to or date.max)
    return starts < ends
