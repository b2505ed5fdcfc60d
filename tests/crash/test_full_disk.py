"""A disk that is full at the n-th write, for every n: the published generation goes on serving, and no half one opens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

import evidex
from evidex.assembly import build_parts
from evidex.catalog.catalog import Catalog
from evidex.errors import EvidexError
from evidex.index.build import build, silent
from evidex.storage import Folder
from evidex.testing.full_disk import FailingFolder
from tests.conftest import NOON
from tests.crash.conftest import finished


def build_in(kb: Path, folder: Folder) -> str:
    """What `Workspace.build` does, with the generations in a folder of our choice."""
    catalog = Catalog(f"sqlite:///{kb / '.evidex' / 'catalog.db'}")
    try:
        with evidex.open(kb) as workspace:
            parts = build_parts(workspace.settings, kb / ".evidex")
        return build(catalog, folder, parts, today=NOON.date(), progress=silent).id
    finally:
        catalog.close()


def test_whichever_write_of_a_build_fails_the_published_generation_serves_on(
    kb: Path, told: Callable[[], object], wanted: dict[str, str]
) -> None:
    with evidex.open(kb, now=lambda: NOON) as workspace:
        workspace.ingest(kb / "docs")
    generations = kb / ".evidex" / "generations"
    published, before = sorted(path.name for path in generations.iterdir()), told()

    number = 1
    while True:
        try:
            build_in(kb, FailingFolder(generations, fail_at=number))
            break
        except OSError as error:
            assert error.strerror == "No space left on device"
        assert sorted(path.name for path in generations.iterdir()) == published
        assert told() == before
        number += 1

    trained = sum(name.startswith("embedder/") for name in wanted)
    assert number - 1 == len(wanted) - trained
    assert finished(kb) == wanted


def test_whichever_step_of_a_build_is_interrupted_nothing_is_left_of_it(kb: Path, told: Callable[[], object]) -> None:
    with evidex.open(kb, now=lambda: NOON) as workspace:
        workspace.ingest(kb / "docs")
        generations = kb / ".evidex" / "generations"
        published, before = sorted(path.name for path in generations.iterdir()), told()
        for step in ("parse", "chunk", "index", "embed"):

            def interrupt(name: str, done: int, whole: int, step: str = step) -> None:
                if name == step:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                workspace.build(progress=interrupt)
            assert sorted(path.name for path in generations.iterdir()) == published
            assert told() == before


def test_whichever_page_of_the_catalog_finds_no_space_an_ingest_changes_all_or_nothing(
    kb: Path, told: Callable[[], object], wanted: dict[str, str]
) -> None:
    big = "The walrus naps in the bay. " * 2000
    (kb / "docs" / "walrus.md").write_text(big, "utf-8")
    with evidex.open(kb, now=lambda: NOON) as workspace:
        documents, before = workspace.documents(), told()
    pages = (kb / ".evidex" / "catalog.db").stat().st_size // 4096

    failures = 0
    while True:
        with at_most(pages + failures), evidex.open(kb, now=lambda: NOON) as workspace:
            try:
                workspace.ingest(kb / "docs")
                break
            except EvidexError as error:
                assert "database or disk is full" in str(error)
        with evidex.open(kb, now=lambda: NOON) as workspace:
            assert workspace.documents() == documents
        assert told() == before
        failures += 1

    assert failures > len(big) // 4096
    (kb / "docs" / "walrus.md").unlink()
    assert finished(kb) == wanted


@contextmanager
def at_most(pages: int) -> Iterator[None]:
    """Catalogs opened meanwhile can grow to that many pages."""

    def limit(connection: Any, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)
