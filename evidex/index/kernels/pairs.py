"""Which (frequency, length) pairs occur? Marks them in a table of ranks, so that they are numbered without being
sorted.

A corpus of n tokens has at most sqrt(2 n) distinct lengths, and as many distinct frequencies, for their sums are at
most n: the table has at most 2 n cells, and some thousand in practice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel


@kernel
def mark_pairs(
    frequencies: NDArray[Any],
    distinct: NDArray[np.uint32],
    first_row: int,
    frequency_ranks: NDArray[np.uint32],
    length_ranks: NDArray[np.uint32],
    occurs: NDArray[np.bool_],
) -> None:
    """Set `occurs[frequency rank, length rank]` for every posting of the texts from row `first_row` on.

    `distinct` counts the postings of each text; `frequency_ranks` has an entry per frequency, `length_ranks` per row.
    """
    posting = np.uint64(0)
    for text in range(len(distinct)):
        rank = length_ranks[np.uint64(first_row + text)]
        end = posting + np.uint64(distinct[text])
        while posting < end:
            occurs[frequency_ranks[frequencies[posting]], rank] = True
            posting += np.uint64(1)


def mark_pairs_in_numpy(
    frequencies: NDArray[Any],
    distinct: NDArray[np.uint32],
    first_row: int,
    frequency_ranks: NDArray[np.uint32],
    length_ranks: NDArray[np.uint32],
    occurs: NDArray[np.bool_],
) -> None:
    """`mark_pairs`."""
    rows = np.repeat(np.arange(first_row, first_row + len(distinct)), distinct)
    occurs[frequency_ranks[frequencies], length_ranks[rows]] = True
