"""Vectors of length one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.types import Vectors


def unit_rows(matrix: NDArray[np.floating[Any]]) -> Vectors:
    """Every row divided by its Euclidean length; rows of zeros stay zero. Each row depends on itself alone."""
    # Converted first: a sum that casts as it goes splits its blocks across rows, and their bits would then depend
    # on the rows before them.
    exact = matrix.astype(np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    units: NDArray[np.float64] = np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
    return units.astype(np.float32)
