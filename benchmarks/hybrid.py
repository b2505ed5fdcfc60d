"""Keyword search and filtered hybrid search against Qdrant Edge, which serves the same from one process.

    python -m benchmarks hybrid --size 50000

The filter passes 1.7% of the passages, scattered over the rows. With evidex it is the scope of someone who may see
those only, and BM25 takes its statistics from them; Qdrant keeps those of all points, which is less work. evidex is
asked with texts, Qdrant with requests made beforehand. Building is timed from texts and vectors in memory to both
indexes; evidex's dense search is exact, or by a graph as Qdrant's is.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import corpus, vectors
from benchmarks.corpus import BUILD, SEED
from benchmarks.rotation import OURS, ROUNDS, Report, Round
from evidex.types import Scope

K = 10
PASSED = 0.017
GROUP = 1
QUERIES = 100
QDRANT = "qdrant-edge"
GRAPH = f"{OURS} graph"

Ask = Callable[[Any], Any]


def main() -> None:
    parser = argparse.ArgumentParser(description="Keyword and hybrid search against Qdrant Edge.")
    parser.add_argument("--size", type=int, default=50_000, help="passages")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    passages, cloud = corpus.generated(asked.size), vectors.generated(asked.size)
    report = Report(f"hybrid-{asked.size}", f"Keyword and hybrid, {asked.size:,} passages, k={K}")
    groups = (np.random.default_rng(SEED).random(asked.size) < PASSED).astype(np.int64) * GROUP
    (BUILD / "indexes").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD / "indexes") as folder:
        makers: dict[str, Callable[..., dict[str, Any]]] = {
            OURS: partial(_evidex, "Dense"),
            GRAPH: partial(_evidex, "Graph"),
            QDRANT: _qdrant,
        }
        texts = list(passages.texts())
        tasks: dict[str, dict[str, tuple[Sequence[Any], Ask, Callable[[Any], list[int]]]]] = {}
        for name, make in makers.items():
            started = time.process_time()
            opened = partial(make, report, Path(folder) / name, texts, cloud, groups, passages.queries)
            ways = report.attempt(name, opened)
            seconds = time.process_time() - started
            if ways is not None:
                report.figures.append({"build": "of both channels", "engine": name, "CPU-seconds": seconds})
                for task, way in ways.items():
                    tasks.setdefault(task, {})[name] = way
        for task, ways in tasks.items():
            runners = {name: _runner(queries, ask) for name, (queries, ask, _) in ways.items()}
            report.race(task, QUERIES, runners, asked.rounds)
            found = {name: [set(rows(ask(query))) for query in queries] for name, (queries, ask, rows) in ways.items()}
            for name in found.keys() - {OURS}:
                share = fmean(len(a & b) / len(a) if a else 1.0 for a, b in zip(found[OURS], found[name], strict=True))
                figure = {"agreement": "share of evidex's best ten", "engine": name, "task": task, "share": share}
                report.figures.append(figure)
    report.finish()


def _runner(queries: Sequence[Any], ask: Ask) -> Round:
    def run() -> None:
        for query in queries:
            ask(query)

    return run


def _evidex(
    dense_by: str,
    report: Report,
    folder: Path,
    texts: Sequence[str],
    cloud: vectors.Cloud,
    groups: NDArray[np.int64],
    asked: dict[str, tuple[str, ...]],
) -> dict[str, Any]:
    from benchmarks.peers import evidex as ours

    ours.ENGINE.build(folder, texts)
    search, dense = ours.Search(folder), getattr(ours, dense_by)(folder, cloud.vectors)
    if isinstance(dense, ours.Graph):
        dense.set_effort(K)  # shortlists no longer than the 100 candidates that fusion takes, as Qdrant's are
    hybrid = ours.Hybrid(search, dense)
    everything, some = search.scope, Scope(groups == GROUP)
    report.settings[folder.name] = f"{hybrid.settings}; dense: {dense.settings}"
    tasks: dict[str, Any] = {}
    for kind, queries in asked.items():
        some_queries = queries[:QUERIES]
        both = list(zip(some_queries, cloud.queries, strict=False))
        for name, scope in (("", everything), (", filtered", some)):
            keyword = partial(_keyword, search, scope)
            tasks[f"BM25, {kind}{name}"] = (some_queries, keyword, ours.rows_of)
            tasks[f"hybrid, {kind}{name}"] = (both, partial(hybrid.search, scope=scope, k=K), _first_rows)
    return tasks


def _keyword(search: Any, scope: Any, query: str) -> Any:
    return search.index.search([query], scope, K)[0]


def _first_rows(ranking: Any) -> list[int]:
    return [int(hit.chunk) for hit in ranking.hits[:K]]


def _qdrant(
    report: Report,
    folder: Path,
    texts: Sequence[str],
    cloud: vectors.Cloud,
    groups: NDArray[np.int64],
    asked: dict[str, tuple[str, ...]],
) -> dict[str, Any]:
    from benchmarks.peers.qdrant import Hybrid

    folder.mkdir()
    shard = Hybrid(folder, texts, cloud.vectors, groups.tolist())
    report.settings[QDRANT] = shard.settings
    tasks: dict[str, Any] = {}
    for kind, queries in asked.items():
        pairs = list(zip(queries[:QUERIES], cloud.queries, strict=False))
        for name, group in (("", None), (", filtered", GROUP)):
            keyword = [shard.keyword(text, K, group=group) for text, _ in pairs]
            hybrid = [shard.hybrid(text, vector, K, group=group) for text, vector in pairs]
            tasks[f"BM25, {kind}{name}"] = (keyword, shard.search, shard.rows)
            tasks[f"hybrid, {kind}{name}"] = (hybrid, shard.search, shard.rows)
    return tasks


if __name__ == "__main__":
    main()
