"""Bpref: how often does a relevant item stand above those judged not relevant, whatever is unjudged?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidex.evaluation.metrics.relevance import relevant_count, top


def bpref(ranking: Sequence[str], grades: Mapping[str, int]) -> float | None:
    """(1/R) Σ 1 - min(n, R) / min(N, R) over the ranked relevant items; in [0, 1] (Buckley and Voorhees 2004).

    R items are relevant, N are judged not relevant, and n of these stand above the item at hand. As in trec_eval, N
    and n count the grade 0 alone: a negative one marks an item that was pooled and not judged. None when nothing is
    relevant. Raises `ValueError` for a duplicate in the ranking.
    """
    judged = [grades[id] for id in top(ranking, None) if grades.get(id, -1) >= 0]
    relevant = relevant_count(grades)
    if not relevant:
        return None
    most = min(relevant, sum(grade == 0 for grade in grades.values()))
    above, total = 0, 0.0
    for grade in judged:
        if grade == 0:
            above += 1
        else:
            total += 1 - min(above, relevant) / most if above else 1.0
    return total / relevant
