"""Dense search against its peers: exact, single and in batches; and near-exact against graphs.

    python -m benchmarks dense --size 100000 [--collection scifact] [--graphs faiss hnswlib usearch]

Exact engines have to agree on the ten nearest, in order. A graph, and evidex's binary codes, are tried with rising
effort until they find 95% of them (recall@10 against the exact ten, over all queries), and race at the least effort
that does. What building costs is processor time, graphs on one thread.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import BUILD, REAL
from benchmarks.peers import DenseSearch, GraphSearch, Vectors
from benchmarks.rotation import OURS, ROUNDS, Report, Round, cpu_seconds
from benchmarks.vectors import WINDOWS, Cloud, generated, real

K = 10
BATCHES = (64, 256)
SINGLE = 64
"""Queries of a round of single calls to exact engines."""
EFFORTS = (20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 250, 300, 400, 500, 700, 1000)
TARGET = 0.95
OWN = ("binary", "graph")
"""Shortlists of evidex's own: `index.dense` as binary and as hnsw. Others are held against the first."""
EXACT = {"faiss Flat": ("faiss", "Flat"), "usearch exact": ("usearch", "Exact")}


def main() -> None:
    asked = _arguments()
    cloud = real(asked.collection, asked.size) if asked.collection else generated(asked.size or 100_000)
    report = Report(f"dense-{asked.collection or 'clusters'}-{len(cloud.vectors)}", f"Dense, {cloud.name}, k={K}")
    (BUILD / "indexes").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD / "indexes") as folder:
        factories = _exact_factories(Path(folder))
        engines = {name: _built(report, name, make, cloud.vectors) for name, make in factories.items()}
        exact = {name: engine for name, engine in engines.items() if engine is not None}
        _race_exact(report, cloud, exact, asked.rounds)
        own = {f"{OURS} {kind}": partial(_adapter(OURS, kind.title()), Path(folder) / kind) for kind in OWN}
        peers = {f"{name} HNSW": partial(_made, name, "Hnsw") for name in asked.graphs}
        _race_graphs(report, cloud, exact, {**own, **peers}, asked.rounds)
    report.finish()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Dense search against its peers.")
    parser.add_argument("--size", type=int, help="vectors; all of a collection, else 100,000")
    parser.add_argument(
        "--collection", choices=(*REAL, WINDOWS), help="MiniLM vectors of real passages in place of generated ones"
    )
    parser.add_argument("--graphs", nargs="*", default=["faiss", "hnswlib"], choices=["faiss", "hnswlib", "usearch"])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    return parser.parse_args()


def _exact_factories(folder: Path) -> dict[str, Callable[[Vectors], DenseSearch]]:
    def ours(vectors: Vectors) -> DenseSearch:
        return cast(DenseSearch, _adapter(OURS, "Dense")(folder, vectors))

    peers = {name: partial(_made, *place) for name, place in EXACT.items()}
    return {OURS: ours, **peers}


def _adapter(module: str, name: str) -> Any:
    return getattr(import_module(f"benchmarks.peers.{module}"), name)


def _made(module: str, name: str, vectors: Vectors) -> Any:
    return _adapter(module, name)(vectors)


def _built(report: Report, name: str, make: Callable[[Vectors], Any], vectors: Vectors) -> Any:
    """The engine on these vectors, its cost noted; None where it fails."""
    report.attempt(name, lambda: make(vectors[:100]))  # loads libraries and compiles
    if name in report.missing:
        return None
    started = time.process_time()
    engine = report.attempt(name, lambda: make(vectors))
    if engine is not None:
        report.settings[name] = engine.settings
        report.figures.append({"build": "of the index", "engine": name, "CPU-seconds": time.process_time() - started})
    return engine


def _race_exact(report: Report, cloud: Cloud, engines: dict[str, DenseSearch], rounds: int) -> None:
    few = cloud.queries[:SINGLE]
    report.race("exact, single", len(few), {name: _singly(engine, few) for name, engine in engines.items()}, rounds)
    for size in BATCHES:
        batch = cloud.queries[:size]
        runners: dict[str, Round] = {name: partial(engine.search, batch, K) for name, engine in engines.items()}
        report.race(f"exact, batch of {size}", len(batch), runners, rounds)
    truth = _rows(engines[OURS], cloud.queries) if OURS in engines else None
    for name, engine in engines.items():
        if truth is not None and name != OURS:
            same = (_rows(engine, cloud.queries) == truth).all(axis=1).mean()
            report.figures.append(
                {"agreement": "queries with the same ten, in order", "engine": name, "share": float(same)}
            )


def _race_graphs(
    report: Report,
    cloud: Cloud,
    exact: dict[str, DenseSearch],
    makers: Mapping[str, Callable[[Vectors], Any]],
    rounds: int,
) -> None:
    """Those that reach the target against the first of them, or the exact search where that does not."""
    if OURS not in exact:
        return
    truth = _rows(exact[OURS], cloud.queries)
    runners = {OURS: _singly(exact[OURS], cloud.queries)}
    for name, make in makers.items():
        engine = _built(report, name, make, cloud.vectors)
        if engine is not None and _good_enough(report, name, engine, cloud.queries, truth):
            runners[OURS if name == f"{OURS} {OWN[0]}" else name] = _singly(engine, cloud.queries)
    report.race(f"recall ≥ {TARGET}, single", len(cloud.queries), runners, rounds)


def _good_enough(report: Report, name: str, graph: GraphSearch, queries: Vectors, truth: NDArray[Any]) -> bool:
    """Leave the graph at the least effort that reaches the target, and note every one that was tried."""
    for effort in EFFORTS:
        graph.set_effort(effort)
        recall = _recall(_rows(graph, queries), truth)
        speed = len(queries) / cpu_seconds(_singly(graph, queries))
        tried = {"effort": "graphs", "engine": name, "candidates": effort, f"recall@{K}": recall}
        report.figures.append({**tried, "queries per CPU-second, once": speed})
        if recall >= TARGET:
            return True
    return False


def _singly(engine: DenseSearch, queries: Vectors) -> Round:
    def run() -> None:
        for row in range(len(queries)):
            engine.search(queries[row : row + 1], K)

    return run


def _rows(engine: DenseSearch, queries: Vectors) -> NDArray[Any]:
    return np.concatenate([engine.rows(engine.search(queries[row : row + 1], K)) for row in range(len(queries))])


def _recall(found: NDArray[Any], truth: NDArray[Any]) -> float:
    return float(
        np.mean([len(set(mine) & set(right)) / K for mine, right in zip(found.tolist(), truth.tolist(), strict=True)])
    )


if __name__ == "__main__":
    main()
