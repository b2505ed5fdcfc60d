"""How documents enter the catalog, from real files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from evidex.assembly import InstalledParsers
from evidex.catalog.catalog import Catalog, Record
from evidex.catalog.ingest import IngestReport, ingest
from evidex.catalog.settle import below
from evidex.catalog.texts import load_document
from evidex.config import AccessSettings, SourcesSettings
from evidex.sources.open import open_source
from evidex.types import Failure, Principal, SourceItem

TODAY = date(2026, 6, 1)


class Desk:
    """A folder of files, a catalog beside it, and one way to ingest the one into the other."""

    def __init__(self, root: Path) -> None:
        self.docs = root / "docs"
        self.docs.mkdir()
        self.root = root
        self.catalog = Catalog(f"sqlite:///{root / 'catalog.db'}")

    def write(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def ingest(self, *names: str, sync: bool = False, today: date = TODAY) -> IngestReport:
        paths = [self.docs / name for name in names] or [self.docs]
        found = [
            open_source(path, workspace=self.root, sources=SourcesSettings(), access=AccessSettings()) for path in paths
        ]
        return ingest(
            found, self.catalog, InstalledParsers(), home=self.root, today=today, sync_roots=paths if sync else []
        )

    def live(self) -> list[str]:
        return [record.id for record in self.records("current")]

    def records(self, state: str) -> list[Record]:
        return [record for record in self.catalog.records() if record.state == state]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.catalog.close()


def outcomes(report: IngestReport) -> dict[str, str]:
    return {Path(row.locator).name: row.outcome for row in report.rows}


def front(**fields: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in fields.items()) + "---\n"


def test_ingesting_a_folder_twice_adds_nothing(desk: Desk) -> None:
    desk.write("a.md", "# A\n\nAlpha.")
    desk.write("b.txt", "Beta.")
    first = desk.ingest()
    before = desk.catalog.records()

    second = desk.ingest()

    assert first.count("added") == 2
    assert second.count("unchanged") == 2
    assert desk.catalog.records() == before


def test_ingesting_a_part_leaves_the_rest_alone(desk: Desk) -> None:
    desk.write("a.md", "Alpha.")
    desk.write("b.md", "Beta.")
    desk.ingest("a.md", "b.md")

    desk.ingest("a.md")

    assert desk.live() == ["docs/a.md", "docs/b.md"]


def test_sync_removes_what_vanished_below_its_roots_and_nothing_else(desk: Desk) -> None:
    desk.write("in/a.md", "Alpha.")
    gone = desk.write("in/b.md", "Beta.")
    desk.write("out/c.md", "Gamma.")
    desk.ingest()
    gone.unlink()

    report = desk.ingest("in", sync=True)

    assert outcomes(report) == {"a.md": "unchanged", "b.md": "removed"}
    assert desk.live() == ["docs/in/a.md", "docs/out/c.md"]


def test_sync_keeps_a_document_whose_file_can_no_longer_be_read(desk: Desk) -> None:
    path = desk.write("a.md", "Alpha.")
    desk.ingest()
    path.write_bytes(b"\xff\xfe\x00junk\x00\xff")

    report = desk.ingest(sync=True)

    assert outcomes(report) == {"a.md": "failed"}
    assert desk.live() == ["docs/a.md"]


def test_a_changed_text_supersedes_the_revision_before(desk: Desk) -> None:
    desk.write("a.md", "Thirty days.")
    desk.ingest(today=date(2026, 1, 1))
    desk.write("a.md", "Forty-five days.")

    report = desk.ingest(today=TODAY)

    (old,) = desk.records("superseded")
    (new,) = desk.records("current")
    assert outcomes(report) == {"a.md": "changed"}
    assert old.key != new.key
    assert old.in_force(date(2026, 5, 31))
    assert not old.in_force(TODAY)
    assert new.in_force(TODAY)


def test_changed_readers_are_a_new_label_on_the_same_revision(desk: Desk) -> None:
    desk.write("a.md", front(readers="[hr]") + "Alpha.")
    desk.ingest()
    (before,) = desk.records("current")
    desk.write("a.md", front(readers="[finance]") + "Alpha.")

    report = desk.ingest()

    (after,) = desk.records("current")
    assert outcomes(report) == {"a.md": "relabelled"}
    assert after.key == before.key
    assert after.metadata.readers == {"finance"}


def test_a_duplicate_id_is_a_row_that_names_the_holder(desk: Desk) -> None:
    desk.write("a.md", front(id="same") + "Alpha.")
    desk.ingest("a.md")
    desk.write("b.md", front(id="same") + "Beta.")

    report = desk.ingest("b.md")

    (row,) = report.failures
    assert row.locator.endswith("b.md")
    assert "a.md" in row.reason
    assert desk.live() == ["same"]


def test_versions_of_one_family_may_not_be_in_force_at_the_same_time(desk: Desk) -> None:
    desk.write("v2.md", front(id="refund-2", family="refund", version="2") + "Thirty days.")
    desk.write("v3.md", front(id="refund-3", family="refund", version="3", effective_from="2026-01-01") + "Forty-five.")

    report = desk.ingest()

    (row,) = report.failures
    assert "'refund'" in row.reason
    assert "effective_to" in row.reason
    assert len(desk.live()) == 1


def test_a_version_may_end_and_its_successor_begin_in_one_ingest(desk: Desk) -> None:
    desk.write("b-old.md", front(id="refund-2", family="refund", version="2") + "Thirty days.")
    desk.ingest()
    desk.write(
        "b-old.md", front(id="refund-2", family="refund", version="2", effective_to="2026-01-01") + "Thirty days."
    )
    desk.write("a-new.md", front(id="refund-3", family="refund", version="3", effective_from="2026-01-01") + "Now 45.")

    report = desk.ingest()

    assert outcomes(report) == {"a-new.md": "added", "b-old.md": "relabelled"}


def test_a_retired_version_conflicts_with_nothing(desk: Desk) -> None:
    desk.write("v2.md", front(id="refund-2", family="refund", version="2", status="retired") + "Thirty days.")
    desk.write("v3.md", front(id="refund-3", family="refund", version="3") + "Forty-five.")

    assert desk.ingest().failures == ()


def test_an_empty_text_is_a_row(desk: Desk) -> None:
    desk.write("empty.md", "  \n\n ")
    desk.write("full.md", "Full.")

    report = desk.ingest()

    assert outcomes(report) == {"empty.md": "failed", "full.md": "added"}
    assert [failure.locator for failure in desk.catalog.failures()] == [row.locator for row in report.failures]


def test_a_failure_is_forgotten_when_its_item_is_mended_or_gone(desk: Desk) -> None:
    desk.write("mended.md", "")
    gone = desk.write("gone.md", "")
    desk.ingest()
    desk.write("mended.md", "Words.")
    gone.unlink()

    desk.ingest(sync=True)

    assert desk.catalog.failures() == ()


def test_a_moved_file_keeps_its_id_when_the_old_place_is_synced_away(desk: Desk) -> None:
    old = desk.write("old.md", front(id="policy") + "Alpha.")
    desk.ingest()
    old.rename(desk.docs / "new.md")

    report = desk.ingest(sync=True)

    assert outcomes(report) == {"new.md": "moved"}
    assert desk.live() == ["policy"]


def test_a_moved_file_takes_its_earlier_revisions_along(desk: Desk) -> None:
    old = desk.write("old.md", front(id="policy") + "Thirty days.")
    desk.ingest(today=date(2026, 1, 1))
    old.write_text(front(id="policy") + "Forty-five days.", "utf-8")
    desk.ingest(today=date(2026, 3, 1))
    old.rename(desk.docs / "new.md")

    desk.ingest(sync=True)

    (earlier,) = desk.records("superseded")
    assert earlier.in_force(date(2026, 2, 1))
    assert earlier.locator == "docs/new.md"


def test_narrowed_readers_hold_for_earlier_revisions_too(desk: Desk) -> None:
    desk.write("pay.md", front(readers="[everyone]") + "Bands.")
    desk.ingest(today=date(2026, 1, 1))
    desk.write("pay.md", front(readers="[exec]") + "New bands.")
    desk.ingest()

    (earlier,) = desk.records("superseded")

    assert not earlier.readable_by(Principal(name="bob"))
    assert earlier.readable_by(Principal(name="erin", groups=frozenset({"exec"})))


def test_widened_readers_do_not_open_a_text_that_they_were_never_meant_for(desk: Desk) -> None:
    desk.write("pay.md", front(readers="[exec]") + "Everybody's pay.")
    desk.ingest(today=date(2026, 1, 1))
    desk.write("pay.md", front(readers="[everyone]") + "How pay is set.")
    desk.ingest()

    (earlier,) = desk.records("superseded")

    assert not earlier.readable_by(Principal(name="bob"))


def test_retiring_a_version_retires_its_earlier_texts(desk: Desk) -> None:
    desk.write("a.md", "Thirty days.")
    desk.ingest(today=date(2026, 1, 1))
    desk.write("a.md", front(status="retired") + "Forty-five days.")
    desk.ingest()

    assert not any(record.in_force(date(2026, 2, 1)) for record in desk.catalog.records())


def test_a_document_that_changes_tenant_leaves_nothing_in_the_old_one(desk: Desk) -> None:
    desk.write("a.md", front(id="a", tenant="north") + "One.")
    desk.ingest()
    desk.write("a.md", front(id="a", tenant="north") + "Two.")
    desk.ingest()
    desk.write("a.md", front(id="a", tenant="south") + "Two.")
    desk.ingest()

    assert {record.metadata.tenant for record in desk.catalog.records() if record.state != "deleted"} == {"south"}


def test_two_texts_of_one_document_are_never_in_force_on_the_same_day(desk: Desk) -> None:
    for day, text in ((1, "One."), (1, "Two."), (20, "Three."), (20, "Four.")):
        desk.write("a.md", text)
        desk.ingest(today=date(2026, 1, day))

    for day in range(1, 31):
        in_force = [record for record in desk.catalog.records() if record.in_force(date(2026, 1, day))]
        assert len(in_force) == 1


@pytest.mark.parametrize("moved_to", ["2026-03-01", "2028-01-01"])
def test_a_version_whose_beginning_is_moved_moves_the_end_of_the_one_before(desk: Desk, moved_to: str) -> None:
    desk.write("a.md", front(id="a", version="1") + "One.")
    desk.ingest()
    desk.write("a.md", front(id="a", version="2", effective_from="2027-01-01") + "Two.")
    desk.ingest()
    desk.write("a.md", front(id="a", version="2", effective_from=moved_to) + "Two.")
    desk.ingest()

    (before,), (after,) = desk.records("superseded"), desk.records("current")
    assert before.ends == after.begins == date.fromisoformat(moved_to)


def test_a_version_that_is_still_in_force_objects_though_its_successor_is_known(desk: Desk) -> None:
    desk.write("a.md", front(id="a", family="f", version="1") + "One.")
    desk.ingest()
    desk.write("a.md", front(id="a", family="f", version="2", effective_from="2027-01-01") + "Two.")
    desk.ingest()
    desk.write("b.md", front(id="b", family="f", version="3", effective_to="2026-12-01") + "Three.")

    assert [row.document for row in desk.ingest().failures] == ["b"]


class Unreadable:
    """A source whose one folder could not be read this time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def documents(self) -> list[SourceItem | Failure]:
        return [Failure(str(self._folder), "the folder cannot be read")]


