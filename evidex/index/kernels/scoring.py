"""What do these rows score? Each term's postings are searched for each row; nothing else of them is read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel
from evidex.index.kernels.completing import gallop
from evidex.index.kernels.contribution import contribution, contribution_in_numpy
from evidex.index.kernels.terms import weigh, weigh_in_numpy


@kernel
def score_rows(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    table: NDArray[np.float64],
    asked: NDArray[np.int64],
    k1: float,
    wanted: NDArray[np.uint32],
    scores: NDArray[np.float64],
) -> None:
    """Add to `scores` what the rows `wanted`, ascending, score: 0 for those that hold none of the terms.

    `rows` and `codes` are postings, `saturation` that of each code, `table` and `asked` the terms that `weigh` takes.
    """
    terms = weigh(table, asked, k1)
    for term in range(len(terms.weights)):
        cursor, end = terms.cursors[term], terms.ends[term]
        for place in range(len(wanted)):
            cursor = gallop(rows, cursor, end, wanted[place])
            if cursor < end and rows[cursor] == wanted[place]:
                added = contribution(terms.weights[term], saturation[codes[cursor]], terms.high, terms.low)
                scores[place] += added


def score_rows_in_numpy(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    table: NDArray[np.float64],
    asked: NDArray[np.int64],
    k1: float,
    wanted: NDArray[np.uint32],
) -> NDArray[np.float64]:
    """`score_rows`, as an array."""
    terms = weigh_in_numpy(table, asked, k1)
    scores = np.zeros(len(wanted))
    for begin, end, weight in zip(terms.cursors, terms.ends, terms.weights, strict=True):
        _, held, place = np.intersect1d(rows[begin:end], wanted, assume_unique=True, return_indices=True)
        scores[place] += contribution_in_numpy(weight, saturation[codes[begin:end][held]], terms.high, terms.low)
    return scores
