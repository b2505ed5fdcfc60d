"""What do two threads give over one? Throughput by the clock, so the machine should have nothing else to do.

    python -m benchmarks threads --size 100000

One thread answers all queries, then two answer half of them each, in turns; one query a call, and in batches of 64
where the engine takes batches. evidex is also asked as its query line asks it, from texts to hits with ids. Peers do
the same with their own indexes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import Any

from benchmarks.building import build_keyword
from benchmarks.corpus import BUILD, Corpus, generated
from benchmarks.peers import KEYWORD, KeywordSearch, keyword_engine
from benchmarks.peers.evidex import Search, TextSearch
from benchmarks.rotation import OURS, ROUNDS, Report

K = 10
BATCH = 64
THREADS = (1, 2)
REPEATED = 4
"""A thread's work takes long enough for starting it not to matter."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Two threads against one.")
    parser.add_argument("--size", type=int, default=100_000, help="generated passages")
    parser.add_argument("--engines", nargs="+", default=[OURS, "bm25s", "tantivy"], choices=KEYWORD)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    corpus = generated(asked.size)
    report = Report(f"threads-{asked.size}", f"Two threads, {corpus.name}, k={K}")
    for name in asked.engines:
        search = report.attempt(name, partial(_opened, name, corpus, asked.size))
        if search is not None:
            report.settings[name] = keyword_engine(name).settings
            _measure(report, name, search, corpus, asked.rounds)
            if isinstance(search, Search):
                _measure(report, f"{name}, text to hits", TextSearch(search), corpus, asked.rounds)
    report.finish()


def _opened(name: str, corpus: Corpus, size: int) -> KeywordSearch:
    folder = BUILD / "indexes" / "threads" / str(size) / name
    build_keyword(name, corpus.path, folder)
    return keyword_engine(name).open(folder)


def _measure(report: Report, name: str, search: Any, corpus: Corpus, rounds: int) -> None:
    ways = {"single": partial(_one_by_one, search)}
    if hasattr(search, "search_batch"):
        ways[f"batches of {BATCH}"] = partial(_in_batches, search)
    for kind, texts in corpus.queries.items():
        queries = [search.prepared(text) for text in texts] * REPEATED
        for way, ask in ways.items():
            ask(queries)
            seconds: dict[int, list[float]] = {count: [] for count in THREADS}
            for _ in range(rounds):
                for count in THREADS:
                    seconds[count].append(_elapsed(ask, queries, count))
            figure = {"threads": "queries per second by the clock", "engine": name, "queries": kind, "calls": way}
            speeds = {f"{count} thread(s)": len(queries) / median(seconds[count]) for count in THREADS}
            gain = median(one / two for one, two in zip(*seconds.values(), strict=True))
            report.figures.append({**figure, **speeds, "two over one": gain})


def _one_by_one(search: KeywordSearch, queries: Sequence[Any]) -> None:
    for query in queries:
        search.search(query, K)


def _in_batches(search: Any, queries: Sequence[Any]) -> None:
    for start in range(0, len(queries), BATCH):
        search.search_batch(queries[start : start + BATCH], K)


def _elapsed(ask: Callable[[Sequence[Any]], None], queries: Sequence[Any], threads: int) -> float:
    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        list(pool.map(ask, [queries[part::threads] for part in range(threads)]))
        return time.perf_counter() - started


if __name__ == "__main__":
    main()
