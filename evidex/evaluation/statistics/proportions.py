"""How large can a rate be of which so few cases were seen? Exact intervals of counts."""

from __future__ import annotations

from evidex.evaluation.statistics.bootstrap import Interval


def count_interval(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """The interval of Clopper and Pearson (1934) for the rate behind `successes` of `n`."""
    tail = (1 - level) / 2
    return Interval(_lower(successes, n, tail), _upper(successes, n, tail))


def upper_bound(successes: int, n: int, *, level: float = 0.95) -> float:
    """The one-sided upper bound of that rate: 0 of 4 leaves room for .527, 0 of 59 for less than .05."""
    return _upper(successes, n, 1 - level)


def _lower(successes: int, n: int, tail: float) -> float:
    from scipy.special import betaincinv

    _require(successes, n)
    return float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0


def _upper(successes: int, n: int, tail: float) -> float:
    from scipy.special import betaincinv

    _require(successes, n)
    return float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0


def _require(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no count of successes")
