"""Which k of n scored rows are the best? Equal scores by row, so the answer is one, whatever the order they came in.

Hoare's (1961) quickselect and quicksort. Scores and rows together are never equal, so rows that tie cannot slow it
down, and pivots are drawn by a fixed congruential generator (Knuth's MMIX), so no order of rows is a bad one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel

_SHORT = 24


@kernel
def comes_before(score: Any, row: Any, other_score: Any, other_row: Any) -> Any:
    """Whether a scored row is better than another: a higher score, or the lower row of equal scores."""
    return score > other_score or (score == other_score and row < other_row)


@kernel
def partition(rows: NDArray[np.uint32], scores: NDArray[np.float64], low: Whole, high: Whole, pivot: Whole) -> Whole:
    """Move what comes before the row at `pivot` to the front of `low … high`; returns the last place of the front."""
    score, row = scores[pivot], rows[pivot]
    left, right = low - 1, high + 1
    while True:
        left += 1
        while comes_before(scores[left], rows[left], score, row):
            left += 1
        right -= 1
        while comes_before(score, row, scores[right], rows[right]):
            right -= 1
        if left >= right:
            return right
        scores[left], scores[right] = scores[right], scores[left]
        rows[left], rows[right] = rows[right], rows[left]


@kernel
def sort_short(rows: NDArray[np.uint32], scores: NDArray[np.float64], low: Whole, high: Whole) -> None:
    """Sort the few rows from `low` to `high`, best first, by insertion."""
    for place in range(low + 1, high + 1):
        score, row = scores[place], rows[place]
        before = place
        while before > low and comes_before(score, row, scores[before - 1], rows[before - 1]):
            scores[before], rows[before] = scores[before - 1], rows[before - 1]
            before -= 1
        scores[before], rows[before] = score, row


@kernel
def draw(state: Whole, low: Whole, high: Whole) -> tuple[Whole, Whole]:
    """The next state of the generator, and a place from `low` to below `high`."""
    state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    share = (state >> np.uint64(32)) * np.uint64(high - low)
    return state, low + np.int64(share >> np.uint64(32))


@kernel
def keep_best(rows: NDArray[np.uint32], scores: NDArray[np.float64], count: Whole, kept: Whole) -> None:
    """Of the first `count` rows, move the best `kept` (at least 1, below `count`) to the front, the last of them
    last."""
    state = np.uint64(0)
    low, high, wanted = 0, count - 1, kept - 1
    while high - low > _SHORT:
        state, pivot = draw(state, low, high)
        front = partition(rows, scores, low, high, pivot)
        if wanted <= front:
            high = front
        else:
            low = front + 1
    sort_short(rows, scores, low, high)


@kernel
def sort_best(rows: NDArray[np.uint32], scores: NDArray[np.float64], count: Whole) -> None:
    """Sort the first `count` rows, best first."""
    state = np.uint64(0)
    waiting = np.empty((128, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = 0, count - 1
    left = 1
    while left:
        left -= 1
        low, high = waiting[left, 0], waiting[left, 1]
        while high - low > _SHORT:
            state, pivot = draw(state, low, high)
            front = partition(rows, scores, low, high, pivot)
            if front - low > high - front:  # the longer side waits, so that at most log2(count) sides do
                waiting[left, 0], waiting[left, 1] = low, front
                low = front + 1
            else:
                waiting[left, 0], waiting[left, 1] = front + 1, high
                high = front
            left += 1
        sort_short(rows, scores, low, high)


def sort_best_in_numpy(
    rows: NDArray[np.uint32], scores: NDArray[np.float64]
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """All rows, best first; the first k of them are what `keep_best` keeps."""
    order = np.lexsort((rows, -scores))
    return rows[order], scores[order]
