"""What changed? The revisions that the catalog held before, held against what the sources hold now.

Nothing here reads or writes: what is settled is applied by `catalog.ingest` in one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath
from typing import Literal, TypeGuard

from evidex.catalog.catalog import Record, deleted, superseded
from evidex.types import DocumentId, DocumentKey

Outcome = Literal["added", "changed", "relabelled", "moved", "unchanged", "removed", "failed"]
"""`changed`: another text; `relabelled`: the same text under other metadata; `moved`: found at another place."""


@dataclass(frozen=True, slots=True)
class IngestRow:
    """What became of one item. `reason` is set for failures; `document` is empty where none could be told."""

    locator: str
    outcome: Outcome
    document: str = ""
    version: str = ""
    reason: str = ""


class Settlement:
    """What the catalog will hold: revisions as they stand, and what this ingest changes of them."""

    def __init__(self, records: Iterable[Record], today: date) -> None:
        self._today = today
        self._before = {record.key: record for record in records}
        self._now: dict[DocumentKey, Record] = {}
        self._keys_at: dict[str, set[DocumentKey]] = defaultdict(set)
        self._by_locator: dict[str, Record] = {}
        self._by_version: dict[tuple[str, DocumentId, str], Record] = {}
        self._by_family: dict[tuple[str, str, str], dict[str, Record]] = defaultdict(dict)
        for record in self._before.values():
            self._put(record)
            if record.state == "current":
                self._link(record)
        self._moved: set[str] = set()
        self.rows: list[IngestRow] = []

    @property
    def changed(self) -> tuple[Record, ...]:
        return tuple(record for key, record in sorted(self._now.items()) if self._before.get(key) != record)

    def move(self, incoming: Sequence[Record], roots: Sequence[str]) -> None:
        """Let documents that were found at another place below `roots` take their earlier revisions along."""
        places = {record.locator for record in incoming}
        for new in incoming:
            old = self._by_version.get(_version(new))
            if old is None or old.locator in places or new.locator in self._by_locator or not below(old.locator, roots):
                continue
            self._unlink(old)
            for record in self._revisions(old.locator):
                self._put(replace(record, locator=new.locator))
            self._link(self._now[old.key])
            self._moved.add(new.locator)

    def remove_vanished(self, roots: Sequence[str], seen: set[str], failed: set[str]) -> None:
        """Delete the documents below `roots` that no source holds any more, with their superseded revisions.

        What lies below an item that failed, such as a folder that cannot be read or a file with a torn row, stays.
        """
        unread = sorted((failed | {torn_file(locator) for locator in failed}) - {""})
        for locator in sorted(self._keys_at.keys() - seen):
            if not below(locator, roots) or below(locator, unread):
                continue
            current = self._by_locator.get(locator)
            if current is not None:
                self._unlink(current)
                self.rows.append(IngestRow(locator, "removed", current.id, current.metadata.version))
            for record in self._revisions(locator):
                self._put(deleted(record))

    def enter(self, incoming: Sequence[Record]) -> None:
        """Enter what the sources hold, items already known first so that a version can end before its successor."""
        pending = sorted(incoming, key=lambda record: (record.locator not in self._by_locator, record.locator))
        entered: set[str] = set()
        while pending:
            # What was refused may be right once others have entered: a version that ends, an id that is given up.
            refused = [(new, reason) for new in pending if (reason := self._try(new, entered))]
            if len(refused) == len(pending):
                self.rows += [IngestRow(n.locator, "failed", n.id, n.metadata.version, why) for n, why in refused]
                return
            pending = [new for new, _ in refused]

    def _try(self, new: Record, entered: set[str]) -> str:
        """Enter one item, or say why it cannot be."""
        old = self._by_locator.get(new.locator)
        if old is not None and old.key == new.key:
            new = replace(new, began_on=_begins(new, old, self._today))
        reason = "Another item has the same place." if new.locator in entered else self._objection(new)
        if reason:
            return reason
        entered.add(new.locator)
        outcome: Outcome = "moved" if new.locator in self._moved and old == new else _outcome(new, old)
        if old != new:
            self._replace(old, new)
        self.rows.append(IngestRow(new.locator, outcome, new.id, new.metadata.version))
        return ""

    def _objection(self, new: Record) -> str:
        holder = self._by_version.get(_version(new))
        if holder is not None and holder.locator != new.locator:
            return (
                f"Document id {new.id!r}, version {new.metadata.version!r}, is already that of {holder.locator!r}. "
                "Give one of them another id or version."
            )
        if new.metadata.retired:
            return ""
        for other in self._by_family[_family(new)].values():
            if other.locator != new.locator and max(new.begins, other.begins) < min(new.ends, other.ends):
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
                ends = self._today
                if old.metadata.version != new.metadata.version and new.metadata.effective_from is not None:
                    ends = new.metadata.effective_from
                again = self._now.get(new.key)
                self._put(superseded(old, ends))
                new = replace(new, began_on=again.began_on if _resumes(again, old, ends) else ends)
            elif old.began_on != new.began_on:
                self._move_end(old, new)
        self._put(new)
        self._relabel_earlier(new)
        self._end_earlier(new)
        self._link(new)

    def _end_earlier(self, new: Record) -> None:
        """No earlier revision of an item reaches into the time of the one that is current."""
        for record in self._revisions(new.locator):
            if record.key != new.key and record.ends > new.begins:
                self._put(replace(record, superseded_on=new.begins))

    def _move_end(self, old: Record, new: Record) -> None:
        """A version whose beginning was moved moves the end of the one before it."""
        for record in self._revisions(new.locator):
            if record.state == "superseded" and record.superseded_on == old.began_on and record.begins < record.ends:
                self._put(replace(record, superseded_on=new.began_on))

    def _relabel_earlier(self, new: Record) -> None:
        """What an owner says now of readers and retirement holds for the earlier revisions of the item, too."""
        for record in self._revisions(new.locator):
            if record.key == new.key:
                continue
            if (record.metadata.tenant, record.id) != (new.metadata.tenant, new.id):
                self._put(deleted(record))
                continue
            retired = record.metadata.retired
            if record.metadata.version == new.metadata.version:
                retired = new.metadata.retired
            metadata = replace(record.metadata, retired=retired)
            self._put(replace(record, metadata=metadata, readers_now=new.metadata.readers))

    def _revisions(self, locator: str) -> list[Record]:
        found = (self._now[key] for key in sorted(self._keys_at[locator]))
        return [record for record in found if record.locator == locator and record.state != "deleted"]

    def _put(self, record: Record) -> None:
        before = self._now.get(record.key)
        if before is not None:
            self._by_family[_family(before)].pop(record.key, None)
        self._now[record.key] = record
        reaches_on = record.in_force(record.begins) and record.ends > self._today
        if reaches_on or (record.state == "current" and not record.metadata.retired):
            self._by_family[_family(record)][record.key] = record
        self._keys_at[record.locator].add(record.key)

    def _link(self, record: Record) -> None:
        self._by_locator[record.locator] = record
        self._by_version[_version(record)] = record

    def _unlink(self, record: Record) -> None:
        del self._by_locator[record.locator]
        del self._by_version[_version(record)]
        self._by_family[_family(record)].pop(record.key, None)


def below(locator: str, roots: Sequence[str]) -> bool:
    """Whether a locator is one of the roots or lies below one; all of them relative to one home where they can be."""
    return any(
        locator == root
        or locator.startswith((f"{root}/", f"{root}#"))
        or (root == "." and not PurePath(locator).is_absolute())
        for root in roots
    )


def torn_file(locator: str) -> str:
    """The file of a row that could not be read, `FILE:LINE`; "" for every other locator."""
    file, _, line = locator.rpartition(":")
    return file if line.isdigit() else ""


def _outcome(new: Record, old: Record | None) -> Outcome:
    if old is None:
        return "added"
    if old == new:
        return "unchanged"
    return "relabelled" if old.text_digest == new.text_digest else "changed"


def _resumes(again: Record | None, old: Record, ends: date) -> TypeGuard[Record]:
    """Whether a text that comes back was only interrupted by one that was never in force, so that it never ended."""
    return (
        again is not None
        and (again.state, again.locator) == ("superseded", old.locator)
        and again.superseded_on == old.began_on
        and old.begins >= ends
    )


def _begins(new: Record, old: Record, today: date) -> date | None:
    """The day on which a revision that replaced another begins, moved where its owner moved it."""
    moved = new.metadata.effective_from != old.metadata.effective_from
    if not moved or old.began_on is None:
        return old.began_on
    return new.metadata.effective_from or min(old.began_on, today)


def _version(record: Record) -> tuple[str, DocumentId, str]:
    return (record.metadata.tenant, record.id, record.metadata.version)


def _family(record: Record) -> tuple[str, str, str]:
    return (record.metadata.tenant, record.metadata.family, record.metadata.language)
