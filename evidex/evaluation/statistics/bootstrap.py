"""Between which values does a mean lie? The bias-corrected and accelerated bootstrap."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from evidex.evaluation.statistics.groups import NOISE, group_sums, in_order

RESAMPLES = 10_000
SEED = 19_870_301
_BLOCK = 2**22


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def mean_interval(
    values: NDArray[np.float64],
    *,
    groups: Sequence[Hashable] | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """The BCa interval (Efron 1987) of the mean of values, or of paired differences.

    Groups are drawn whole, and their values averaged together. None for fewer than two of them, from which no spread
    can be told; one point where all values are equal.
    """
    sums, sizes = group_sums(values, groups)
    if len(sums) < 2:
        return None
    if np.ptp(sums / sizes) <= NOISE * np.abs(values).max():
        mean = fsum(sums) / len(values)
        return Interval(mean, mean)
    # What leans down is turned over first, so that the interval of the opposite is the opposite of the interval.
    opposite = in_order(-sums, sizes)
    lean = _lean(np.concatenate((sums, sizes)) - np.concatenate(opposite))
    low, high = _ends(*(opposite if lean < 0 else (sums, sizes)), level, resamples, seed)
    if not lean:
        half = (high - low) / 2
        return Interval(-half, half)
    return Interval(0.0 - high, 0.0 - low) if lean < 0 else Interval(low, high)


def _lean(difference: NDArray[np.float64]) -> float:
    """The first difference between groups in order and their opposites in order; 0 where they are the same."""
    moving = difference[difference != 0]
    return float(moving[0]) if len(moving) else 0.0


def _ends(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], level: float, resamples: int, seed: int
) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    total, n = fsum(sums), sizes.sum()
    means = np.sort(_resampled(sums, sizes, resamples, seed))
    # Resamples as low as the mean count half; which of them rounding put below it must not matter.
    rounding = NOISE * np.abs(sums).sum() / n
    below = np.searchsorted(means, [total / n - rounding, total / n + rounding]).mean()
    bias = ndtri(np.clip(below / resamples, 1 / (resamples + 1), resamples / (resamples + 1)))
    without = (total - sums) / (n - sizes)
    pulls = without.mean() - without
    spread = float((pulls**2).sum()) ** 1.5
    acceleration = float((pulls**3).sum()) / (6 * spread) if spread else 0.0
    ends = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(means, ndtr(bias + ends / (1 - acceleration * ends)))
    return float(low), float(high)


def _resampled(sums: NDArray[np.float64], sizes: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    rows = max(1, _BLOCK // len(sums))
    blocks = []
    for start in range(0, resamples, rows):
        drawn = generator.integers(0, len(sums), (min(rows, resamples - start), len(sums)), np.int32)
        blocks.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(blocks)