def test_sync_keeps_what_lies_below_a_folder_that_cannot_be_read(desk: Desk) -> None:
    inner = desk.write("inner/a.md", "Alpha.").parent
    desk.ingest()

    ingest([Unreadable(inner)], desk.catalog, InstalledParsers(), home=desk.root, today=TODAY, sync_roots=[desk.docs])

    assert desk.live() == ["docs/inner/a.md"]


def test_what_lies_outside_the_workspace_is_not_below_it() -> None:
    assert not below("/elsewhere/a.md", ["."])
    assert below("docs/a.md", ["."])


def test_ingesting_what_has_not_changed_leaves_the_catalog_as_it_is(desk: Desk) -> None:
    desk.write("a.md", "Alpha.")
    desk.write("empty.md", "")
    desk.ingest()
    before = desk.catalog.revision()

    desk.ingest()

    assert desk.catalog.revision() == before


def test_a_deleted_document_that_comes_back_is_live_again(desk: Desk) -> None:
    path = desk.write("a.md", "Alpha.")
    desk.ingest()
    path.unlink()
    desk.ingest(sync=True)
    desk.write("a.md", "Alpha.")

    desk.ingest()

    assert desk.live() == ["docs/a.md"]


def test_a_workspace_that_was_moved_knows_its_documents_again(desk: Desk, tmp_path: Path) -> None:
    desk.write("a.md", front(id="policy") + "Alpha.")
    desk.ingest()
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / "docs").rename(moved / "docs")
    desk.root, desk.docs = moved, moved / "docs"

    report = desk.ingest(sync=True)

    assert outcomes(report) == {"a.md": "unchanged"}


