"""Which rows score best for a query's terms? BM25 from statistics and postings to rows, on the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from threading import local
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidex.index.kernels.batches import best_rows_of_each
from evidex.index.kernels.maxscore import WINDOW, best_rows
from evidex.index.kernels.scoring import score_rows
from evidex.index.postings import Postings
from evidex.index.statistics import ScopeStatistics
from evidex.index.top import best

_KEPT = 1000
_ROOM = 1 << 16
"""Rows that are found at a time, of as many queries as that is enough for."""


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
    distinct, known = _asked(terms, statistics)
    limit = min(limit, statistics.chunks)
    if not known or limit <= 0:
        return Found(np.zeros(0, np.uint32), np.zeros(0), distinct, len(known))
    asked = np.array(known, np.int64)
    if among is not None:
        return Found(*_best_among(asked, statistics, postings, limit, among), distinct, len(known))
    own = _own if limit <= _KEPT else _Scratch(limit)
    found = best_rows(
        postings.rows,
        postings.codes,
        statistics.saturation,
        postings.bitmaps,
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
    return Found(own.rows[:found].copy(), own.scores[:found].copy(), distinct, len(known))


def best_of_each(
    queries: Sequence[Iterable[str]], statistics: ScopeStatistics, postings: Postings, limit: int
) -> list[Found]:
    """`best_of` for many queries, in one call, or a few where `limit` is high; meanwhile other threads run."""
    limit = min(limit, statistics.chunks)
    if len(queries) == 1 or not 0 < limit <= _ROOM // 2:
        return [best_of(terms, statistics, postings, limit) for terms in queries]
    together = _ROOM // limit
    starts = range(0, len(queries), together)
    parts = (_best_of_some(queries[start : start + together], statistics, postings, limit) for start in starts)
    return [found for part in parts for found in part]


def _best_of_some(
    queries: Sequence[Iterable[str]], statistics: ScopeStatistics, postings: Postings, limit: int
) -> list[Found]:
    asked = [_asked(terms, statistics) for terms in queries]
    ends = np.cumsum([len(known) for _, known in asked], dtype=np.int64)
    known = np.array([one for _, known in asked for one in known], np.int64).reshape(-1, 2)
    own, found_ends = _own if limit <= _KEPT else _Scratch(limit), np.empty(len(queries), np.int64)
    best_rows_of_each(
        postings.rows,
        postings.codes,
        statistics.saturation,
        postings.bitmaps,
        statistics.visible,
        statistics.share,
        statistics.table,
        known,
        ends,
        postings.k1,
        limit,
        own.sums,
        own.places,
        own.kept,
        own.rows,
        own.scores,
        found_ends,
    )
    cuts = [0, *found_ends.tolist()]
    rows, scores = own.rows[: cuts[-1]].copy(), own.scores[: cuts[-1]].copy()
    return [
        Found(rows[start:stop], scores[start:stop], distinct, len(known))
        for (start, stop), (distinct, known) in zip(pairwise(cuts), asked, strict=True)
    ]


def _asked(terms: Iterable[str], statistics: ScopeStatistics) -> tuple[int, list[tuple[int, int]]]:
    """How many distinct terms there are, and those that the scope has: by number, and how often each is asked for."""
    counts: dict[str, int] = {}
    for term in terms:
        counts[term] = counts.get(term, 0) + 1
    return len(counts), [(number, count) for term, count in counts.items() if (number := statistics.number(term)) >= 0]


def _best_among(
    asked: NDArray[np.int64], statistics: ScopeStatistics, postings: Postings, limit: int, among: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    wanted = among[statistics.visible[among]]
    scores = np.zeros(len(wanted))
    lists = postings.rows, postings.codes, statistics.saturation
    score_rows(*lists, statistics.table, asked, postings.k1, wanted, scores)
    matched = np.flatnonzero(scores)
    return best(wanted[matched], scores[matched], limit)


class _Scratch(local):
    """What a thread works in, so that two never share it."""

    def __init__(self, limit: int) -> None:
        room = max(_ROOM, limit) + limit + WINDOW
        self.sums = np.zeros(WINDOW)
        self.places = np.empty(WINDOW + 1, np.uint16)
        self.kept = np.empty(WINDOW + 1)
        self.rows = np.empty(room, np.uint32)
        self.scores = np.empty(room)


_own = _Scratch(_KEPT)
