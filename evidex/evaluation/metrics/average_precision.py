"""AP(R)@k and AP(min)@k: how precise is the ranking wherever a relevant item stands?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from evidex.evaluation.metrics.relevance import flags, relevant_count

Denominator: TypeAlias = Literal["R", "min"]


def average_precision(
    ranking: Sequence[str], grades: Mapping[str, int], *, denominator: Denominator, k: int | None = None
) -> float | None:
    """The sum of P@i over the ranks i ≤ `k` of relevant items, over all R relevant ones or min(R, k); in [0, 1].

    With `R` it is trec_eval's `map_cut_k`, and its `map` without `k`; the best ranking has less than 1 if k < R. With
    `min` the best ranking has 1. None when nothing is relevant. Raises `ValueError` for a duplicate in the ranking.
    """
    found, total = 0, 0.0
    for rank, relevant in enumerate(flags(ranking, grades, k), start=1):
        if relevant:
            found += 1
            total += found / rank
    count = relevant_count(grades)
    if not count:
        return None
    return total / (count if denominator == "R" or k is None else min(count, k))