def test_a_row_of_a_json_file_is_cited_by_its_line(desk: Desk) -> None:
    desk.write("rows.jsonl", '{"id": "a", "text": "One."}\n{"id": "b", "text": "First.\\nSecond.\\nThird."}\n')
    desk.ingest("rows.jsonl")

    (record,) = (record for record in desk.catalog.records() if record.id == "b")
    document = load_document(record, desk.catalog, InstalledParsers())

    assert document.parsed.origins.at(document.text.index("Third")) == 2


def test_sync_keeps_the_rows_of_a_file_that_holds_one_it_cannot_read(desk: Desk) -> None:
    desk.write("rows.jsonl", '{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n')
    desk.ingest("rows.jsonl")
    desk.write("rows.jsonl", '{"id": "a", "text": "One."}\n{"id": "b", "te\n')

    report = desk.ingest("rows.jsonl", sync=True)

    assert report.count("failed") == 1
    assert desk.live() == ["a", "b"]


def test_two_tenants_may_use_one_id(desk: Desk) -> None:
    desk.write("a.md", front(id="handbook", tenant="north") + "Alpha.")
    desk.write("b.md", front(id="handbook", tenant="south") + "Beta.")

    assert desk.ingest().failures == ()
    assert desk.live() == ["handbook", "handbook"]


