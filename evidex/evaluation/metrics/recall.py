"""R@k: which share of the relevant items is among the first k?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidex.evaluation.metrics.relevance import flags, relevant_count


def recall(ranking: Sequence[str], grades: Mapping[str, int], *, k: int | None = None) -> float | None:
    """Relevant items among the first `k`, over all R relevant ones (trec_eval's `recall_k`); in [0, 1].

    None when nothing is relevant. Raises `ValueError` for a duplicate in the ranking.
    """
    found = sum(flags(ranking, grades, k))
    total = relevant_count(grades)
    return found / total if total else None
