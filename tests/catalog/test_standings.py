from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.catalog.catalog import Catalog, Record, deleted, superseded
from evidex.types import DocumentId, DocumentKey, Metadata, Principal

DAYS = [date(2026, 1, day) for day in range(1, 6)]

dates = st.none() | st.sampled_from(DAYS)
readers = st.frozensets(st.sampled_from(["everyone", "hr", "user:ann"]), min_size=1)


@st.composite
def records(draw: st.DrawFn) -> Record:
    metadata = Metadata(
        DocumentId(draw(st.sampled_from("abc"))),
        tenant=draw(st.sampled_from(["north", "south"])),
        readers=draw(readers),
        effective_from=draw(dates),
        effective_to=draw(dates),
        retired=draw(st.booleans()),
    )
    record = Record(
        key=DocumentKey(""),
        metadata=metadata,
        locator="a.md",
        format="text",
        first_line=1,
        one_line=False,
        content_digest="0",
        text_digest="0",
        began_on=draw(dates),
        readers_now=draw(st.none() | readers),
    )
    change = draw(st.sampled_from([lambda record: record, deleted, lambda record: superseded(record, DAYS[2])]))
    changed: Record = change(record)
    return changed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("catalogs")


numbers = itertools.count()


@given(st.lists(records(), max_size=8), st.sampled_from(DAYS), st.sampled_from(["north", "south"]), st.booleans())
def test_a_revision_stands_as_its_example_does(
    folder: Path, drawn: list[Record], day: date, tenant: str, named: bool
) -> None:
    catalog = Catalog(f"sqlite:///{folder / str(next(numbers))}.db")
    catalog.apply([_keyed(record, number) for number, record in enumerate(drawn)], [], [])
    asker = Principal(tenant=tenant, name="ann" if named else "")

    standings = catalog.standings()

    seen = {
        key: standings.examples[number].in_force(day) and standings.examples[number].readable_by(asker)
        for key, number in zip(standings.keys, standings.classes.tolist(), strict=True)
    }
    assert seen == {r.key: r.in_force(day) and r.readable_by(asker) for r in catalog.records()}
    catalog.close()


def test_a_thousand_documents_of_the_same_readers_stand_as_one(folder: Path) -> None:
    catalog = Catalog(f"sqlite:///{folder / 'many.db'}")
    record = Record(DocumentKey(""), Metadata(DocumentId("a")), "a.md", "text", 1, False, "0", "0")
    catalog.apply([_keyed(record, number) for number in range(1000)], [], [])

    standings = catalog.standings()

    assert len(standings.keys) == 1000
    assert len(standings.examples) == 1
    catalog.close()


def _keyed(record: Record, number: int) -> Record:
    return replace(record, key=DocumentKey(f"{number:032}"))
