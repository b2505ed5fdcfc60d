"""Success@k, also called hit rate: is any relevant item among the first k?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidex.evaluation.metrics.relevance import flags, relevant_count


def success(ranking: Sequence[str], grades: Mapping[str, int], *, k: int | None = None) -> float | None:
    """1 if one of the first `k` is relevant, else 0 (trec_eval's `success_k`); R@k if there is one relevant item.

    None when nothing is relevant. Raises `ValueError` for a duplicate in the ranking.
    """
    found = any(flags(ranking, grades, k))
    return float(found) if relevant_count(grades) else None
