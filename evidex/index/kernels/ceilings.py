"""How high can a term lift a text? Its best, 10th, 100th and 1000th best saturation within a scope.

The best bounds what a text can still gain, which is what MaxScore prunes with. The k-th best is a score that k texts
reach by this term alone, so no text below it can be among the best k: a search starts with a threshold, not from zero
(term-based threshold estimation: Mallia, Siedlaczek and Suel 2020, "Top-k Threshold Estimation").
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel

LEVELS = (1, 10, 100, 1000)
"""The ranks at which a term's saturation is known."""

_FEW = 64


@kernel
def term_ceilings(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    visible: NDArray[np.bool_],
    places: NDArray[np.uint32],
    counts: NDArray[np.uint32],
    found: NDArray[np.uint32],
) -> int:
    """Find the places (`saturation.places`) of a term's best visible postings, one of each level; returns how many
    postings are visible.

    `found` holds one entry a level, and keeps what it holds where a term has fewer postings than that. `counts` has an
    entry per pair, all zero, and is left so.
    """
    seen = 0
    for posting in range(len(rows)):
        if visible[rows[posting]]:
            counts[places[codes[posting]]] += np.uint32(1)
            seen += 1
    place, passed = -1, 0
    for level in range(len(LEVELS)):
        if seen < LEVELS[level]:
            break
        while passed < LEVELS[level]:
            place += 1
            passed += counts[place]
        found[level] = place
    if seen:
        for posting in range(len(rows)):
            counts[places[codes[posting]]] = np.uint32(0)
    return seen


@kernel
def few_ceilings(
    codes: NDArray[Any], places: NDArray[np.uint32], sorted_places: NDArray[np.uint32], found: NDArray[np.uint32]
) -> None:
    """As `term_ceilings` for a term of few postings, all visible: sorted by insertion."""
    for posting in range(len(codes)):
        place = places[codes[posting]]
        before = posting
        while before > 0 and sorted_places[before - 1] > place:
            sorted_places[before] = sorted_places[before - 1]
            before -= 1
        sorted_places[before] = place
    for level in range(len(LEVELS)):
        if len(codes) < LEVELS[level]:
            break
        found[level] = sorted_places[LEVELS[level] - 1]


@kernel
def all_ceilings(
    offsets: NDArray[np.int64],
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    visible: NDArray[np.bool_],
    places: NDArray[np.uint32],
    found: NDArray[np.uint32],
) -> None:
    """The places of the best postings of every term, `found[term, level]`; all postings are visible."""
    counts = np.zeros(len(places), np.uint32)
    sorted_places = np.empty(_FEW, np.uint32)
    for term in range(len(offsets) - 1):
        begin, end = offsets[term], offsets[term + 1]
        if end - begin <= _FEW:
            few_ceilings(codes[begin:end], places, sorted_places, found[term])
        else:
            term_ceilings(rows[begin:end], codes[begin:end], visible, places, counts, found[term])


def term_ceilings_in_numpy(
    rows: NDArray[np.uint32],
    codes: NDArray[Any],
    visible: NDArray[np.bool_],
    places: NDArray[np.uint32],
    found: NDArray[np.uint32],
) -> int:
    """`term_ceilings`."""
    best = np.sort(places[codes[visible[rows]]])
    for level, rank in enumerate(LEVELS):
        if rank <= len(best):
            found[level] = best[rank - 1]
    return len(best)
