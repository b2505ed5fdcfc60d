from __future__ import annotations

from pathlib import Path

import pytest

from evidex.catalog.traces import TraceStore
from evidex.errors import ConfigError


def test_a_trace_comes_back_under_its_id(tmp_path: Path) -> None:
    store = TraceStore(tmp_path / "traces.db")

    first, second = store.add({"question": "a"}), store.add({"question": "a"})

    assert first != second
    assert store.get(first) == {"question": "a"}
    store.close()


def test_an_unknown_trace_is_an_error_that_says_how_many_are_kept(tmp_path: Path) -> None:
    store = TraceStore(tmp_path / "traces.db")

    with pytest.raises(ConfigError, match=r"'nonsense'.*1000"):
        store.get("nonsense")
    store.close()
