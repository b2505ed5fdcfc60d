"""How long does a search take on the sample knowledge base, and where does the time go?

    python benchmarks/latency.py

Builds the sample in build/latency, warms up, asks each answerable question of the test split that needs neither user,
date nor history once, and prints the median and the 95th percentile in milliseconds, whole and by stage.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import evidex
from evidex import new_workspace

FOLDER = Path(__file__).parent.parent / "build" / "latency"
QUESTIONS = 150
STAGES = ("scope", "understand", "retrieve", "fuse", "rerank")


def main() -> None:
    if not (FOLDER / "evidex.toml").exists():
        new_workspace.create(FOLDER, with_sample=True)
    rows = map(json.loads, (FOLDER / "golden" / "test.jsonl").read_text("utf-8").splitlines())
    plain = [row["question"] for row in rows if row["answerable"] and not {"as", "as_of", "history"} & row.keys()]
    questions = list(dict.fromkeys(plain))[:QUESTIONS]
    with evidex.open(FOLDER) as workspace:
        workspace.ingest(FOLDER / "docs", sync=True)
        workspace.publish(workspace.build().id)
        workspace.search("wärmt auf")
        whole: list[float] = []
        stages: dict[str, list[float]] = {stage: [] for stage in STAGES}
        for question in questions:
            started = time.perf_counter()
            found = workspace.search(question)
            whole.append(time.perf_counter() - started)
            for record in workspace.recall(found.trace_id).trace.stages:
                stages[record.name].append(record.seconds)
        settings = workspace.settings
    title = f"{len(questions)} questions, {settings.embedding.provider}, {settings.reranking.method}"
    table = Table("stage", "median ms", "p95 ms", title=title)
    for name, seconds in (*stages.items(), ("search", whole)):
        spread = statistics.quantiles(seconds, n=20)
        table.add_row(name, f"{1000 * statistics.median(seconds):.2f}", f"{1000 * spread[-1]:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
