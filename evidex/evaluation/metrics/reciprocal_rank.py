"""RR and RR@k: how far down is the first relevant item?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidex.evaluation.metrics.relevance import flags, relevant_count


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, int], *, k: int | None = None) -> float | None:
    """1 over the rank of the first relevant item, 0 if there is none among the first `k`; in [0, 1].

    Without `k` it is trec_eval's `recip_rank`, which looks at the whole ranking. None when nothing is relevant. Raises
    `ValueError` for a duplicate in the ranking.
    """
    ranks = [rank for rank, relevant in enumerate(flags(ranking, grades, k), start=1) if relevant]
    if not relevant_count(grades):
        return None
    return 1 / ranks[0] if ranks else 0.0
