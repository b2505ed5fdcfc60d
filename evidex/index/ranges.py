"""Which rows does a scope search? Ranges of consecutive rows, worked out once for as long as the scope lives.

A tenant's rows stand together, so most scopes are few ranges, and a scan touches nothing beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from evidex.index.top import visible_rows
from evidex.types import Scope


@dataclass(frozen=True, eq=False)
class RowRanges:
    """Ascending rows as ranges that do not overlap: `starts[i] … stops[i] - 1`."""

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]

    @classmethod
    def of(cls, mask: NDArray[np.bool_]) -> RowRanges:
        """The rows at which `mask` is true."""
        edges = np.flatnonzero(np.diff(mask, prepend=False, append=False))
        return cls(edges[::2].astype(np.int64), edges[1::2].astype(np.int64))

    @classmethod
    def single(cls, rows: NDArray[np.uint32]) -> RowRanges:
        """Ascending rows, each as a range."""
        starts = rows.astype(np.int64)
        return cls(starts, starts + 1)

    def without(self, row: int) -> RowRanges:
        """All of them but one."""
        number = int(np.searchsorted(self.stops, row, side="right"))
        if number == len(self.starts) or row < self.starts[number]:
            return self
        starts, stops = np.insert(self.starts, number + 1, row + 1), np.insert(self.stops, number, row)
        whole = starts < stops
        return RowRanges(starts[whole], stops[whole])

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int((self.stops - self.starts).sum())

    @cached_property
    def bits(self) -> NDArray[np.uint8]:
        """A bit for every row up to the last, 1 for those that are among them; row i is bit i mod 8 of byte i // 8."""
        edges = np.zeros(int(self.stops.max(initial=0)) + 1, np.int8)
        edges[self.starts] += 1
        edges[self.stops] -= 1
        return np.packbits(np.cumsum(edges[:-1], dtype=np.int8).astype(np.bool_), bitorder="little")

    def rows(self) -> NDArray[np.uint32]:
        """All of them, one by one."""
        lengths = self.stops - self.starts
        before = np.cumsum(lengths) - lengths
        rows: NDArray[np.uint32] = (np.arange(lengths.sum()) + np.repeat(self.starts - before, lengths)).astype(
            np.uint32
        )
        return rows

    def rows_at(self, places: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The rows at some places among them all."""
        ends = np.cumsum(self.stops - self.starts)
        number = np.searchsorted(ends, places, side="right")
        return (places + (self.stops[number] - ends[number])).astype(np.uint32)


class RangesOfScopes:
    """The ranges of scopes over one index, without rows that can never be found. Threads may share it."""

    def __init__(self, findable: NDArray[np.bool_]) -> None:
        self._findable = findable
        self._known: WeakKeyDictionary[Scope, RowRanges] = WeakKeyDictionary()
        self._lock = Lock()

    def __getitem__(self, scope: Scope) -> RowRanges:
        """The ranges to search. Raises `GenerationError` for the scope of another generation."""
        with self._lock:
            ranges = self._known.get(scope)
        if ranges is None:
            ranges = RowRanges.of(visible_rows(scope, len(self._findable)) & self._findable)
            with self._lock:
                self._known[scope] = ranges
        return ranges
