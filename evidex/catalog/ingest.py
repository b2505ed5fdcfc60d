"""How documents enter: read every item of the sources, parse it, settle what changed, and write that at once.

A failing item is a row of the report and changes nothing: the revision that was there before goes on serving. The
catalog is written in one transaction at the end, so a process that dies on the way leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from evidex.catalog.catalog import Catalog, Record, document_key
from evidex.catalog.settle import IngestRow, Outcome, Settlement, below, torn_file
from evidex.catalog.texts import encode, parse, parsed_digest, parser_for
from evidex.errors import ConfigError, ParseError
from evidex.ports import Parser, Source
from evidex.storage import digest
from evidex.types import Failure, SourceItem

_BATCH_BYTES = 50_000_000


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
    settled = Settlement(catalog.records(), today)
    seen = {record.locator for record in incoming} | set(failed)
    roots = [relative_to(home, root.as_posix()) for root in sync_roots]
    settled.move(incoming, roots)
    settled.remove_vanished(roots, seen, set(failed))
    settled.enter(incoming)
    rows = sorted([*settled.rows, *failed.values()], key=lambda row: (row.locator, row.document))
    failures = list({row.locator: Failure(row.locator, row.reason) for row in rows if row.outcome == "failed"}.values())
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
    earlier: set[str] = set()
    for source in sources:
        found: set[str] = set()
        for item in source.documents():
            place = relative_to(home, item.locator)
            if place not in earlier:
                found.add(place)
                yield replace(item, locator=place)
        earlier |= found


def _read(
    items: Iterable[SourceItem | Failure],
    catalog: Catalog,
    parsers: Mapping[str, Parser],
    progress: Callable[[int], None],
) -> Iterator[Record | IngestRow]:
    contents: dict[str, bytes] = {}
    texts: dict[str, bytes] = {}
    size = 0
    for read, item in enumerate(items, start=1):
        progress(read)
        if isinstance(item, Failure):
            yield IngestRow(item.locator, "failed", reason=item.reason)
            continue
        try:
            yield _parse(item, parsers, contents, texts)
        except (ParseError, ConfigError) as error:
            yield IngestRow(item.locator, "failed", item.metadata.id, item.metadata.version, reason=str(error))
        size += len(item.content)
        if size >= _BATCH_BYTES:
            catalog.keep(contents, texts)
            contents.clear()
            texts.clear()
            size = 0
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
        metadata=replace(item.metadata, title=item.metadata.title or parsed.title),
        locator=item.locator,
        format=item.format,
        first_line=item.first_line,
        one_line=item.one_line,
        content_digest=content_digest,
        text_digest=text_digest,
    )


def _vanished_failures(catalog: Catalog, roots: Sequence[str], seen: set[str]) -> set[str]:
    """Failures of what is no more: below what is synced, or a row of a file that was read again."""
    read = {locator.rpartition("#")[0] for locator in seen} | {torn_file(locator) for locator in seen}
    known = {failure.locator for failure in catalog.failures()}
    return {locator for locator in known if below(locator, roots) or torn_file(locator) in read - {""}} - seen
