"""USearch: exhaustive search, and graphs (HNSW), with kernels for the processor at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from usearch.index import Index, MetricKind, search

from benchmarks.peers import CONNECTIVITY, CONSTRUCTION, Vectors


class Exact:
    settings = "exact search, inner product, float32, one thread"

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = np.ascontiguousarray(vectors)

    def search(self, queries: Vectors, k: int) -> Any:
        return search(self._vectors, queries, k, MetricKind.IP, exact=True, threads=1)

    def rows(self, found: Any) -> NDArray[Any]:
        return np.atleast_2d(found.keys).astype(np.int64)


class Hnsw:
    settings = f"float32, connectivity {CONNECTIVITY}, expansion_add {CONSTRUCTION}, one thread"

    def __init__(self, vectors: Vectors) -> None:
        width = vectors.shape[1]
        self._index = Index(
            ndim=width, metric="ip", dtype="f32", connectivity=CONNECTIVITY, expansion_add=CONSTRUCTION, multi=False
        )
        self._index.add(np.arange(len(vectors)), vectors, threads=1)

    def set_effort(self, candidates: int) -> None:
        self._index.expansion_search = candidates

    def search(self, queries: Vectors, k: int) -> Any:
        return self._index.search(queries, k, threads=1)

    def rows(self, found: Any) -> NDArray[Any]:
        return np.atleast_2d(found.keys).astype(np.int64)
