"""Which difference could this many questions have shown, and how many would show a given one?"""

from __future__ import annotations

from math import ceil, sqrt

ALPHA = 0.05
POWER = 0.8


def detectable(sd: float, n: int, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """The least mean difference that a two-sided paired test finds with this power: (z(1-α/2) + z(power)) · sd / √n.

    `sd` is the standard deviation of the differences; the normal approximation, as in Sakai (2018), chapter 6.
    """
    return _factor(alpha, power) * sd / sqrt(n)


def needed(sd: float, difference: float, *, alpha: float = ALPHA, power: float = POWER) -> int:
    """How many pairs find a mean difference with this power: ((z(1-α/2) + z(power)) · sd / difference)², rounded up."""
    return max(1, ceil((_factor(alpha, power) * sd / difference) ** 2))


def _factor(alpha: float, power: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(1 - alpha / 2) + ndtri(power))
