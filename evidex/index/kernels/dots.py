"""Dot products in float64, each the same whatever is computed beside it.

A product of two float32 is exact in float64. Component j goes to sum j mod 8, each sum runs from left to right, and
the eight are added as ((0+4)+(2+6))+((1+5)+(3+7)): the order is part of the definition, so that every machine gives
the same bits. A fused multiply-add gives them, too, as its product would not have been rounded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.index.kernels.compiled import kernel

_SUMS = 8


@kernel
def dots_of_rows(
    matrix: NDArray[np.float32], rows: NDArray[np.uint32], query: NDArray[np.float64], scores: NDArray[np.float32]
) -> None:
    """The dot products of some rows of `matrix`, shape (rows, width), with float32 values widened to float64.

    `scores[i]` becomes that of `rows[i]`, rounded to float32.
    """
    width, flat = np.uint64(query.size), matrix.reshape(matrix.size)
    rest = width % np.uint64(_SUMS)
    sums = np.empty(_SUMS)
    for number in range(rows.size):
        sums[:] = 0
        start = np.uint64(rows[number]) * width
        for block in range(width // np.uint64(_SUMS)):
            column = np.uint64(block) * np.uint64(_SUMS)
            for lane in range(np.uint64(_SUMS)):
                sums[lane] += np.float64(flat[start + column + lane]) * query[column + lane]
        for lane in range(rest):
            column = width - rest + lane
            sums[lane] += np.float64(flat[start + column]) * query[column]
        even = (sums[0] + sums[4]) + (sums[2] + sums[6])
        odd = (sums[1] + sums[5]) + (sums[3] + sums[7])
        scores[number] = np.float32(even + odd)


def dots_of_rows_in_numpy(
    matrix: NDArray[np.float32], rows: NDArray[np.uint32], query: NDArray[np.float64], scores: NDArray[np.float32]
) -> None:
    """`dots_of_rows`; a cumulative sum is one that NumPy takes from left to right."""
    width = len(query)
    products = np.zeros((len(rows), -(-width // _SUMS) * _SUMS))
    products[:, :width] = matrix[rows] * query
    sums = np.cumsum(products.reshape(len(rows), -(-width // _SUMS), _SUMS), axis=1)[:, -1].T
    even = (sums[0] + sums[4]) + (sums[2] + sums[6])
    odd = (sums[1] + sums[5]) + (sums[3] + sums[7])
    scores[:] = even + odd
