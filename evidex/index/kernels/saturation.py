"""How much of a term is enough? BM25's saturation of frequency, for every (frequency, length) pair of a corpus at once.

    saturation = f (k1 + 1) / (f + k1 (1 - b + b dl / avgdl))        Robertson and Zaragoza (2009), section 3

A corpus of millions of postings has some thousand distinct pairs, so dividing once a pair makes statistics of any scope
(its own avgdl) as cheap as those of the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def saturations(
    frequencies: NDArray[Any], lengths: NDArray[Any], *, k1: float, b: float, average_length: float
) -> NDArray[np.float64]:
    """The saturation of each pair; `average_length` is above 0."""
    damping = k1 * (1 - b + b * lengths / average_length)
    saturated: NDArray[np.float64] = frequencies * (k1 + 1) / (frequencies + damping)
    return saturated


def descending(saturation: NDArray[np.float64]) -> NDArray[np.intp]:
    """The codes of pairs, the greatest saturation first; equal ones by code."""
    return np.argsort(-saturation, kind="stable")


def places(order: NDArray[np.intp]) -> NDArray[np.uint32]:
    """The place of each code in such an order."""
    found = np.empty(len(order), np.uint32)
    found[order] = np.arange(len(order), dtype=np.uint32)
    return found
