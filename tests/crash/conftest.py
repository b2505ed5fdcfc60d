"""A published workspace with a newer revision waiting beside it, and what it answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import evidex
from evidex.encoding import as_json
from evidex.storage import checksums
from tests.conftest import NOON

QUESTION = "What is the refund window?"
TOML = '[embedding]\nprovider = "lsa"\n'


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Published: a refund window of 30 days, and a page on the gateway. In the folder: 45 days, and a page on tea."""
    folder = tmp_path_factory.mktemp("waiting") / "kb"
    (folder / "docs").mkdir(parents=True)
    (folder / "evidex.toml").write_text(TOML, "utf-8")
    (folder / "docs" / "refund.md").write_text("# Refunds\n\nThe refund window is 30 days.\n", "utf-8")
    (folder / "docs" / "gateway.md").write_text("# Gateway\n\nError E1492 means a timeout.\n", "utf-8")
    with evidex.open(folder, now=lambda: NOON) as kb:
        kb.ingest(folder / "docs")
        kb.publish(kb.build().id)
    (folder / "docs" / "refund.md").write_text("# Refunds\n\nThe refund window is 45 days.\n", "utf-8")
    (folder / "docs" / "tea.md").write_text("# Tea\n\nTea is served at four.\n", "utf-8")
    return folder


@pytest.fixture
def kb(waiting: Path, tmp_path: Path) -> Path:
    """A copy of it, to break."""
    return shutil.copytree(waiting, tmp_path / "kb")


@pytest.fixture(scope="session")
def wanted(waiting: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The checksums of the generation that ingest and build make of the folder when nothing goes wrong."""
    copy = shutil.copytree(waiting, tmp_path_factory.mktemp("wanted") / "kb")
    return finished(copy)


@pytest.fixture
def told(kb: Path) -> Callable[[], object]:
    """Everything that a fresh reader of the copy is told, apart from the ids of traces."""

    def tell() -> object:
        with evidex.open(kb, now=lambda: NOON) as workspace:
            asked, found = workspace.ask(QUESTION), workspace.search("tea or refund")
            documents = workspace.documents()
            live = [row.id for row in workspace.generations() if row.aliases]
        sealed = [checksums(kb / ".evidex" / "generations" / id) for id in live]
        return as_json(
            [asked.generation, asked.answer, asked.context, found.chunks, found.ledger, documents, live, sealed]
        )

    return tell


def finished(kb: Path) -> dict[str, str]:
    """Ingest, build and publish what is in the folder; the checksums of the generation that is live then."""
    with evidex.open(kb, now=lambda: NOON) as workspace:
        workspace.ingest(kb / "docs", sync=True)
        workspace.publish(workspace.build().id)
        asked = workspace.ask(QUESTION)
        assert asked.answer.text == "The refund window is 45 days."
        assert [finding for finding in workspace.doctor() if finding.severity == "error"] == []
        generations = {row.id for row in workspace.generations()}
    assert {path.name for path in (kb / ".evidex" / "generations").iterdir()} == generations
    return dict(checksums(kb / ".evidex" / "generations" / asked.generation))
