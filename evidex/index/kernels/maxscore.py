"""The exact k best rows for a query, reading as few postings as can be: MaxScore over windows of rows.

Terms are sorted by ceiling, the most that one can add to a score. While the ceilings of the first few together do not
exceed the threshold, a row that has none of the other terms cannot be among the best: only postings of those others
(the essential terms) make candidates, and the first few are looked at for candidates alone, the highest ceiling first,
as long as a candidate can still get above the threshold. The threshold is the k-th best score so far, or what the k-th
best posting of a single term gives. Whatever is skipped is strictly below it, or equal to it with a higher row, and
sums are exact (`contribution`), so rows, scores and order are those of scoring everything.

Turtle and Flood (1995), "Query evaluation: strategies and optimizations"; windows and term-at-a-time sums within them:
Strohman and Croft (2007), "Efficient document retrieval in main memory".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.ceilings import LEVELS
from evidex.index.kernels.completing import complete_by_bitmap, complete_by_galloping, complete_by_reading
from evidex.index.kernels.contribution import contribution_in_numpy
from evidex.index.kernels.selection import keep_best, sort_best, sort_best_in_numpy
from evidex.index.kernels.terms import Lists, Terms, term_at, weigh, weigh_in_numpy
from evidex.index.kernels.windows import (
    Window,
    add,
    add_listing,
    add_listing_visible,
    keep_above,
    keep_visible,
    list_above,
)

WINDOW = 32_768
"""The rows of a window; their sums take 256 KiB."""

_FULL_WINDOW = 8_192
_FULL = 1 / 3
_SELDOM = 1 / 8
_GALLOP = 24
_BITMAP = 8


@kernel
def best_rows(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    saturation: NDArray[np.float64],
    bitmaps: NDArray[np.uint64],
    visible: NDArray[np.bool_],
    share: float,
    table: NDArray[np.float64],
    asked: NDArray[np.int64],
    k1: float,
    k: Whole,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    kept: NDArray[np.float64],
    found_rows: NDArray[np.uint32],
    found_scores: NDArray[np.float64],
) -> Whole:
    """Write the best k rows with their scores into `found_rows` and `found_scores`; returns how many there are.

    `rows`, `codes`, `saturation` and `bitmaps` are `Lists`, `table` and `asked` the terms that `weigh` takes. `share`
    tells how many of the rows between the first and the last visible one are visible. `sums` is all zero, and is left
    so; it has WINDOW entries, `places` and `kept` one more, and the outputs 2 k + WINDOW.
    """
    lists, terms = Lists(rows, codes, saturation, bitmaps), weigh(table, asked, k1)
    bounds = np.cumsum(terms.ceilings[:, 0])  # the most that each term and those before it can add together
    densities = (terms.ends - terms.cursors) / len(visible)
    threshold = first_threshold(terms, k)
    essential, found = first_essential(bounds, threshold, 0), 0
    while essential < len(bounds):
        window, full = next_window(rows, terms.cursors, terms.ends, essential, len(visible))
        if window.base == window.stop:
            break
        cut = threshold - (bounds[essential - 1] if essential else 0.0)
        count = candidates(lists, terms, essential, window, full, cut, visible, share, sums, places, kept)
        if essential and count:
            count = complete(
                lists, terms, bounds, densities, essential, window, full, threshold, sums, places, kept, count
            )
        found = collect(window, sums, places, count, found_rows, found_scores, found)
        if (found - k) * 4 > k:
            keep_best(found_rows, found_scores, found, k)
            threshold, found = max(threshold, found_scores[k - 1]), k
            essential = first_essential(bounds, threshold, essential)
    if found > k:
        keep_best(found_rows, found_scores, found, k)
        found = k
    sort_best(found_rows, found_scores, found)
    return found


@kernel
def first_threshold(terms: Terms, k: Whole) -> float:
    """One step below the highest score that some term alone gives to k rows; 0 where none is known to."""
    threshold = 0.0
    for level in range(len(LEVELS)):
        if LEVELS[level] >= k:
            for term in range(len(terms.weights)):
                threshold = max(threshold, terms.ceilings[term, level] - (terms.high - terms.low))
            break
    return threshold


@kernel
def first_essential(bounds: NDArray[np.float64], threshold: float, essential: Whole) -> Whole:
    """The first term with which a score can be above the threshold."""
    while essential < len(bounds) and bounds[essential] <= threshold:
        essential += 1
    return essential


@kernel
def next_window(
    rows: NDArray[np.uint32], cursors: NDArray[np.uint64], ends: NDArray[np.uint64], essential: Whole, total: Whole
) -> tuple[Window, bool]:
    """The window that begins with the first row ahead in an essential term, of no rows if there is none; and whether
    essential postings fill it so far that listing its rows would not pay."""
    base: Whole = total
    postings: Whole = 0
    for term in range(essential, len(cursors)):
        if cursors[term] < ends[term]:
            base = min(base, np.int64(rows[cursors[term]]))
            postings += np.int64(ends[term] - cursors[term])
    full = postings > _FULL * (total - base)
    stop = min(base + (_FULL_WINDOW if full else WINDOW), total)
    return Window(np.uint64(base), np.uint64(stop)), full


@kernel
def candidates(
    lists: Lists,
    terms: Terms,
    essential: Whole,
    window: Window,
    full: bool,
    cut: float,
    visible: NDArray[np.bool_],
    share: float,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    kept: NDArray[np.float64],
) -> Whole:
    """List the visible rows of the window whose essential terms give more than the cut; returns how many."""
    rows, codes, saturation = lists.rows, lists.codes, lists.saturation
    count = np.uint64(0)
    for place in range(essential, len(terms.weights)):
        term = term_at(terms, place)
        if full:
            cursor = add(rows, codes, saturation, term, window, sums)
        elif share < _SELDOM:
            cursor, count = add_listing_visible(rows, codes, saturation, term, window, sums, places, count, visible)
        else:
            cursor, count = add_listing(rows, codes, saturation, term, window, sums, places, count)
        terms.cursors[place] = cursor
    if full:  # noqa: SIM108  # two calls of different length read better apart
        count = list_above(window, cut, sums, places, kept)
    else:
        count = keep_above(cut, sums, places, kept, count)
    return count if share == 1 else keep_visible(visible, window, sums, places, count)


@kernel
def complete(
    lists: Lists,
    terms: Terms,
    bounds: NDArray[np.float64],
    densities: NDArray[np.float64],
    essential: Whole,
    window: Window,
    ascending: bool,
    threshold: float,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    kept: NDArray[np.float64],
    count: Whole,
) -> Whole:
    """Add the other terms to the listed rows, dropping those that stay at or below the threshold; returns how many are
    left. `ascending` tells whether the rows are listed so."""
    rows, codes, saturation = lists.rows, lists.codes, lists.saturation
    for number in range(essential - 1, -1, -1):
        term, passing = term_at(terms, number), densities[number] * (window.stop - window.base)
        if term.bitmap >= 0 and count * _BITMAP < passing:
            cursor = complete_by_bitmap(lists.bitmaps, codes, saturation, term, window, sums, places, count)
        elif count * _GALLOP < passing:
            if not ascending:
                places[:count].sort()
                ascending = True
            cursor = complete_by_galloping(rows, codes, saturation, term, window, sums, places, count)
        else:
            cursor = complete_by_reading(rows, codes, saturation, term, window, sums)
        terms.cursors[number] = cursor
        count = keep_above(threshold - (bounds[number - 1] if number else 0.0), sums, places, kept, count)
        if not count:
            break
    return count


@kernel
def collect(
    window: Window,
    sums: NDArray[np.float64],
    places: NDArray[np.uint16],
    count: Whole,
    found_rows: NDArray[np.uint32],
    found_scores: NDArray[np.float64],
    found: Whole,
) -> Whole:
    """Move the listed rows with their sums behind what is found already; returns how many are found then."""
    listed, end = np.uint64(0), np.uint64(found)
    while listed < count:
        place = places[listed]
        found_rows[end + listed] = window.base + place
        found_scores[end + listed] = sums[place]
        sums[place] = 0.0
        listed += np.uint64(1)
    return found + np.int64(count)


def best_rows_in_numpy(
    lists: Lists, visible: NDArray[np.bool_], table: NDArray[np.float64], asked: NDArray[np.int64], k1: float, k: Whole
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """The same rows and scores, by scoring every posting."""
    terms = weigh_in_numpy(table, asked, k1)
    scores = np.zeros(len(visible))
    for begin, end, weight in zip(terms.cursors, terms.ends, terms.weights, strict=True):
        saturation = lists.saturation[lists.codes[begin:end]]
        scores[lists.rows[begin:end]] += contribution_in_numpy(weight, saturation, terms.high, terms.low)
    matched = np.flatnonzero((scores > 0) & visible).astype(np.uint32)
    best, kept = sort_best_in_numpy(matched, scores[matched])
    return best[:k], kept[:k]
