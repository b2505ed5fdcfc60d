"""What all tests share: where the shared collections lie, and one workspace on the sample knowledge base."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import evidex
from evidex import new_workspace
from evidex.workspace import Workspace

# Real files and real indexes have no fixed speed, so no example has a deadline.
settings.register_profile("evidex", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("evidex")

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared collections; its tests are skipped where there is none."""
    folder = Path(os.environ.get("EVIDEX_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("the shared collections are not here; name their folder in EVIDEX_SHARED")
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Callable[[str], Workspace]]:
    """Makes workspaces in a temporary folder from the text of their evidex.toml; the clock stands at `NOON`."""
    made: list[Workspace] = []

    def make(toml: str, name: str = "kb") -> Workspace:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "evidex.toml").write_text(toml, "utf-8")
        made.append(evidex.open(folder, now=lambda: NOON))
        return made[-1]

    yield make
    for opened in made:
        opened.close()


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample knowledge base, ingested, built and published as `evidex init --sample` lays it out."""
    folder = tmp_path_factory.mktemp("sample") / "kb"
    new_workspace.create(folder, with_sample=True)
    with evidex.open(folder, now=lambda: NOON) as opened:
        opened.ingest(folder / "docs", sync=True)
        opened.publish(opened.build().id)
    return folder


@pytest.fixture(scope="module")
def sample(sample_folder: Path) -> Iterator[Workspace]:
    """The sample knowledge base, open for the questions of one file of tests."""
    with evidex.open(sample_folder, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture
def bound_by_permissions() -> Iterator[Path]:
    """An empty folder in which permissions bind this test, even when root runs it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        for path in folder.rglob("*"):
            path.chmod(0o700)
        shutil.rmtree(folder)
