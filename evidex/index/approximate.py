"""Which rows are nearest to a vector, nearly? A shortlist by something cheaper, then exact scores of what is on it.

The scores are those of exact search. What can be missing is a row that was not on the shortlist; how often it is, is
the recall against exact search, which `planner` measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evidex.config import IndexSettings
from evidex.index.ann import Graph
from evidex.index.compression import Codes, Compression
from evidex.index.exact import Found, nearest
from evidex.index.ranges import RowRanges
from evidex.index.vectors import SealedVectors
from evidex.storage import Folder
from evidex.types import Vectors


class Shortlister(Protocol):
    """Gives about `count` rows of `ranges` (which hold more) that may be nearest to one query vector.

    It may give all of `ranges`, where a shortlist would not pay.
    """

    def shortlist(self, query: Vectors, ranges: RowRanges, count: int) -> RowRanges: ...


@dataclass(frozen=True, slots=True, eq=False)
class Approximation:
    """How a generation is searched in place of the exact scan: by shortlists `oversampling` times as long as asked."""

    shortlister: Shortlister
    oversampling: int

    def nearest(self, store: SealedVectors, queries: Vectors, ranges: RowRanges, limit: int) -> list[Found]:
        """For each query the best `limit` of its shortlist; exact where a shortlist would hold everything."""
        count = limit * self.oversampling
        if not 0 < count < ranges.count:
            return nearest(store, queries, ranges, limit)
        shortlists = [self.shortlister.shortlist(query, ranges, count) for query in queries]
        return [
            nearest(store, query[None], shortlist, limit)[0]
            for query, shortlist in zip(queries, shortlists, strict=True)
        ]


def write_approximation(folder: Folder, vectors: Vectors, settings: IndexSettings) -> None:
    """Write what `index.dense` asks for beside the vectors; nothing for `exact`. Raises `MissingExtra` for a graph."""
    if settings.dense == "hnsw":
        Graph.of(vectors).write(folder)
    elif settings.dense != "exact":
        width = min(settings.dense_width or vectors.shape[1], vectors.shape[1])
        Codes.of(vectors, Compression(settings.dense, width)).write(folder)


def open_approximation(path: Path, settings: IndexSettings) -> Approximation | None:
    """What the generation in `path`, built with these settings, is searched by; None for exact search."""
    if settings.dense == "exact":
        return None
    shortlister: Shortlister = Graph.open(path) if settings.dense == "hnsw" else Codes.open(path)
    return Approximation(shortlister, settings.oversampling)
