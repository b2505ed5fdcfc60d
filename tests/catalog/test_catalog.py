from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from evidex.catalog.catalog import LIVE, Catalog
from evidex.errors import GenerationError
from evidex.types import GenerationId


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'catalog.db'}"


def test_an_alias_names_the_generation_it_was_moved_to_last(url: str) -> None:
    catalog = Catalog(url)
    for id in ("a" * 32, "b" * 32):
        catalog.move_alias(LIVE, GenerationId(id), action="publish", at="2026-01-01")

    assert catalog.alias(LIVE) == "b" * 32
    assert [change.generation for change in catalog.alias_history()] == ["a" * 32, "b" * 32]
    catalog.close()


def test_recording_a_generation_twice_changes_nothing(url: str) -> None:
    catalog = Catalog(url)
    for _ in range(2):
        catalog.add_generation(GenerationId("a" * 32), built_at="2026-01-01", documents=1, chunks=2)

    assert len(catalog.generations()) == 1
    catalog.close()


def test_what_one_process_wrote_another_reads(url: str) -> None:
    writer, reader = Catalog(url), Catalog(url)
    before = reader.revision()

    writer.move_alias(LIVE, GenerationId("a" * 32), action="publish", at="2026-01-01")

    assert reader.revision() == before + 1
    assert reader.alias(LIVE) == "a" * 32
    writer.close()
    reader.close()


def test_a_catalog_of_a_newer_evidex_is_refused_with_what_to_do(url: str) -> None:
    Catalog(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE state SET schema_version = 999"))
    engine.dispose()

    with pytest.raises(GenerationError, match=r"999.*Upgrade"):
        Catalog(url)
