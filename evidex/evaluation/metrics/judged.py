"""Judged@k: of how much of the top is anything known?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidex.evaluation.metrics.relevance import top


def judged(ranking: Sequence[str], grades: Mapping[str, int], *, k: int | None = None) -> float | None:
    """Items among the first `k` that have a grade, whatever it is, over `k` or the length of a shorter ranking.

    In [0, 1], as ir_measures counts it. Where it is low, other measures say little: what is unjudged counts as not
    relevant there. None when nothing was ranked or nothing was judged. Raises `ValueError` for a duplicate.
    """
    first = top(ranking, k)
    return sum(id in grades for id in first) / len(first) if first and grades else None