def test_every_ingest_that_changes_something_raises_the_revision(desk: Desk) -> None:
    desk.write("a.md", "Alpha.")
    before = desk.catalog.revision()

    desk.ingest()

    assert desk.catalog.revision() > before


def test_a_folder_that_is_named_twice_is_read_once(desk: Desk) -> None:
    desk.write("sub/a.md", "Alpha.")
    desk.write("empty.md", "")
    (desk.docs / "sub").mkdir(exist_ok=True)

    report = desk.ingest("", "sub", "")

    assert outcomes(report) == {"a.md": "added", "empty.md": "failed"}


def versions_in_force(desk: Desk, day: date) -> list[str]:
    return [record.metadata.version for record in desk.catalog.records() if record.in_force(day)]


@pytest.mark.parametrize(
    "steps",
    [
        [("1", ""), ("2", "2026-07-01"), ("2", "")],
        [("1", ""), ("2", "2026-07-01"), ("3", "")],
        [("1", ""), ("2", "2026-07-01"), ("2", "2026-06-10"), ("2", "2026-08-01")],
    ],
    ids=["a date is dropped", "a future version is overtaken", "a date is moved twice"],
)
def test_at_most_one_version_of_an_item_is_in_force_whatever_its_dates_go_through(
    desk: Desk, steps: list[tuple[str, str]]
) -> None:
    for version, begins in steps:
        dates = {"effective_from": begins} if begins else {}
        desk.write("a.md", front(id="a", version=f'"{version}"', **dates) + f"Text of version {version}.")
        assert desk.ingest().failures == ()

    for month in range(1, 13):
        assert len(versions_in_force(desk, date(2026, month, 15))) == 1


def test_texts_that_were_replaced_on_the_day_they_came_stay_out_when_the_last_is_put_off(desk: Desk) -> None:
    for text in ("One.", "Two.", "Three."):
        desk.write("a.md", front(id="a") + text)
        desk.ingest()
    desk.write("a.md", front(id="a", effective_from="2026-09-01") + "Three.")
    desk.ingest()

    assert len(versions_in_force(desk, date(2026, 7, 1))) == 1


def test_a_version_that_ends_in_the_future_objects_within_the_same_ingest(desk: Desk) -> None:
    desk.write("a.md", front(id="a", family="f", version="1") + "One.")
    desk.ingest()
    desk.write("a.md", front(id="a", family="f", version="2", effective_from="2026-07-01") + "Two.")
    desk.write("b.md", front(id="b", family="f", effective_to="2026-06-15") + "Other.")

    assert [row.document for row in desk.ingest().failures] == ["b"]


def test_what_one_item_gives_up_another_may_take_in_the_same_ingest(desk: Desk) -> None:
    desk.write("a.md", front(id="y") + "Alpha.")
    desk.write("b.md", front(id="x") + "Beta.")
    desk.ingest()
    desk.write("a.md", front(id="x") + "Alpha.")
    desk.write("b.md", front(id="z") + "Beta.")

    assert desk.ingest(sync=True).failures == ()
    assert desk.live() == ["x", "z"]


def test_a_row_that_was_mended_is_no_failure_any_more(desk: Desk) -> None:
    desk.write("rows.jsonl", '{"id": "a", "text": "One."}\n{"id": "b", "te\n')
    desk.ingest("rows.jsonl")
    desk.write("rows.jsonl", '{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n')
    desk.ingest("rows.jsonl")

    assert desk.catalog.failures() == ()


def test_a_future_version_that_is_called_off_leaves_the_one_before_as_it_was(desk: Desk) -> None:
    desk.write("a.md", front(id="a", version="1") + "One.")
    desk.ingest(today=date(2026, 1, 1))
    desk.write("a.md", front(id="a", version="2", effective_from="2026-09-01") + "Two.")
    desk.ingest(today=date(2026, 2, 1))
    desk.write("a.md", front(id="a", version="1") + "One.")
    desk.ingest(today=date(2026, 3, 1))

    assert versions_in_force(desk, date(2026, 1, 15)) == ["1"]
    assert versions_in_force(desk, date(2026, 12, 1)) == ["1"]
