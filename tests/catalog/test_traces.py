from __future__ import annotations

from pathlib import Path

import pytest

from evidex.catalog.traces import TraceStore
from evidex.errors import ConfigError
from evidex.trace import Trace
from evidex.types import ChunkId, DocumentId, Fall, GenerationId, Hit, Ranking


def test_a_trace_comes_back_under_its_id(tmp_path: Path) -> None:
    store = TraceStore(tmp_path / "traces.db")

    hit = Hit(ChunkId("a" * 32), 1, 0.1 + 0.2)
    trace = Trace(
        GenerationId("g"), "when?", watch=frozenset({DocumentId("d")}), documents={hit.chunk: DocumentId("d")}
    )
    with trace.stage("fuse") as record:
        record.rankings = (Ranking("fused", (hit,), (("terms", 3),)),)
        record.fallen = (Fall(hit.chunk, "because"),)
        record.notes["rrf_k"] = 60.0

    first, second = store.add(trace), store.add(trace)

    assert first != second
    assert store.get(first) == trace
    store.close()


def test_an_unknown_trace_is_an_error_that_says_how_many_are_kept(tmp_path: Path) -> None:
    store = TraceStore(tmp_path / "traces.db")

    with pytest.raises(ConfigError, match=r"'nonsense'.*1000"):
        store.get("nonsense")
    store.close()
