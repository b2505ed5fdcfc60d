"""faiss (Douze and others 2024): exhaustive search, and graphs (HNSW, Malkov and Yashunin 2018)."""

from __future__ import annotations

from typing import Any

import faiss
from numpy.typing import NDArray

from benchmarks.peers import CONNECTIVITY, CONSTRUCTION, Vectors

faiss.omp_set_num_threads(1)


class Flat:
    settings = "IndexFlatIP, one thread"

    def __init__(self, vectors: Vectors) -> None:
        self._index: Any = faiss.IndexFlatIP(vectors.shape[1])
        self._index.add(vectors)

    def search(self, queries: Vectors, k: int) -> Any:
        return self._index.search(queries, k)

    def rows(self, found: Any) -> NDArray[Any]:
        rows: NDArray[Any] = found[1]
        return rows


class Hnsw(Flat):
    settings = f"IndexHNSWFlat, inner product, M = {CONNECTIVITY}, efConstruction = {CONSTRUCTION}, one thread"

    def __init__(self, vectors: Vectors) -> None:
        self._index = faiss.IndexHNSWFlat(vectors.shape[1], CONNECTIVITY, faiss.METRIC_INNER_PRODUCT)
        self._index.hnsw.efConstruction = CONSTRUCTION
        self._index.add(vectors)

    def set_effort(self, candidates: int) -> None:
        self._index.hnsw.efSearch = candidates
