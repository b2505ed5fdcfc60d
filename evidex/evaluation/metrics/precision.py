"""P@k: which share of the first k is relevant?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidex.evaluation.metrics.relevance import flags, relevant_count


def precision(ranking: Sequence[str], grades: Mapping[str, int], *, k: int) -> float | None:
    """Relevant items among the first `k`, over `k` even if fewer were ranked (trec_eval's `P_k`); in [0, 1].

    None when nothing is relevant. Raises `ValueError` for a duplicate in the ranking.
    """
    found = sum(flags(ranking, grades, k))
    return found / k if relevant_count(grades) else None
