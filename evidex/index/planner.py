"""How small may the vectors of this generation be? Measured on the generation itself, against its own exact search.

Every way to compress is searched as a generation built with it would be. Two things are measured, and kept apart: the
recall against exact search, which is what compression loses, and the recall against judgments, where there are any,
which is how good the vectors are at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ConfigError, GenerationError
from evidex.index.approximate import Approximation
from evidex.index.compression import KINDS, Codes, Compression
from evidex.index.exact import Found, nearest
from evidex.index.ranges import RowRanges
from evidex.index.vectors import SealedVectors
from evidex.types import Vectors

OVERSAMPLINGS = (1, 2, 4, 10, 20, 50)
"""Lengths of shortlists, in hits asked for; each code is tried with longer ones until it meets the target."""
SEED = 20_240_601
_LEAST_WIDTH = 32
_NORMAL_975 = 1.959963984540054

Search = Callable[[Vectors, RowRanges], Found]


@dataclass(frozen=True, slots=True)
class Sample:
    """Queries to measure with, shape (queries, width), each among its own ranges of rows.

    `relevant[i]` holds the documents that are judged relevant for query i, by their rows; empty without judgments.
    """

    source: str
    vectors: Vectors
    ranges: tuple[RowRanges, ...]
    relevant: tuple[frozenset[int], ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One way to search, as it was measured; `kind` is `exact` or that of a code.

    `bytes_per_vector` counts what a search reads of every vector, as it lies on the disk: of `exact` the int8 codes
    with what bounds their error. `seconds` is the median of single queries. `recall` is the mean share of the exact k
    best that were found, one that ties with the last of them counting as well, within the 95% interval `low … high`.
    `judged` is the mean share of the relevant documents among the first k hits, None without judgments.
    """

    kind: str
    width: int
    oversampling: int
    bytes_per_vector: int
    seconds: float
    recall: float
    low: float
    high: float
    judged: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Exact search first, then every trial, and the one with the fewest bytes whose `low` meets the target.

    `choice` is exact search where no other does. `notes` say what keeps the figures from saying more.
    """

    vectors: int
    width: int
    float_bytes_per_vector: int
    queries: int
    source: str
    k: int
    target: float
    trials: tuple[Trial, ...]
    choice: Trial
    notes: tuple[str, ...]


def held_out(store: SealedVectors, *, queries: int) -> Sample:
    """Passage vectors as queries, drawn with a fixed seed, each searched for among all other passages.

    Raises `GenerationError` for a generation with fewer than two vectors.
    """
    findable = np.flatnonzero(store.lengths > 0)
    if len(findable) < 2:
        raise GenerationError(
            f"The generation has {len(findable)} passages with a vector: there is nothing to compare.",
            "Set embedding.provider, ingest documents, then build.",
        )
    drawn = np.sort(np.random.default_rng(SEED).choice(findable, min(queries, len(findable)), replace=False))
    everything = np.zeros(len(store.lengths), np.bool_)
    everything[findable] = True
    ranges = RowRanges.of(everything)
    return Sample("held-out passages", store.matrix[drawn], tuple(ranges.without(int(row)) for row in drawn))


def plan(
    store: SealedVectors,
    sample: Sample,
    *,
    k: int = 10,
    target: float = 0.95,
    documents: NDArray[np.int32] | None = None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Plan:
    """Measure every way to compress. `documents[row]` is the row of the document that passage `row` is of.

    Raises `ConfigError` for a target outside (0, 1) or a k below 1.
    """
    if not 0 < target < 1 or k < 1:
        raise ConfigError(
            f"The target is {target} at k = {k}.", "Ask for a recall above 0 and below 1, at k = 1 or more."
        )
    measured = _Measurement(store, sample, k, documents)
    exact = measured.exact()
    trials, ways = [exact], _compressions(store.width)
    for number, compression in enumerate(ways):
        progress("plan", number, len(ways))
        trials += measured.trials_of(compression, target)
    progress("plan", len(ways), len(ways))
    meeting = [trial for trial in trials if trial.low >= target]
    choice = min(meeting, key=lambda trial: (trial.bytes_per_vector, trial.oversampling), default=exact)
    return Plan(
        vectors=len(store.lengths),
        width=store.width,
        float_bytes_per_vector=4 * store.width,
        queries=len(sample.vectors),
        source=sample.source,
        k=measured.k,
        target=target,
        trials=tuple(trials),
        choice=choice,
        notes=tuple(_notes(measured, asked=k, target=target)),
    )


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """A 95% interval for the mean of shares, one a query: Wilson's score interval (1927) with a trial a query.

    It errs on the safe side: the hits of one query are not independent of one another, but no share, which is between
    0 and 1, varies more than a coin of the same mean.
    """
    size, mean, z = len(shares), float(np.mean(shares)), _NORMAL_975
    centre = (mean + z * z / (2 * size)) / (1 + z * z / size)
    half = z * sqrt(mean * (1 - mean) / size + z * z / (4 * size * size)) / (1 + z * z / size)
    return max(0.0, centre - half), min(1.0, centre + half)


class _Measurement:
    """What exact search finds for a sample, and how much of it others do."""

    def __init__(self, store: SealedVectors, sample: Sample, k: int, documents: NDArray[np.int32] | None) -> None:
        self.store = store
        self.sample = sample
        self.fewest = min(ranges.count for ranges in sample.ranges)
        self.k = min(k, self.fewest)
        self.documents = documents
        self._bars: list[np.float32] = []

    def exact(self) -> Trial:
        """Exact search, which sets the bar for the others: the score of its k-th hit."""
        found, seconds = self._run(lambda query, ranges: nearest(self.store, query[None], ranges, self.k)[0])
        self._bars = [scores[-1] for _, scores in found]
        read = self.store.width + 4 + 4 + 8  # codes, scale, residual, length
        return self._trial("exact", self.store.width, 1, read, found, seconds)

    def trials_of(self, compression: Compression, target: float) -> list[Trial]:
        """Longer and longer shortlists, until one meets the target or would hold everything, which is exact search."""
        codes, trials = Codes.of(self.store.matrix, compression), []
        for oversampling in OVERSAMPLINGS:
            if oversampling * self.k >= self.fewest:
                break
            found, seconds = self._run(self._by(Approximation(codes, oversampling)))
            size = compression.bytes_per_vector
            trials.append(self._trial(compression.kind, compression.width, oversampling, size, found, seconds))
            if trials[-1].low >= target or trials[-1].recall == 1:
                break
        return trials

    def _by(self, approximation: Approximation) -> Search:
        return lambda query, ranges: approximation.nearest(self.store, query[None], ranges, self.k)[0]

    def _run(self, search: Search) -> tuple[list[Found], float]:
        search(self.sample.vectors[0], self.sample.ranges[0])  # what is compiled or read for the first time
        found, seconds = [], []
        for query, ranges in zip(self.sample.vectors, self.sample.ranges, strict=True):
            began = perf_counter()
            found.append(search(query, ranges))
            seconds.append(perf_counter() - began)
        return found, median(seconds)

    def _trial(
        self, kind: str, width: int, oversampling: int, size: int, found: Sequence[Found], seconds: float
    ) -> Trial:
        shares = [float((scores >= bar).sum()) / self.k for (_, scores), bar in zip(found, self._bars, strict=True)]
        low, high = (1.0, 1.0) if kind == "exact" else interval(shares)
        return Trial(kind, width, oversampling, size, seconds, float(np.mean(shares)), low, high, self._judged(found))

    def _judged(self, found: Sequence[Found]) -> float | None:
        if self.documents is None or not self.sample.relevant:
            return None
        shares = [
            len(relevant.intersection(self.documents[rows].tolist())) / len(relevant)
            for (rows, _), relevant in zip(found, self.sample.relevant, strict=True)
        ]
        return float(np.mean(shares))


def _compressions(width: int) -> tuple[Compression, ...]:
    widths = [width]
    while widths[-1] // 2 >= _LEAST_WIDTH:
        widths.append(widths[-1] // 2)
    return tuple(Compression(kind, narrow) for narrow in widths for kind in KINDS)


def _notes(measured: _Measurement, *, asked: int, target: float) -> Iterator[str]:
    if measured.k < asked:
        yield f"There are {measured.k} passages to find, so recall is at {measured.k} and not at {asked}."
    if measured.fewest <= OVERSAMPLINGS[-1] * measured.k:
        yield f"Shortlists that would hold all {measured.fewest} passages to find are exact search, and are left out."
    queries = len(measured.sample.vectors)
    if interval([1.0] * queries)[0] < target:
        yield f"{queries} queries are too few to show a recall of {target:g}, even where nothing is missed."
    if len(np.unique(measured.store.matrix[: 2**10], axis=0)) == 1 and len(measured.store.matrix) > 1:
        yield "The vectors are all equal: everything ties, and nothing can be missed."
