"""How well does evidex do on a judged collection, as it comes? One command: laid out, built, measured, drawn.

    python -m benchmarks.judged clapnq_dev
    python -m benchmarks.judged scifact --route search

The settings are those of `evidex init`, and nothing is tuned. The workspace, the golden set and the page stay in
build/judged/NAME, so a second run embeds and asks nothing. Collections lie in $EVIDEX_SHARED (default: ../shared).
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


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("collection", choices=sorted(MAKERS))
    options.add_argument("--route", choices=ROUTES, default="answer")
    options.add_argument("--split", default="", help="keep to the dev or the test half")
    asked = options.parse_args()
    folder = FOLDER / asked.collection
    lay_out(asked.collection, folder)
    kb = folder / "kb"
    if not kb.exists():
        new_workspace.create(kb)
    with evidex.open(kb) as workspace:
        started = time.process_time()
        workspace.ingest(folder / "corpus", sync=True)
        workspace.publish(workspace.build().id)
        built = time.process_time()
        report = workspace.evaluate(folder / "golden.jsonl", split=asked.split, route=asked.route)
        done = time.process_time()
        page = folder / f"report-{asked.route}{asked.split and '-' + asked.split}.html"
        workspace.write_page(page, report.run)
    table = Table("measure", "mean", "95% interval", "n", title=f"{asked.collection}: {len(report.rows)} questions")
    for mean in report.means:
        if mean.mean is not None:
            table.add_row(mean.measure, f"{mean.mean:.4f}", f"{mean.low or 0:.3f} – {mean.high or 0:.3f}", str(mean.n))
    console = Console(width=100)
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
