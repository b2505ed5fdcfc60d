"""MaxSim as a reranker computes it: one query against a thousand documents.

    python -m benchmarks maxsim --width 96

Token vectors are synthetic: those of a document lie around its subject, and each query's around the subject of one
document, so that there is a ranking to agree on. Engines score the same documents; how well int8 codes keep the ranking
of float32 is told by the share of the best ten and hundred that they have in common.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import BUILD, SEED
from benchmarks.peers import Vectors
from benchmarks.rotation import OURS, ROUNDS, Report, Round

TOKENS, QUERY_TOKENS, QUERIES = 128, 32, 10
SUBJECT = 0.6
"""How much of a token's vector is its document's subject."""
DEPTHS = (10, 100)


class InNumpy:
    """One matrix product, the greatest over documents' tokens, the sum over the query's."""

    settings = "one float32 product of all documents' tokens with the query's, one thread"

    def __init__(self, documents: Vectors) -> None:
        self._tokens = documents.reshape(-1, documents.shape[2])

    def scores(self, query: Vectors) -> NDArray[np.float32]:
        products = self._tokens @ query.T
        scores: NDArray[np.float32] = products.reshape(-1, TOKENS, len(query)).max(axis=1).sum(axis=1)
        return scores


def main() -> None:
    parser = argparse.ArgumentParser(description="MaxSim against its peers.")
    parser.add_argument("--size", type=int, default=1000, help="documents")
    parser.add_argument("--width", type=int, default=128, help="of a token vector")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    title = f"MaxSim, {asked.size:,} × {TOKENS} tokens of width {asked.width}, {QUERY_TOKENS} of the query"
    report = Report(f"maxsim-{asked.size}-{asked.width}", title)
    documents, queries = _tokens(asked.size, asked.width)
    (BUILD / "indexes").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD / "indexes") as folder:
        factories: dict[str, Callable[[], Any]] = {
            OURS: lambda: _adapter("evidex")(Path(folder), documents),
            "maxsim-cpu": lambda: _adapter("maxsim_cpu")(documents),
            "NumPy": lambda: InNumpy(documents),
        }
        made = {name: report.attempt(name, make) for name, make in factories.items()}
        engines = {name: engine for name, engine in made.items() if engine is not None}
        report.settings.update((name, engine.settings) for name, engine in engines.items())
        report.race(
            "rerank", QUERIES, {name: _runner(engine, queries) for name, engine in engines.items()}, asked.rounds
        )
        _compare(report, {name: engine for name, engine in engines.items() if name not in report.missing}, queries)
    report.finish()


def _adapter(module: str) -> Any:
    return import_module(f"benchmarks.peers.{module}").Late


def _tokens(size: int, width: int) -> tuple[Vectors, Vectors]:
    random = np.random.default_rng(SEED)
    subjects = random.standard_normal((size, 1, width), np.float32)
    documents = _unit(SUBJECT * subjects + random.standard_normal((size, TOKENS, width), np.float32))
    asked = subjects[random.choice(size, QUERIES, replace=False)]
    return documents, _unit(SUBJECT * asked + random.standard_normal((QUERIES, QUERY_TOKENS, width), np.float32))


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return unit


def _runner(engine: Any, queries: Vectors) -> Round:
    def run() -> None:
        for query in queries:
            engine.scores(query)

    return run


def _compare(report: Report, engines: dict[str, Any], queries: Vectors) -> None:
    exact = [_ranking(InNumpy.scores(engines["NumPy"], query)) for query in queries]
    for name, engine in engines.items():
        rankings = [_ranking(engine.scores(query)) for query in queries]
        for depth in DEPTHS:
            pairs = zip(rankings, exact, strict=True)
            shared = np.mean([len(set(mine[:depth]) & set(right[:depth])) / depth for mine, right in pairs])
            figure = {"agreement": "with float32 in NumPy", "engine": name, "best": depth, "share": float(shared)}
            report.figures.append(figure)


def _ranking(scores: NDArray[np.float32]) -> list[int]:
    ranking: list[int] = np.argsort(-scores, kind="stable").tolist()
    return ranking


if __name__ == "__main__":
    main()
