"""Runs are kept row by row, and only those who measure ever meet their file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidex.catalog.runs import RunStore
from evidex.errors import ConfigError, EvidexError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    opened = RunStore(tmp_path / "runs.db")
    yield opened
    opened.close()


def test_rows_stay_when_a_run_is_begun_again_and_it_is_the_newest_then(store: RunStore, tmp_path: Path) -> None:
    store.begin("a1", at="monday", head={"cases": 2})
    store.add("a1", "q2", {"value": 2})
    store.begin("b1", at="tuesday", head={})
    store.begin("a1", at="wednesday", head={"cases": 2})
    store.add("a1", "q1", {"value": 1})
    store.add("a1", "q1", {"value": 3})

    other = RunStore(tmp_path / "runs.db")
    assert other.rows("a1") == {"q1": {"value": 3}, "q2": {"value": 2}}
    assert [(run.id, run.at) for run in other.runs()] == [("b1", "tuesday"), ("a1", "wednesday")]
    assert other.find("latest").id == other.find("a").id == "a1"
    other.close()


def test_a_run_is_named_by_the_start_of_its_id_alone(store: RunStore) -> None:
    store.begin("a1", at="", head={})
    store.begin("a2", at="", head={})

    with pytest.raises(ConfigError, match="2 runs begin with 'a'"):
        store.find("a")
    with pytest.raises(ConfigError, match="No run begins with 'b'"):
        store.find("b")


def test_without_any_run_there_is_no_latest(store: RunStore) -> None:
    with pytest.raises(ConfigError, match="No run begins with 'latest'"):
        store.find("latest")


def test_a_damaged_file_is_met_by_those_alone_who_need_it(tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_bytes(b"no database at all" * 100)

    store = RunStore(tmp_path / "runs.db")
    with pytest.raises(EvidexError, match=r"runs\.db.*cannot be used"):
        store.runs()
    store.close()
