"""The k-th greatest of the values seen so far, kept as the root of a binary heap of the k greatest.

Williams 1964, Algorithm 232: Heapsort. A heap begins as k times -inf.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel


@kernel
def raise_floor(heap: NDArray[np.float64], value: float) -> None:
    """Take `value` in place of the least of the heap, if it is greater."""
    if not value > heap[0]:
        return
    size, place = heap.size, 0
    while True:
        child = 2 * place + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if child >= size or value <= heap[child]:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = value


def raise_floor_in_numpy(heap: NDArray[np.float64], value: float) -> None:
    """`raise_floor`; a sorted array is a heap, too."""
    heap[:] = np.sort(np.append(heap, value))[1:]
