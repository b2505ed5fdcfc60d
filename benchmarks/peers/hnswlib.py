"""hnswlib: graphs by the authors of HNSW (Malkov and Yashunin 2018)."""

from __future__ import annotations

from typing import Any

import hnswlib
from numpy.typing import NDArray

from benchmarks.peers import CONNECTIVITY, CONSTRUCTION, Vectors


class Hnsw:
    settings = f"space ip, M = {CONNECTIVITY}, ef_construction = {CONSTRUCTION}, one thread"

    def __init__(self, vectors: Vectors) -> None:
        self._index = hnswlib.Index("ip", vectors.shape[1])
        self._index.init_index(len(vectors), M=CONNECTIVITY, ef_construction=CONSTRUCTION)
        self._index.set_num_threads(1)
        self._index.add_items(vectors, num_threads=1)

    def set_effort(self, candidates: int) -> None:
        self._index.set_ef(candidates)

    def search(self, queries: Vectors, k: int) -> Any:
        return self._index.knn_query(queries, k, num_threads=1)

    def rows(self, found: Any) -> NDArray[Any]:
        rows: NDArray[Any] = found[0].astype("int64")
        return rows
