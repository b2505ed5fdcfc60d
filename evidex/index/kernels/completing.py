"""Completing candidates: adding to rows that are candidates already what one more term gives them.

The term's postings are read through where that costs less than asking for each candidate. Asking is one look into a
bitmap for frequent terms, else galloping on from the candidate before (Bentley and Yao 1976, "An almost optimal
algorithm for unbounded searching").
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.bitmaps import holds, rank
from evidex.index.kernels.terms import Term, gives
from evidex.index.kernels.windows import Window


@kernel
def gallop(rows: NDArray[np.uint32], cursor: Whole, end: Whole, row: Whole) -> Whole:
    """The first posting from `cursor` on whose row is not below `row`; `end` if there is none."""
    one = np.uint64(1)
    if cursor >= end or rows[cursor] >= row:
        return cursor
    step = np.uint64(8)
    while cursor + step < end and rows[cursor + step] < row:
        cursor += step
        step <<= one
    low, high = cursor + one, min(cursor + step, end)
    while low < high:
        middle = (low + high) >> one
        if rows[middle] < row:
            low = middle + one
        else:
            high = middle
    return low


@kernel
def complete_by_reading(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    term: Term,
    window: Window,
    sums: NDArray[np.float64],
) -> Whole:
    """Add every posting of a term in the window whose row has a sum already; returns the first posting beyond."""
    cursor = gallop(rows, term.cursor, term.end, window.base)
    while cursor < term.end:
        row = rows[cursor]
        if row >= window.stop:
            break
        before = sums[row - window.base]
        after = before + gives(term, saturation[codes[cursor]])
        sums[row - window.base] = after if before > 0.0 else 0.0
        cursor += np.uint64(1)
    return cursor


@kernel
def complete_by_galloping(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    term: Term,
    window: Window,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    count: Whole,
) -> Whole:
    """Add what a term gives to each listed row, in ascending order; returns the posting at which the last one ended."""
    cursor, listed = term.cursor, np.uint64(0)
    while listed < count:
        place = places[listed]
        row = window.base + place
        cursor = gallop(rows, cursor, term.end, row)
        if cursor < term.end and rows[cursor] == row:
            sums[place] += gives(term, saturation[codes[cursor]])
        listed += np.uint64(1)
    return cursor


@kernel
def complete_by_bitmap(
    bitmaps: NDArray[np.uint64],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    term: Term,
    window: Window,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    count: Whole,
) -> Whole:
    """Add what a term with a bitmap gives to each listed row; returns its first posting in the window or beyond."""
    listed = np.uint64(0)
    while listed < count:
        place = places[listed]
        row = window.base + place
        if holds(bitmaps, term.bitmap, row):
            code = codes[term.first + rank(bitmaps, term.bitmap, row)]
            sums[place] += gives(term, saturation[code])
        listed += np.uint64(1)
    return max(term.cursor, term.first + rank(bitmaps, term.bitmap, window.base))
