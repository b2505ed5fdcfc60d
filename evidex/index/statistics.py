"""What does a term weigh for this asker? Statistics of BM25 over the rows of one scope, and of nothing else.

Those of everything that can be found are sealed with the postings. Those of a part are counted when a term is first
asked for within it, in one pass over the term's postings from the first visible row to the last.
"""

from __future__ import annotations

from math import log1p
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.index.kernels.ceilings import LEVELS, term_ceilings
from evidex.index.kernels.saturation import descending, places
from evidex.index.postings import Postings
from evidex.index.top import visible_rows
from evidex.types import Scope


class ScopeStatistics:
    """A collection as one asker sees it. Threads may share it: what it works out is the same whoever does.

    `saturation` holds that of every code of the postings, for the average length of the visible chunks. `table` has
    one row for each term asked for so far, as `kernels.terms.weigh` takes it: the postings from the first visible row
    to the last, idf, and the greatest saturations among those visible, 0 where there are fewer.
    """

    def __init__(self, postings: Postings, scope: Scope) -> None:
        self._postings = postings
        self._lock = Lock()
        self._numbers: dict[str, int] = {}
        self.table = np.zeros((64, 5 + len(LEVELS)))
        # Kernels are compiled for one kind of array, which one that is read-only or strided is not.
        self.visible = np.require(visible_rows(scope, len(postings.chunk_lengths)), requirements=("C", "W"))
        rows = np.flatnonzero(self.visible)
        tokens = int(postings.chunk_lengths[rows].sum(dtype=np.int64))
        self.chunks = len(rows)
        self._first, self._stop = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, 0)
        self._whole = (self.chunks, tokens) == (postings.chunks, postings.tokens)
        self.share = self.chunks / max(1, self._stop - self._first)
        self.saturation = postings.saturations(tokens / max(1, self.chunks)) if tokens else np.zeros(0)
        self._by_place = descending(self.saturation)
        self._places = places(self._by_place)

    def number(self, term: str) -> int:
        """The row of `table` that holds an analysed term, -1 where no visible chunk does."""
        number = self._numbers.get(term)
        return self._learn(term) if number is None else number

    def idf(self, term: str) -> float:
        """The inverse document frequency of an analysed term, 0 where no visible chunk holds it."""
        number = self.number(term)
        return float(self.table[number, 4]) if number >= 0 else 0.0

    def _learn(self, term: str) -> int:
        found = self._count(self._postings.vocabulary.find(term))
        if found is None:
            return -1
        with self._lock:
            if term not in self._numbers:
                number = len(self._numbers)
                if number == len(self.table):
                    self.table = np.concatenate([self.table, np.zeros_like(self.table)])
                self.table[number] = found
                self._numbers[term] = number
            return self._numbers[term]

    def _count(self, term: int) -> tuple[float, ...] | None:
        if term < 0 or not self.chunks:
            return None
        begin, end = self._postings.offsets[term : term + 2].tolist()
        first = begin
        place = int(np.searchsorted(self._postings.frequent, term))
        bitmap = place if term in self._postings.frequent[place : place + 1] else -1
        if self._whole:
            return begin, end, first, bitmap, *self._weights(end - begin, self._postings.ceilings[term])
        rows = self._postings.rows[begin:end]
        begin, end = (begin + np.searchsorted(rows, np.array([self._first, self._stop], np.uint32))).tolist()
        rows, codes = self._postings.rows[begin:end], self._postings.codes[begin:end]
        found, counts = np.zeros(len(LEVELS), np.uint32), np.zeros(len(self._places), np.uint32)
        containing = term_ceilings(rows, codes, self.visible, self._places, counts, found)
        return (begin, end, first, bitmap, *self._weights(containing, self._by_place[found])) if containing else None

    def _weights(self, containing: int, codes: NDArray[Any]) -> tuple[float, ...]:
        """Idf and ceilings of a term that so many visible chunks contain."""
        idf = log1p((self.chunks - containing + 0.5) / (containing + 0.5))
        ceilings = self.saturation[codes].tolist()
        return idf, *(ceiling if rank <= containing else 0.0 for ceiling, rank in zip(ceilings, LEVELS, strict=True))
