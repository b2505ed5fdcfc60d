"""What is independent of what? Wordings of one fact are not: they are drawn, and flip their signs, together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray


def group_sums(
    values: NDArray[np.float64], groups: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum of the values of each group, and how many they are; without groups each value is one of its own.

    They are in the order of their sums, so that what is drawn from them depends on no order of questions.
    """
    if groups is None:
        return np.sort(values), np.ones(len(values))
    number: dict[Hashable, int] = {}
    of = np.array([number.setdefault(group, len(number)) for group in groups], np.intp)
    sums = np.bincount(of, values, len(number)).astype(np.float64)
    sizes = np.bincount(of, minlength=len(number)).astype(np.float64)
    order = np.lexsort((sizes, sums))
    return sums[order], sizes[order]
