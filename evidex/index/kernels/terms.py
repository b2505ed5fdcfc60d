"""What does each term of a query weigh, how much can it add to a score, and where are its postings?

    weight = how often it is asked * idf          high, low = the grid above  sum of weights * (k1 + 1)

Weights are summed from the least to the greatest, so that the order of words changes nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.contribution import contribution, contribution_in_numpy, grid_above, grid_above_in_numpy

BEGIN, END, FIRST, BITMAP, IDF, CEILINGS = range(6)
"""The columns of a table of terms. A term's postings within a scope are those from BEGIN to END, and all of them begin
at FIRST; BITMAP is the number of its bitmap, -1 where it has none; from CEILINGS on stand its greatest saturations,
one for each of `ceilings.LEVELS`, 0 where it has fewer postings."""

_FEW = 32


class Lists(NamedTuple):
    """The postings of an index by term, the saturation of each code within a scope, and bitmaps of frequent terms."""

    rows: NDArray[np.uint32]
    codes: NDArray[Any]
    saturation: NDArray[np.float64]
    bitmaps: NDArray[np.uint64]


class Term(NamedTuple):
    """One term of a query: its postings that are still ahead, its first one, its bitmap, and what rounds its
    contributions."""

    cursor: Whole
    end: Whole
    first: Whole
    bitmap: Whole
    weight: float
    high: float
    low: float


class Terms(NamedTuple):
    """The terms of a query, in ascending order of the most that each can add to a score.

    `cursors` move from the first posting of each to its end; `ceilings` are contributions.
    """

    cursors: NDArray[np.uint64]
    ends: NDArray[np.uint64]
    firsts: NDArray[np.uint64]
    bitmaps: NDArray[np.int64]
    weights: NDArray[np.float64]
    ceilings: NDArray[np.float64]
    high: float
    low: float


@kernel
def term_at(terms: Terms, place: int) -> Term:
    """One of the terms as it stands now."""
    return Term(
        terms.cursors[place],
        terms.ends[place],
        terms.firsts[place],
        terms.bitmaps[place],
        terms.weights[place],
        terms.high,
        terms.low,
    )


@kernel
def gives(term: Term, saturation: float) -> float:
    """What a term adds to the score of a text in which it reaches `saturation`."""
    return contribution(term.weight, saturation, term.high, term.low)


@kernel
def ascending(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The order of values, smallest first; a few are sorted by insertion."""
    if len(values) > _FEW:
        return np.argsort(values)
    order = np.arange(len(values))
    for place in range(1, len(values)):
        one = order[place]
        before = place
        while before > 0 and values[order[before - 1]] > values[one]:
            order[before] = order[before - 1]
            before -= 1
        order[before] = one
    return order


@kernel
def weigh(table: NDArray[np.float64], asked: NDArray[np.int64], k1: float) -> Terms:
    """The terms `asked`, each a row of `table` and how often."""
    count, levels = len(asked), table.shape[1] - CEILINGS
    weights = np.empty(count)
    for place in range(count):
        weights[place] = table[asked[place, 0], IDF] * asked[place, 1]
    total = 0.0
    for place in ascending(weights):
        total += weights[place]
    high, low = grid_above(total * (k1 + 1))
    tops = np.empty(count)
    for place in range(count):
        tops[place] = contribution(weights[place], table[asked[place, 0], CEILINGS], high, low)
    cursors, ends, firsts = np.empty(count, np.uint64), np.empty(count, np.uint64), np.empty(count, np.uint64)
    bitmaps, ordered, ceilings = np.empty(count, np.int64), np.empty(count), np.zeros((count, levels))
    for place, one in enumerate(ascending(tops)):
        term = asked[one, 0]
        cursors[place], ends[place] = np.uint64(table[term, BEGIN]), np.uint64(table[term, END])
        firsts[place], bitmaps[place] = np.uint64(table[term, FIRST]), np.int64(table[term, BITMAP])
        ordered[place] = weights[one]
        for level in range(levels):
            saturation = table[term, CEILINGS + level]
            if saturation > 0:
                ceilings[place, level] = contribution(weights[one], saturation, high, low)
    return Terms(cursors, ends, firsts, bitmaps, ordered, ceilings, high, low)


def weigh_in_numpy(table: NDArray[np.float64], asked: NDArray[np.int64], k1: float) -> Terms:
    """`weigh`."""
    terms = table[asked[:, 0]]
    weights = terms[:, IDF] * asked[:, 1]
    high, low = grid_above_in_numpy(sum(np.sort(weights).tolist()) * (k1 + 1))
    saturations = terms[:, CEILINGS:]
    ceilings = np.where(saturations > 0, contribution_in_numpy(weights[:, np.newaxis], saturations, high, low), 0.0)
    order = np.argsort(ceilings[:, 0], kind="stable")
    cursors, ends, firsts = terms[order][:, [BEGIN, END, FIRST]].T.astype(np.uint64)
    bitmaps = terms[order, BITMAP].astype(np.int64)
    return Terms(cursors, ends, firsts, bitmaps, weights[order], ceilings[order], high, low)
