"""Retrieval quality on SciFact and Cranfield: nDCG@10 and R@100 of BM25, dense, hybrid, and hybrid + late.

    python benchmarks/quality.py [scifact] [cranfield]

The collections are BEIR folders below $EVIDEX_SHARED/data/collections (default: ../shared). Each document is one
chunk, nothing is tuned, and all four runs come from the ledger of the same search. Measures are those of ir_measures.

Workspaces stay in build/quality, so a second run embeds nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import ir_measures
from ir_measures import R, nDCG
from rich.console import Console
from rich.progress import track
from rich.table import Table

import evidex
from evidex.sources.beir import read_qrels, read_queries
from evidex.trace import Candidate
from evidex.workspace import Workspace

ROOT = Path(__file__).parent.parent
COLLECTIONS = Path(os.environ.get("EVIDEX_SHARED", ROOT.parent / "shared")) / "data" / "collections"
MEASURES = (nDCG @ 10, R @ 100)
SETTINGS = """\
[chunking]
strategy = "windows"
max_words = 100000

[embedding]
provider = "minilm"

[retrieval]
limit = 100

[reranking]
method = "late"
candidates = 50
"""

Run = dict[str, dict[str, float]]


def opened(collection: str) -> Workspace:
    """The collection, built and published; at once when nothing has changed."""
    folder = ROOT / "build" / "quality" / collection
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "evidex.toml").write_text(SETTINGS, "utf-8")
    workspace = evidex.open(folder)
    workspace.ingest(COLLECTIONS / collection, sync=True)

    def report(step: str, done: int, whole: int) -> None:
        if sys.stderr.isatty() and (done % 64 == 0 or done == whole):
            print(f"\r{collection}: {step} {done}/{whole}    ", end="", file=sys.stderr)

    built = workspace.build(progress=report)
    workspace.publish(built.id)
    print(f"{collection}: {built.documents} documents, {built.chunks} chunks, {built.embedded} embedded now")
    return workspace


def runs(workspace: Workspace, queries: Mapping[str, str]) -> dict[str, Run]:
    """Scores by method, query and document; a document's score is that of its best chunk."""
    found: dict[str, Run] = {"BM25": {}, "dense": {}, "hybrid": {}, "hybrid + late": {}}
    for id, text in track(queries.items(), "searching", console=Console(stderr=True), transient=True):
        result = workspace.search(text, limit=100)
        found["BM25"][id] = _scores(result.ledger, "sparse")
        found["dense"][id] = _scores(result.ledger, "dense")
        found["hybrid"][id] = _scores(result.ledger, "fused")
        found["hybrid + late"][id] = {}
        for rank, chunk in enumerate(result.chunks):
            found["hybrid + late"][id].setdefault(chunk.document, 1.0 / (1 + rank))
    return found


def _scores(ledger: tuple[Candidate, ...], channel: str) -> dict[str, float]:
    scores: dict[str, float] = {}
    for candidate in ledger:
        rank = dict(candidate.ranks).get(channel)
        if rank is not None and rank <= 100:
            scores[candidate.document] = max(scores.get(candidate.document, 0.0), 1.0 / rank)
    return scores


def report(collection: str) -> None:
    """Print the figures of one collection, means first, then wins and losses by query."""
    folder = COLLECTIONS / collection
    qrels = read_qrels(folder)
    queries = {id: text for id, text in read_queries(folder).items() if id in qrels}
    with opened(collection) as workspace:
        found = runs(workspace, queries)
    table = Table("method", *(str(measure) for measure in MEASURES), title=f"{collection}, {len(queries)} queries")
    for method, run in found.items():
        means = ir_measures.calc_aggregate(MEASURES, qrels, run)
        table.add_row(method, *(f"{means[measure]:.4f}" for measure in MEASURES))
    pairs = [("hybrid", "BM25"), ("hybrid", "dense"), ("hybrid + late", "hybrid"), ("hybrid + late", "BM25")]
    wins = Table("nDCG@10 by query", "wins", "ties", "losses")
    for one, other in pairs:
        wins.add_row(f"{one} against {other}", *(str(n) for n in _compare(qrels, found[one], found[other])))
    console = Console()
    console.print(table)
    console.print(wins)


def _compare(qrels: Mapping[str, Mapping[str, int]], one: Run, other: Run) -> tuple[int, int, int]:
    first, second = _by_query(qrels, one), _by_query(qrels, other)
    gains = [first.get(id, 0.0) - second.get(id, 0.0) for id in qrels]
    wins, losses = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
    return wins, len(gains) - wins - losses, losses


def _by_query(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, float]:
    return {metric.query_id: metric.value for metric in ir_measures.iter_calc([nDCG @ 10], qrels, run)}


if __name__ == "__main__":
    for name in sys.argv[1:] or ["scifact", "cranfield"]:
        report(name)
