"""Which rows are nearest to a vector, exactly? The same to the last bit, whatever else is in the index.

A first pass proves nearly every row out: for one question a scan over int8 codes, for many a product of blocks of the
matrix with all of them. Both know by how much they can be wrong. The rows that are left are scored in float64, each by
itself. So neither BLAS, nor threads, nor the rows of others can move a result.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evidex.index.kernels.blocks import OVERFLOWN, keep_in_reach
from evidex.index.kernels.dots import dots_of_rows
from evidex.index.kernels.int8 import rows_in_reach
from evidex.index.ranges import RowRanges
from evidex.index.top import best
from evidex.index.vectors import SealedVectors, int8_query, lengths_of
from evidex.types import Vectors

Found = tuple[NDArray[np.uint32], NDArray[np.float32]]
"""Rows with their scores, best first; equal scores by row."""

_MANY_QUERIES = 12
"""From here on a product of matrices is faster than one scan after another."""
_FEW_ROWS = 256
"""So many are scored faster than ruled out; and so are those of which a fourth is asked for."""
_BLOCK_SCORES = 2**18
_SLACK = 2.0**-22
"""More than the rounding of a score to float32, and of float64 sums before, relative to the lengths of its vectors."""
_SMALLEST = 2.0**-149


def nearest(store: SealedVectors, queries: Vectors, ranges: RowRanges, limit: int) -> list[Found]:
    """For each query the `limit` rows of `ranges` with the greatest dot products, and these, in float32.

    `queries` has shape (queries, width); no row and no query is longer than `vectors.LONGEST`.
    """
    limit = min(max(0, limit), ranges.count)
    if not limit:
        return [(np.empty(0, np.uint32), np.empty(0, np.float32)) for _ in queries]
    if ranges.count <= max(4 * limit, _FEW_ROWS):
        rows = ranges.rows()
        return [best_of(store, rows, query, limit) for query in queries]
    if len(queries) >= _MANY_QUERIES:
        return _nearest_to_many(store, queries, ranges, limit)
    return [_nearest_to_one(store, query, ranges, limit) for query in queries]


def best_of(store: SealedVectors, rows: NDArray[np.uint32], query: Vectors, limit: int) -> Found:
    """The `limit` best of some rows, each scored in float64."""
    return best(rows, exact_scores(store.matrix, rows, query), limit)


def exact_scores(matrix: Vectors, rows: NDArray[np.uint32], query: Vectors) -> NDArray[np.float32]:
    """Dot products of some rows with one query vector, summed in float64, rounded to float32.

    A score depends on nothing but its two vectors.
    """
    scores = np.empty(len(rows), np.float32)
    dots_of_rows(matrix, rows, query.astype(np.float64), scores)
    return scores


def _nearest_to_one(store: SealedVectors, query: Vectors, ranges: RowRanges, limit: int) -> Found:
    codes, weights = _coded(query)
    floor = np.full(limit, -np.inf)
    rows, bounds = np.empty(ranges.count, np.uint32), np.empty(ranges.count)
    kept = rows_in_reach(
        store.codes,
        store.scales,
        store.residuals,
        store.lengths,
        ranges.starts,
        ranges.stops,
        codes,
        weights,
        floor,
        rows,
        bounds,
    )
    return best_of(store, rows[:kept][bounds[:kept] >= floor[0]], query, limit)


def _coded(query: Vectors) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """The codes of a query, and the weights of `rows_in_reach`."""
    wide, (codes, step) = query.astype(np.float64), int8_query(query)
    length, residual = np.sqrt(wide @ wide), np.sqrt(np.square(wide - codes * step).sum())
    per_residual, per_length = (length + residual) * (1 + _SLACK), residual * (1 + _SLACK) + length * _SLACK
    return codes, np.array([step, per_residual, per_length, _SMALLEST])


def _nearest_to_many(store: SealedVectors, queries: Vectors, ranges: RowRanges, limit: int) -> list[Found]:
    room = 4 * limit + 1024
    margins = _margins(queries, store)
    floors = np.full((len(queries), limit), -np.inf)
    rows, kept = np.empty((len(queries), room), np.uint32), np.empty((len(queries), room), np.float32)
    counts = np.zeros(len(queries), np.int64)
    for scores, places, block in _blocks(store.matrix, queries, ranges):
        keep_in_reach(scores, places, block, margins, floors, rows, kept, counts)
    found = []
    for number, (query, count) in enumerate(zip(queries, counts, strict=True)):
        if count == OVERFLOWN:
            found.append(_nearest_to_one(store, query, ranges, limit))
            continue
        reached = kept[number, :count] >= floors[number, 0] - margins[number]
        found.append(best_of(store, rows[number, :count][reached], query, limit))
    return found


def _blocks(
    matrix: Vectors, queries: Vectors, ranges: RowRanges
) -> Iterator[tuple[Vectors, NDArray[np.uint32], NDArray[np.uint32]]]:
    """Float32 scores of rows with all queries, shape (places, queries), and the places and numbers of the rows.

    Rows are copied out of the matrix only where fewer than half of those around them are asked for.
    """
    rows, size, turned = ranges.rows(), max(1, _BLOCK_SCORES // len(queries)), np.ascontiguousarray(queries.T)
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        first, stop = int(part[0]), int(part[-1]) + 1
        if 2 * len(part) < stop - first:
            yield matrix[part] @ turned, np.arange(len(part), dtype=np.uint32), part
        else:
            yield matrix[first:stop] @ turned, part - np.uint32(first), part


def _margins(queries: Vectors, store: SealedVectors) -> NDArray[np.float64]:
    """Twice the rounding error that a float32 dot product can have, and room for ties.

    The error is at most n u |x| |y| for vectors of n values and unit roundoff u = 2^-24, in whatever order they are
    summed (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.1).
    """
    longest = store.lengths.max(initial=0.0)
    roundings = 4 * (queries.shape[1] + 2)
    margins: NDArray[np.float64] = roundings * (2.0**-24 * lengths_of(queries) * longest + _SMALLEST)
    return margins
