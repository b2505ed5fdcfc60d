"""Which scores of a block of rows are high enough for each of many queries? Most are not, and cost one comparison."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel
from evidex.index.kernels.floor import raise_floor

OVERFLOWN = -1
"""The count of a query for which there were more rows in reach than there was room."""


@kernel
def keep_in_reach(
    scores: NDArray[np.float32],
    places: NDArray[np.uint32],
    rows: NDArray[np.uint32],
    margins: NDArray[np.float64],
    floors: NDArray[np.float64],
    kept_rows: NDArray[np.uint32],
    kept: NDArray[np.float32],
    counts: NDArray[np.int64],
) -> None:
    """Keep, for each query, the rows of a block whose scores may be among its best.

    `scores` has shape (places, queries); those of `rows[i]` are at `places[i]`. A score is in reach when it is at most
    `margins[query]` below the root of the heap `floors[query]`. `kept_rows`, `kept` (their scores; both of shape
    (queries, room)) and `counts` go on from block to block. Where the room of a query is spent, what has come out of
    reach gives way, and where that does not free half of it, its count becomes `OVERFLOWN`.
    """
    bars = np.empty(margins.size)
    for query in range(margins.size):
        bars[query] = np.inf if counts[query] == OVERFLOWN else floors[query, 0] - margins[query]
    for number in range(places.size):
        place = np.uint64(places[number])
        for query in range(np.uint64(margins.size)):
            score = np.float64(scores[place, query])
            if score >= bars[query]:
                raise_floor(floors[query], score)
                bars[query] = floors[query, 0] - margins[query]
                at = counts[query]
                kept_rows[query, at], kept[query, at] = rows[number], score
                counts[query] = at + 1
                if at + 1 == kept.shape[1]:
                    counts[query] = keep_above(bars[query], kept_rows[query], kept[query])
                    if 2 * counts[query] > kept.shape[1]:
                        counts[query], bars[query] = OVERFLOWN, np.inf


@kernel
def keep_above(bar: float, rows: NDArray[np.uint32], kept: NDArray[np.float32]) -> int:
    """Move the rows whose scores reach `bar` to the front, and count them."""
    count = 0
    for at in range(rows.size):
        if kept[at] >= bar:
            rows[count], kept[count] = rows[at], kept[at]
            count += 1
    return count


def keep_in_reach_in_numpy(
    scores: NDArray[np.float32],
    places: NDArray[np.uint32],
    rows: NDArray[np.uint32],
    margins: NDArray[np.float64],
    floors: NDArray[np.float64],
    kept_rows: NDArray[np.uint32],
    kept: NDArray[np.float32],
    counts: NDArray[np.int64],
) -> None:
    """`keep_in_reach`, which may keep more: what was in reach when it was read. Overflows only where that does."""
    for query in np.flatnonzero(counts != OVERFLOWN).tolist():
        column, count = scores[places, query], int(counts[query])
        floors[query] = np.sort(np.append(floors[query], column))[len(column) :]
        all_rows = np.append(kept_rows[query, :count], rows)
        all_scores = np.append(kept[query, :count], column)
        reached = all_scores >= floors[query, 0] - margins[query]
        count = int(reached.sum())
        fits = 2 * count <= kept.shape[1]
        counts[query] = count if fits else OVERFLOWN
        if fits:
            kept_rows[query, :count], kept[query, :count] = all_rows[reached], all_scores[reached]
