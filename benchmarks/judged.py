"""How well does evidex do on a judged collection, as it comes? One command: laid out, built, measured, drawn.

    python -m benchmarks.judged sample --split dev
    python -m benchmarks.judged clapnq_dev
    python -m benchmarks.judged scifact --route search

The settings are those of `evidex init`, and nothing is tuned. The workspace, the golden set and the page stay in
build/judged/NAME, so a second run embeds and asks nothing. `sample` comes with evidex; the other collections lie in
$EVIDEX_SHARED (default: ../shared).
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import evidex
from benchmarks.judged_collections import MAKERS, lay_out
from evidex import new_workspace
from evidex.evaluation.run import ROUTES

FOLDER = Path(__file__).parent.parent / "build" / "judged"
SAMPLE = "sample"
BY_STAGE = ("R@5", "RR@5", "AP(min)@5", "nDCG(exp)@5")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("collection", choices=(SAMPLE, *sorted(MAKERS)))
    options.add_argument("--route", choices=ROUTES, default="answer")
    options.add_argument("--split", default="", help="keep to the dev or the test half")
    asked = options.parse_args()
    folder = FOLDER / asked.collection
    kb = folder / "kb"
    if not kb.exists():
        new_workspace.create(kb, with_sample=asked.collection == SAMPLE)
    corpus, golden = kb / "docs", kb / "golden"
    if asked.collection != SAMPLE:
        lay_out(asked.collection, folder)
        corpus, golden = folder / "corpus", folder / "golden.jsonl"
    with evidex.open(kb) as workspace:
        started = time.process_time()
        workspace.ingest(corpus, sync=True)
        workspace.publish(workspace.build().id)
        built = time.process_time()
        report = workspace.evaluate(golden, split=asked.split, route=asked.route)
        stages = (*workspace.settings.retrieval.channels, "fused", "reranked")
        ids = [f"{stage}/source:{name}" for stage in stages for name in BY_STAGE]
        by_stage = workspace.evaluate(golden, split=asked.split, route="search", measures=ids)
        done = time.process_time()
        page = folder / f"report-{asked.route}{asked.split and '-' + asked.split}.html"
        workspace.write_page(page, report.run)
    console = Console(width=100)
    table = Table("stage", *BY_STAGE, title=f"{asked.collection}: documents, stage by stage")
    values = {mean.measure: mean.mean for mean in by_stage.means}
    for stage in stages:
        table.add_row(stage, *(f"{values[f'{stage}/source:{name}']:.3f}" for name in BY_STAGE))
    console.print(table)
    table = Table("measure", "mean", "95% interval", "n", title=f"{asked.collection}: {len(report.rows)} questions")
    for mean in report.means:
        if mean.mean is not None:
            table.add_row(mean.measure, f"{mean.mean:.4f}", f"{mean.low or 0:.3f} – {mean.high or 0:.3f}", str(mean.n))
    console.print(table)
    counts = report.table
    if counts.total:
        console.print(
            f"answered: {counts.answered_answerable} of {counts.answerable} answerable, "
            f"{counts.answered_unanswerable} of {counts.unanswerable} unanswerable"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"CPU-seconds: {built - started:.0f} to ingest and build, {done - built:.0f} to ask and measure")
    console.print(f"peak memory: {peak:.0f} MB; page: {page}")


if __name__ == "__main__":
    main()
