"""Adding up postings term at a time, in a window of rows whose sums stay in the processor's cache.

Where postings are few, the rows that they touch are listed as they come, and only those are looked at afterwards; where
a window is nearly full, looking at every row of it is cheaper. Either way candidates are left: rows above a cut.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.terms import Term, gives

STRIDE = 16
"""Windows are looked through in strides of so many rows."""


class Window(NamedTuple):
    """The rows from `base` to below `stop`. Arrays of a window have an entry for each of them: `sums` the score so far,
    0 for rows without one. `places` lists rows, less `base`, and `kept` has room for their sums."""

    base: Whole
    stop: Whole


@kernel
def add_listing(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    term: Term,
    window: Window,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    count: Whole,
) -> tuple[Whole, Whole]:
    """Add the postings of a term in the window; list each row, after `count` others, when it is new.

    Returns the first posting beyond the window, and how many rows are listed.
    """
    cursor = term.cursor
    while cursor < term.end:
        row = rows[cursor]
        if row >= window.stop:
            break
        place = row - window.base
        before = sums[place]
        places[count] = place
        count += np.uint64(before == 0.0)
        sums[place] = before + gives(term, saturation[codes[cursor]])
        cursor += np.uint64(1)
    return cursor, count


@kernel
def add_listing_visible(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    term: Term,
    window: Window,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    count: Whole,
    visible: NDArray[np.bool_],
) -> tuple[Whole, Whole]:
    """As `add_listing`, passing over rows that are not visible: for scopes in which few are."""
    cursor = term.cursor
    while cursor < term.end:
        row = rows[cursor]
        if row >= window.stop:
            break
        if visible[row]:
            place = row - window.base
            before = sums[place]
            places[count] = place
            count += np.uint64(before == 0.0)
            sums[place] = before + gives(term, saturation[codes[cursor]])
        cursor += np.uint64(1)
    return cursor, count


@kernel
def add(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    term: Term,
    window: Window,
    sums: NDArray[np.float64],
) -> Whole:
    """As `add_listing`, without a list."""
    cursor = term.cursor
    while cursor < term.end:
        row = rows[cursor]
        if row >= window.stop:
            break
        sums[row - window.base] += gives(term, saturation[codes[cursor]])
        cursor += np.uint64(1)
    return cursor


@kernel
def list_above(
    window: Window, cut: float, sums: NDArray[np.float64], places: NDArray[np.uint16], kept: NDArray[np.float64]
) -> Whole:
    """List the rows of the window above the cut, ascending, and clear the sums of the others; returns how many."""
    one, stride = np.uint64(1), np.uint64(STRIDE)
    count, start, width = np.uint64(0), np.uint64(0), window.stop - window.base
    while start < width:
        stop = start + stride
        greatest, place = 0.0, start
        while place < stop:
            greatest = max(greatest, sums[place])
            place += one
        place = start
        if greatest > cut:
            while place < stop:
                total = sums[place]
                sums[place] = 0.0
                places[count] = place
                kept[count] = total
                count += np.uint64(total > cut)
                place += one
        else:
            while place < stop:
                sums[place] = 0.0
                place += one
        start = stop
    restore(sums, places, kept, count)
    return count


@kernel
def keep_above(
    cut: float, sums: NDArray[np.float64], places: NDArray[np.uint16], kept: NDArray[np.float64], count: Whole
) -> Whole:
    """Keep the listed rows above the cut, and clear the sums of the others; returns how many are left."""
    # No branch depends on a sum: which rows are above the cut is close to random, and a wrong guess costs most.
    listed, left = np.uint64(0), np.uint64(0)
    while listed < count:
        place = places[listed]
        total = sums[place]
        sums[place] = 0.0
        places[left] = place
        kept[left] = total
        left += np.uint64(total > cut)
        listed += np.uint64(1)
    restore(sums, places, kept, left)
    return left


@kernel
def restore(sums: NDArray[np.float64], places: NDArray[np.uint16], kept: NDArray[np.float64], count: Whole) -> None:
    """Give the listed rows the sums that were kept of them."""
    listed = np.uint64(0)
    while listed < count:
        sums[places[listed]] = kept[listed]
        listed += np.uint64(1)


@kernel
def keep_visible(
    visible: NDArray[np.bool_], window: Window, sums: NDArray[np.float64], places: NDArray[np.uint16], count: Whole
) -> Whole:
    """Keep the listed rows that are visible, and clear the sums of the others; returns how many are left."""
    listed, left = np.uint64(0), np.uint64(0)
    while listed < count:
        place = places[listed]
        if visible[window.base + place]:
            places[left] = place
            left += np.uint64(1)
        else:
            sums[place] = 0.0
        listed += np.uint64(1)
    return left
