"""Does a row hold this frequent term, and where is its posting? One look, however long the list is.

A bit a row, in words of 64, each beside the number of postings before it. The posting of a row whose bit is 1 comes
after those and as many more as there are ones below the bit: rank, as in Jacobson (1989), "Space-efficient static
trees and graphs". Word and count lie together, so that one cache line answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.popcount import population

_ONES, _BEFORE = 0, 1


@kernel
def fill_bitmap(rows: NDArray[np.uint32], bitmap: NDArray[np.uint64]) -> None:
    """Make the bitmap of ascending rows in `bitmap`, shape (words, 2), all zero."""
    one = np.uint64(1)
    for place in range(len(rows)):
        row = np.uint64(rows[place])
        bitmap[row >> np.uint64(6), _ONES] |= one << (row & np.uint64(63))
    before = np.uint64(0)
    for word in range(len(bitmap)):
        bitmap[word, _BEFORE] = before
        before += population(bitmap[word, _ONES])


@kernel
def holds(bitmaps: NDArray[np.uint64], number: Whole, row: Whole) -> Any:
    """Whether bitmap `number` holds `row`."""
    return (bitmaps[number, row >> np.uint64(6), _ONES] >> (row & np.uint64(63))) & np.uint64(1) != np.uint64(0)


@kernel
def rank(bitmaps: NDArray[np.uint64], number: Whole, row: Whole) -> Whole:
    """How many rows of bitmap `number` are below `row`."""
    word, below = row >> np.uint64(6), (np.uint64(1) << (row & np.uint64(63))) - np.uint64(1)
    return bitmaps[number, word, _BEFORE] + population(bitmaps[number, word, _ONES] & below)


def fill_bitmap_in_numpy(rows: NDArray[np.uint32], words: Whole) -> NDArray[np.uint64]:
    """`fill_bitmap`, for so many words."""
    held = np.zeros(words * 64, np.bool_)
    held[rows] = True
    ones = held.reshape(words, 64).sum(axis=1)
    before = (np.cumsum(ones) - ones).astype(np.uint64)
    return np.stack([np.packbits(held, bitorder="little").view("<u8"), before], axis=1)
