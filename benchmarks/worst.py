"""How slow can BM25 be made? Against scoring every posting, on collections and queries made to defeat pruning.

    python -m benchmarks worst --size 100000

Both rank the same postings: evidex with its compiled, pruned search, the exhaustive scan with NumPy, which scores
every posting of every term and takes the best. Above 1 pruning pays; the aim is never to fall below 1 / 5.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.rotation import OURS, ROUNDS, Report
from evidex.index.bm25 import best_of
from evidex.index.kernels.maxscore import best_rows_in_numpy
from evidex.index.kernels.terms import Lists
from evidex.index.postings import Postings, write_postings
from evidex.index.statistics import ScopeStatistics
from evidex.storage import Folder
from evidex.types import Scope

EXHAUSTIVE = "exhaustive"
TERMS = 200
LENGTH = 20
QUERIES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    report = Report(f"worst-{asked.size}", f"BM25 at its worst, {asked.size:,} chunks")
    for name, texts in collections(asked.size).items():
        with tempfile.TemporaryDirectory() as folder:
            postings = _written(Path(folder), texts)
            for terms, k in ((1, 10), (5, 10), (100, 10), (5, 1000), (100, 1000), (5, asked.size)):
                task = f"{name}, {terms} terms, k={k}"
                report.race(task, QUERIES, _rounds(postings, terms, k), rounds=asked.rounds)
    report.finish()


def collections(size: int) -> dict[str, NDArray[np.int32]]:
    """Numbers of terms, shape (chunks, terms of each)."""
    draw = np.random.default_rng(7)
    rising = np.arange(size, dtype=np.int32)[:, np.newaxis]
    return {
        "all chunks equal": np.tile(np.arange(LENGTH, dtype=np.int32), (size, 1)),
        "one term": np.zeros((size, 1), np.int32),
        "terms at random": draw.integers(0, TERMS, (size, LENGTH), dtype=np.int32),
        "every term in half": (draw.integers(0, 2, (size, LENGTH), dtype=np.int32) * 100 + np.arange(LENGTH)).astype(
            np.int32
        ),
        "one chunk for each best": np.minimum(rising % (size // TERMS + 1), TERMS - 1)
        + np.zeros((1, LENGTH), np.int32),
    }


def _written(folder: Path, texts: NDArray[np.int32]) -> Postings:
    lengths = np.full(len(texts), texts.shape[1], np.int64)
    words = [f"{number:04}" for number in range(int(texts.max()) + 1)]
    write_postings(Folder(folder), [(texts.ravel(), lengths)], lambda: words, analyzer="numbers/1", k1=1.2, b=0.75)
    return Postings.open(folder)


def _rounds(postings: Postings, terms: int, k: int) -> dict[str, Callable[[], None]]:
    statistics = ScopeStatistics(postings, Scope(np.ones(len(postings.chunk_lengths), np.bool_)))
    words = list(postings.vocabulary)
    draw = np.random.default_rng(terms)
    queries = [[words[place] for place in draw.integers(0, len(words), terms)] for _ in range(QUERIES)]
    return {
        OURS: partial(_each, queries, lambda query: best_of(query, statistics, postings, k)),
        EXHAUSTIVE: partial(_each, queries, lambda query: _exhaustive(query, statistics, postings, k)),
    }


def _each(queries: Sequence[Sequence[str]], search: Callable[[Sequence[str]], object]) -> None:
    for query in queries:
        search(query)


def _exhaustive(query: Sequence[str], statistics: ScopeStatistics, postings: Postings, k: int) -> object:
    counts = {word: query.count(word) for word in query}
    asked = np.array([(statistics.number(word), count) for word, count in counts.items()], np.int64)
    lists = Lists(postings.rows, postings.codes, statistics.saturation, postings.bitmaps)
    return best_rows_in_numpy(lists, statistics.visible, statistics.table, asked, postings.k1, k)


if __name__ == "__main__":
    main()
