"""The exact k best rows for each of many queries, in one call: meanwhile other threads run, and none waits for Python.

A thread that comes back from a kernel has to wait until it is its turn again to run Python, and be woken up, which for
a short query takes longer than the query. Of many queries at once that is paid once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.maxscore import best_rows, best_rows_in_numpy
from evidex.index.kernels.terms import Lists


@kernel
def best_rows_of_each(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    bitmaps: NDArray[np.uint64],
    visible: NDArray[np.bool_],
    share: float,
    table: NDArray[np.float64],
    asked: NDArray[np.int64],
    asked_ends: NDArray[np.int64],
    k1: float,
    k: Whole,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    kept: NDArray[np.float64],
    found_rows: NDArray[np.uint32],
    found_scores: NDArray[np.float64],
    found_ends: NDArray[np.int64],
) -> None:
    """Write the best k rows of each query, one query after another; those of query n end at `found_ends[n]`.

    The terms of query n are those of `asked` from where the ones before it end up to `asked_ends[n]`; there may be
    none. The outputs have k entries for each query but the last, and for that as many as `best_rows` asks for; the
    other arguments are as there.
    """
    begin, end = np.int64(0), np.int64(0)
    for query in range(len(asked_ends)):
        terms = asked[begin : asked_ends[query]]
        begin = asked_ends[query]
        if len(terms):
            end += best_rows(
                rows,
                codes,
                saturation,
                bitmaps,
                visible,
                share,
                table,
                terms,
                k1,
                k,
                sums,
                places,
                kept,
                found_rows[end:],
                found_scores[end:],
            )
        found_ends[query] = end


def best_rows_of_each_in_numpy(
    lists: Lists,
    visible: NDArray[np.bool_],
    table: NDArray[np.float64],
    asked: NDArray[np.int64],
    asked_ends: NDArray[np.int64],
    k1: float,
    k: Whole,
) -> tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.int64]]:
    """The same rows, scores and ends, one query at a time."""
    found_rows, found_scores, counts = [np.zeros(0, np.uint32)], [np.zeros(0)], np.zeros(len(asked_ends), np.int64)
    for query, (begin, end) in enumerate(pairwise([0, *asked_ends.tolist()])):
        if end > begin:
            rows, scores = best_rows_in_numpy(lists, visible, table, asked[begin:end], k1, k)
            found_rows.append(rows)
            found_scores.append(scores)
            counts[query] = len(rows)
    return np.concatenate(found_rows), np.concatenate(found_scores), np.cumsum(counts)
