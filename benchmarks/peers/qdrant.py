"""Qdrant Edge: the storage engine of Qdrant in the process that asks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import qdrant_edge as qdrant

from benchmarks.peers import K1, B, Vectors

BATCH = 5_000


class Hybrid:
    """BM25 as sparse vectors of words, dense vectors, and a group by which points are filtered."""

    settings = (
        "one search thread; BM25 as sparse vectors (saturation made beforehand, idf by its modifier, over all points) "
        "kept in memory; HNSW with its defaults; an index on the filtered field; optimised before; requests are made "
        "beforehand; a prefetch of 100 for each channel, RRF with k = 60; answers are scored points without payload"
    )

    def __init__(self, folder: Path, texts: Sequence[str], vectors: Vectors, groups: Sequence[int]) -> None:
        self._words: dict[str, int] = {}
        config = qdrant.EdgeConfig(
            vectors={"dense": qdrant.EdgeVectorParams(vectors.shape[1], qdrant.Distance.Dot)},
            sparse_vectors={"words": qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf)},
            optimizers=qdrant.EdgeOptimizersConfig(default_segment_number=1),
            max_search_threads=1,
        )
        self._shard = qdrant.EdgeShard.create(str(folder), config)
        points = self._points(texts, vectors, groups)
        while batch := list(islice(points, BATCH)):
            self._shard.update(qdrant.UpdateOperation.upsert_points(batch))
        self._shard.update(qdrant.UpdateOperation.create_field_index("group", qdrant.PayloadSchemaType.Integer))
        self._shard.optimize()
        self._shard.flush()

    def keyword(self, text: str, k: int, *, group: int | None = None) -> Any:
        """The request of a keyword query, over one group or over everything."""
        return qdrant.QueryRequest(limit=k, query=self._sparse(text), filter=_filter(group))

    def hybrid(self, text: str, vector: Vectors, k: int, *, group: int | None = None) -> Any:
        """The request of a hybrid query."""
        queries = (self._sparse(text), qdrant.Query.Nearest(vector.tolist(), using="dense"))
        prefetches = [qdrant.Prefetch(limit=max(100, k), query=query, filter=_filter(group)) for query in queries]
        return qdrant.QueryRequest(limit=k, prefetches=prefetches, query=qdrant.Fusion.Rrf(k=60))

    def search(self, request: Any) -> Any:
        return self._shard.query(request)

    def rows(self, found: Any) -> list[int]:
        return [point.id for point in found]

    def _sparse(self, text: str) -> Any:
        counts = Counter(word for word in text.split() if word in self._words)
        vector = qdrant.SparseVector([self._words[word] for word in counts], [float(n) for n in counts.values()])
        return qdrant.Query.Nearest(vector, using="words")

    def _points(self, texts: Sequence[str], vectors: Vectors, groups: Sequence[int]) -> Iterator[Any]:
        average = sum(len(text.split()) for text in texts) / len(texts)
        for row, (text, vector, group) in enumerate(zip(texts, vectors, groups, strict=True)):
            words = qdrant.SparseVector(*self._saturated(text.split(), average))
            yield qdrant.Point(row, {"dense": vector.tolist(), "words": words}, {"group": int(group)})

    def _saturated(self, words: Iterable[str], average: float) -> tuple[list[int], list[float]]:
        counts = Counter(words)
        length = K1 * (1 - B + B * counts.total() / average)
        numbers = [self._words.setdefault(word, len(self._words)) for word in counts]
        return numbers, [count * (K1 + 1) / (count + length) for count in counts.values()]


def _filter(group: int | None) -> Any:
    if group is None:
        return None
    return qdrant.Filter(must=[qdrant.FieldCondition("group", match=qdrant.MatchValue(group))])
