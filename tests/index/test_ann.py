from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from evidex.config import IndexSettings
from evidex.errors import MissingExtra
from evidex.index.ann import Graph
from evidex.index.approximate import Approximation, open_approximation, write_approximation
from evidex.index.exact import nearest
from evidex.index.ranges import RowRanges
from evidex.storage import Folder
from tests.index.test_exact import normal, store_of


def test_without_faiss_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtra, match=r"evidex\[ann\]"):
        Graph.of(normal(1, 10, 4))


def test_a_graph_finds_most_of_what_exact_search_finds_within_the_scope_and_with_its_scores(tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    matrix, queries = normal(1, 2000, 24), normal(2, 20, 24)
    store = store_of(matrix)
    write_approximation(Folder(tmp_path), matrix, IndexSettings(dense="hnsw"))
    graph = open_approximation(tmp_path, IndexSettings(dense="hnsw", oversampling=10))
    assert graph is not None
    for share in (1.0, 0.5, 0.1):
        mask = np.random.default_rng(3).random(2000) < share
        ranges = RowRanges.of(mask)
        exact = nearest(store, queries, ranges, 10)
        shares = []
        for (rows, scores), (best, best_scores) in zip(graph.nearest(store, queries, ranges, 10), exact, strict=True):
            assert mask[rows].all()
            known = dict(zip(best.tolist(), best_scores.tolist(), strict=True))
            assert all(
                known.get(row, score) == score for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
            )
            shares.append(len(np.intersect1d(rows, best)) / 10)
        assert np.mean(shares) >= (1 if share < 0.25 else 0.9)


def test_the_same_vectors_give_the_same_graph(tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    for name in ("one", "other"):
        Graph.of(normal(1, 500, 16)).write(Folder(tmp_path / name))
    assert (tmp_path / "one/graph/index.bin").read_bytes() == (tmp_path / "other/graph/index.bin").read_bytes()


def test_a_shortlist_is_no_longer_than_asked_for_nor_holds_what_may_not_be_seen() -> None:
    pytest.importorskip("faiss")
    matrix = normal(1, 400, 16)
    mask = np.arange(400) % 3 > 0
    graph = Graph.of(matrix)
    shortlist = graph.shortlist(matrix[5], RowRanges.of(mask), 30)
    assert 0 < shortlist.count <= 30
    assert mask[shortlist.rows()].all()
    assert Approximation(graph, 3).nearest(store_of(matrix), matrix[5:6], RowRanges.of(mask), 5)[0][0][0] == 5
