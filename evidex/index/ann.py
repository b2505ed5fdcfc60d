"""A graph over the vectors (HNSW: Malkov and Yashunin 2018), built and searched by faiss.

Faiss is the one among faiss, hnswlib and usearch that filters inside its search by a bitmap of rows, without calling
back into Python. A graph is made of all vectors of a generation, so unlike exact search and codes it is a residual
channel: which near neighbours are missed (never a score) can depend on documents that the asker may not read.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.errors import MissingExtra
from evidex.index.part import open_part, write_part
from evidex.index.ranges import RowRanges
from evidex.storage import Folder
from evidex.types import Vectors

PART = "graph"
LEAST_SHARE = 0.25
"""A scope with fewer of all rows is searched exactly: a graph wanders through what it may not return."""

_NEIGHBOURS, _BUILD_BREADTH = 16, 100


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A graph over all rows; the breadth of a search is the length of the shortlist."""

    index: Any

    @classmethod
    def of(cls, vectors: Vectors) -> Graph:
        """Build it on one thread, so that the same vectors give the same graph. Raises `MissingExtra`."""
        faiss = _faiss()
        index = faiss.IndexHNSWFlat(vectors.shape[1], _NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = _BUILD_BREADTH
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        try:
            index.add(np.ascontiguousarray(vectors))
        finally:
            faiss.omp_set_num_threads(threads)
        return cls(index)

    @classmethod
    def open(cls, path: Path) -> Graph:
        """Open the graph of the generation in `path`; it is read into memory. Raises `MissingExtra`."""
        return cls(_faiss().deserialize_index(np.array(open_part(path / PART).arrays["index"])))

    def write(self, folder: Folder) -> None:
        """Write it into a generation."""
        write_part(folder.child(PART), {"index": _faiss().serialize_index(self.index)}, {})

    def shortlist(self, query: Vectors, ranges: RowRanges, count: int) -> RowRanges:
        """About the `count` nearest rows of `ranges` by the graph; all of them where they are few among all rows."""
        whole = self.index.ntotal
        if ranges.count < LEAST_SHARE * whole:
            return ranges
        faiss, selected = _faiss(), {}
        if ranges.count < whole:
            selected["sel"] = faiss.IDSelectorBitmap(ranges.bits)
        found = self.index.search(query[None], count, params=faiss.SearchParametersHNSW(efSearch=count, **selected))[1]
        rows: NDArray[np.int64] = np.sort(found[0])
        return RowRanges.single(rows[rows >= 0].astype(np.uint32))


def _faiss() -> Any:
    try:
        import faiss
    except ImportError:
        raise MissingExtra('The graph of `index.dense = "hnsw"`', "ann") from None
    return faiss
