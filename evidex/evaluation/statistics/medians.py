"""Between which values does a median lie? Whatever the values are spread like, times above all."""

from __future__ import annotations

from collections.abc import Sequence

from evidex.evaluation.statistics.bootstrap import Interval


def median_interval(values: Sequence[float], *, level: float = 0.95) -> Interval:
    """The narrowest interval of two order statistics, as far from either end, that holds the median (Thompson 1936).

    All of the values span it where so few leave no narrower one: fewer than 6 at .95. Raises `ValueError` for none.
    """
    from scipy.stats import binom

    if not values:
        raise ValueError("a median of nothing has no interval")
    # The k-th of n values is above the median when fewer than k of them are below it: a fair coin's matter.
    k = max(1, int(binom.ppf((1 - level) / 2, len(values), 0.5)))
    ordered = sorted(values)
    return Interval(ordered[k - 1], ordered[-k])
