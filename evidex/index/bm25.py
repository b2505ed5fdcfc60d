"""Which rows score best for a query's terms? BM25 from statistics and postings to rows, on the kernels."""

from __future__ import annotations

from collections.abc import Iterable
from threading import local
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidex.index.kernels.maxscore import WINDOW, best_rows
from evidex.index.kernels.scoring import score_rows
from evidex.index.postings import Postings
from evidex.index.statistics import ScopeStatistics
from evidex.index.top import best

_KEPT = 1000


class Found(NamedTuple):
    """Rows with their scores, best first; how many distinct terms the query has, and how many of them the scope."""

    rows: NDArray[np.uint32]
    scores: NDArray[np.float64]
    terms: int
    known_terms: int


def best_of(
    terms: Iterable[str],
    statistics: ScopeStatistics,
    postings: Postings,
    limit: int,
    *,
    among: NDArray[np.uint32] | None = None,
) -> Found:
    """The best `limit` rows of a scope for analysed terms; equal scores by row.

    With `among`, ascending rows, only those of them that are visible; the others cost nothing.
    """
    counts: dict[str, int] = {}
    for term in terms:
        counts[term] = counts.get(term, 0) + 1
    known = [(number, count) for term, count in counts.items() if (number := statistics.number(term)) >= 0]
    limit = min(limit, statistics.chunks)
    if not known or limit <= 0:
        return Found(np.zeros(0, np.uint32), np.zeros(0), len(counts), len(known))
    asked = np.array(known, np.int64)
    if among is not None:
        wanted = among[statistics.visible[among]]
        scores = np.zeros(len(wanted))
        score_rows(
            postings.rows,
            postings.codes,
            statistics.saturation,
            statistics.table,
            asked,
            postings.k1,
            wanted,
            scores,
        )
        matched = np.flatnonzero(scores)
        return Found(*best(wanted[matched], scores[matched], limit), len(counts), len(known))
    own = _own if limit <= _KEPT else _Scratch(limit)
    lists = postings.rows, postings.codes, statistics.saturation, postings.bitmaps
    found = best_rows(
        *lists,
        statistics.visible,
        statistics.share,
        statistics.table,
        asked,
        postings.k1,
        limit,
        own.sums,
        own.places,
        own.kept,
        own.rows,
        own.scores,
    )
    return Found(own.rows[:found].copy(), own.scores[:found].copy(), len(counts), len(known))


class _Scratch(local):
    """What a thread works in, so that two never share it."""

    def __init__(self, limit: int) -> None:
        self.sums = np.zeros(WINDOW)
        self.places = np.empty(WINDOW + 1, np.uint16)
        self.kept = np.empty(WINDOW + 1)
        self.rows = np.empty(2 * limit + WINDOW, np.uint32)
        self.scores = np.empty(2 * limit + WINDOW)


_own = _Scratch(_KEPT)
