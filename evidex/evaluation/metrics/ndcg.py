"""nDCG(lin)@k and nDCG(exp)@k: how near is the ranking to the best order of the grades?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import Literal, TypeAlias

from evidex.evaluation.metrics.relevance import relevant_count, top

Gain: TypeAlias = Literal["lin", "exp"]


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], *, gain: Gain, k: int | None = None) -> float | None:
    """DCG@k = Σ gain(grade at rank i) / log2(i + 1) for i ≤ `k`, over that of the best order; in [0, 1].

    The gain of a grade g > 0 is g (`lin`: Järvelin and Kekäläinen 2002, trec_eval's `ndcg_cut_k`) or 2^g - 1 (`exp`:
    Burges and others 2005); that of any other item is 0. The best order has all judged items and is cut at `k`, too.
    None when nothing is relevant. Raises `ValueError` for a duplicate in the ranking.
    """
    found = [grades.get(id, 0) for id in top(ranking, k)]
    if not relevant_count(grades):
        return None
    best = sorted(grades.values(), reverse=True)[:k]
    return _dcg(found, gain) / _dcg(best, gain)


def _dcg(grades: Iterable[int], gain: Gain) -> float:
    gains = ((grade if gain == "lin" else 2.0**grade - 1) if grade > 0 else 0 for grade in grades)
    return sum(value / log2(rank + 1) for rank, value in enumerate(gains, start=1))
