"""What is independent of what? Wordings of one fact are not: they are drawn, and flip their signs, together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum

import numpy as np
from numpy.typing import NDArray

NOISE = 1e-12
"""What is less than this share of the magnitudes it came from is their rounding: far above what that can be, and far
below any difference of two metrics that is one."""


def group_sums(
    values: NDArray[np.float64], groups: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum of the values of each group, and how many they are; without groups each value is one of its own.

    Values that cancel sum to 0, not to their rounding. Sums are rounded once and in order, so that what is drawn from
    them depends on no order of questions, to the last bit.
    """
    if groups is None:
        return np.sort(values), np.ones(len(values))
    parts: dict[Hashable, list[float]] = {}
    for group, value in zip(groups, values.tolist(), strict=True):
        parts.setdefault(group, []).append(value)
    sums = np.array([_sum(part) for part in parts.values()], np.float64)
    return in_order(sums, np.array([len(part) for part in parts.values()], np.float64))


def in_order(sums: NDArray[np.float64], sizes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Groups by their sums, those of equal sums by size."""
    order = np.lexsort((sizes, sums))
    return sums[order], sizes[order]


def _sum(part: Sequence[float]) -> float:
    whole = fsum(part)
    return 0.0 if abs(whole) <= NOISE * fsum(map(abs, part)) else whole
