"""What does it cost to see only a part? evidex alone, for askers who may read 1, 10, 50 or 100% of the passages.

    python -m benchmarks visibility --size 100000

`tenant` is a block of neighbouring rows, as those of one tenant lie; `scattered` rows are drawn at random. `first` is
the first query of a scope, which works out the statistics of what can be seen; the other figures are of later ones.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import corpus, vectors
from benchmarks.building import build_keyword
from benchmarks.corpus import BUILD, SEED
from benchmarks.peers import evidex as ours
from benchmarks.rotation import OURS, ROUNDS, Report, Round, cpu_seconds
from evidex.types import Scope

K = 10
SHARES = (1.0, 0.5, 0.1, 0.01)
QUERIES = 100


def main() -> None:
    parser = argparse.ArgumentParser(description="The cost of a filtered query.")
    parser.add_argument("--size", type=int, default=100_000, help="passages")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    passages, cloud = corpus.generated(asked.size), vectors.generated(asked.size)
    report = Report(f"visibility-{asked.size}", f"Visible part, {asked.size:,} passages, k={K}")
    folder = BUILD / "indexes" / "visibility" / str(asked.size)
    build_keyword(OURS, passages.path, folder)
    index = ours.Search(folder).index
    with tempfile.TemporaryDirectory(dir=BUILD / "indexes") as place:
        dense = ours.Dense(Path(place), cloud.vectors)
        runners: dict[str, dict[str, Round]] = {}
        for layout, share in product(("tenant", "scattered"), SHARES):
            name, scope = f"{layout} {share:.0%}", Scope(_visible(asked.size, layout, share))
            for kind, texts in passages.queries.items():
                runners.setdefault(f"BM25, {kind}", {})[name] = _keyword(index, scope, texts[:QUERIES])
            runners.setdefault("dense", {})[name] = _dense(dense, scope, cloud.queries[:QUERIES])
            first = cpu_seconds(_keyword(index, Scope(scope.rows.copy()), passages.natural[:1]))
            report.figures.append({"first": "BM25 query of a scope", "visible": name, "CPU ms": 1000 * first})
        for task, ways in runners.items():
            report.race(task, QUERIES, ways, asked.rounds)
    report.finish()


def _visible(size: int, layout: str, share: float) -> NDArray[np.bool_]:
    if layout == "tenant":
        return np.arange(size) < round(share * size)
    return np.random.default_rng(SEED).random(size) < share


def _keyword(index: Any, scope: Any, queries: tuple[str, ...]) -> Round:
    def run() -> None:
        for query in queries:
            index.search([query], scope, K)

    return run


def _dense(dense: ours.Dense, scope: Any, queries: vectors.Vectors) -> Round:
    def run() -> None:
        for row in range(len(queries)):
            dense.table.vectors = queries[row : row + 1]
            dense.index.search(["0"], scope, K)

    return run


if __name__ == "__main__":
    main()
