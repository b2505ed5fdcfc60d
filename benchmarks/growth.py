"""How does cost grow with the collection? evidex alone, keyword search, and where the curve leads.

    python -m benchmarks growth --sizes 10000 100000 1000000

Each size is built in a process of its own. The projection continues the straight line through the two largest sizes on
a log-log scale; it says what one machine would need, not that it was tried.
"""

from __future__ import annotations

import argparse
import time
from math import log
from statistics import median
from typing import Any

from benchmarks.building import build_keyword
from benchmarks.corpus import BUILD, generated
from benchmarks.peers import evidex as ours
from benchmarks.rotation import OURS, ROUNDS, Report, cpu_seconds
from evidex.index.sparse import SparseIndex

K = 10
PROJECTED = (10_000_000, 100_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description="How cost grows with the number of passages.")
    parser.add_argument("--sizes", "--size", nargs="+", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    sizes = sorted(asked.sizes)
    report = Report(f"growth-{sizes[-1]}", "Cost by number of passages")
    measured = [_measured(size, asked.rounds) for size in sizes]
    for size, costs in zip(sizes, measured, strict=True):
        report.figures.append({"growth": "measured", "passages": f"{size:,}", **costs})
    if len(sizes) > 1:
        for size in PROJECTED:
            costs = {name: _line(sizes[-2:], [costs[name] for costs in measured[-2:]], size) for name in measured[0]}
            report.figures.append({"growth": "projected", "passages": f"{size:,}", **costs})
    report.finish()


def _measured(size: int, rounds: int) -> dict[str, Any]:
    corpus, folder = generated(size), BUILD / "indexes" / "growth" / str(size)
    built = build_keyword(OURS, corpus.path, folder)
    search = ours.ENGINE.open(folder)
    started = time.process_time()
    SparseIndex.open(folder, ours.plain_analyzer(), ids=search.index.ids)
    opening = time.process_time() - started
    costs = {
        "build CPU-s": built.seconds,
        "build peak MB": built.peak_bytes / 1e6,
        "MB on disk": built.disk_bytes / 1e6,
        "open ms": 1000 * opening,
    }
    for kind, texts in corpus.queries.items():
        queries = [search.prepared(text) for text in texts]

        def run(queries: list[Any] = queries) -> None:
            for query in queries:
                search.search(query, K)

        run()
        costs[f"{kind} ms"] = 1000 * median(cpu_seconds(run) for _ in range(rounds)) / len(queries)
    return costs


def _line(sizes: list[int], costs: list[float], size: int) -> float:
    slope = log(costs[1] / costs[0]) / log(sizes[1] / sizes[0])
    return float(costs[1] * (size / sizes[1]) ** slope)


if __name__ == "__main__":
    main()
