"""What does one term add to a score? A multiple of one step, so that a sum is the same in whatever order it is taken.

Floating-point addition is not associative: a search that skips postings would differ from one that does not in the last
bits of its scores. Here every contribution is rounded to the grid whose sums float64 holds exactly. With 2^e above the
sum of all that the terms of a query can add, and step = 2^(e - 52):

    contribution = step + weight * saturation, rounded to a multiple of step

Sums stay below 2^(e + 1) and are multiples of step, which float64 represents without error. Adding 2^e to a number
from 0 to 2^e leaves no bits below step, so `+ high` rounds; `- low` with low = 2^e - step takes 2^e away again and
leaves one step more, so that a term that matched counts however little it weighs. The grid depends on the query's
terms and the scope's statistics alone. (Rounding by a large addend: Dekker 1971; error-free sums on a common grid:
Demmel and Nguyen 2013, "Fast Reproducible Floating-Point Summation".)
"""

from __future__ import annotations

from math import frexp, ldexp

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel


@kernel
def grid_above(total: float) -> tuple[float, float]:
    """The two addends that round contributions whose sum is at most `total`: high and low, one step apart."""
    exponent = frexp(total)[1]
    high = ldexp(1.0, exponent)
    return high, high - ldexp(1.0, exponent - 52)


@kernel
def contribution(weight: float, saturation: float, high: float, low: float) -> float:
    """What a term of `weight` adds to the score of a text in which it reaches `saturation`."""
    return (weight * saturation + high) - low


def grid_above_in_numpy(total: float) -> tuple[float, float]:
    """`grid_above`."""
    exponent = int(np.frexp(total)[1])
    return 2.0**exponent, 2.0**exponent - 2.0 ** (exponent - 52)


def contribution_in_numpy(
    weight: float | NDArray[np.float64], saturation: NDArray[np.float64], high: float, low: float
) -> NDArray[np.float64]:
    """`contribution`, of many saturations."""
    rounded: NDArray[np.float64] = (weight * saturation + high) - low
    return rounded
