"""How does cost grow with the collection? evidex alone, keyword search, and where the curve leads.

    python -m benchmarks growth --sizes 10000 100000 1000000

Each size is built in a process of its own. The projection continues the straight line through the two largest sizes on
a log-log scale; it says what one machine would need, not that it was tried. The measured sizes and the line are drawn
into docs/pictures/growth.svg.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from math import log
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, StrMethodFormatter

from benchmarks.building import build_keyword
from benchmarks.corpus import BUILD, generated
from benchmarks.peers import evidex as ours
from benchmarks.rotation import OURS, ROUNDS, Report, cpu_seconds
from evidex.index.sparse import SparseIndex
from evidex.plots.saving import save
from evidex.plots.style import GROUPS, MARKERS, MUTED, NORMAL, SMALL, canvas, headings, plot_area

Costs: TypeAlias = dict[str, float]

K = 10
PROJECTED = (10_000_000, 100_000_000)
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "growth.svg"
_PANELS = {
    "a question, milliseconds": ("keyword ms", "natural ms"),
    "building, CPU-seconds": ("build CPU-s",),
    "megabytes": ("build peak MB", "MB on disk"),
}


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
        projected = [
            {name: _line(sizes[-2:], [costs[name] for costs in measured[-2:]], size) for name in measured[0]}
            for size in PROJECTED
        ]
        for size, costs in zip(PROJECTED, projected, strict=True):
            report.figures.append({"growth": "projected", "passages": f"{size:,}", **costs})
        save(_drawn(sizes, measured, projected), PICTURE)
    report.finish()


def _measured(size: int, rounds: int) -> Costs:
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


def _drawn(sizes: Sequence[int], measured: Sequence[Costs], projected: Sequence[Costs]) -> Figure:
    """One panel a kind of cost, both axes logarithmic: measured sizes with a mark, the projection dashed."""
    with canvas(9.4, 3.6) as figure:
        headings(
            figure,
            "Time grows more slowly than the collection; bytes and building nearly with it",
            f"evidex, keyword search, by passages; measured up to {sizes[-1]:,}, dashed where a straight line goes on",
        )
        for number, (title, names) in enumerate(_PANELS.items()):
            axes = plot_area(figure, left=0.6 + 3.1 * number, right=9.4 - 3.0 - 3.1 * number, top=0.95, bottom=0.3)
            axes.set(xscale="log", yscale="log")
            axes.set_title(title, loc="left", size=NORMAL, color=MUTED)
            for name, colour, marker in zip(names, GROUPS, MARKERS, strict=False):
                costs = [cost[name] for cost in measured]
                axes.plot(sizes, costs, color=colour, marker=marker, markersize=4, label=name)
                ahead = [costs[-1], *(cost[name] for cost in projected)]
                axes.plot([sizes[-1], *PROJECTED], ahead, color=colour, linestyle="--")
            axes.minorticks_off()
            axes.xaxis.set_major_formatter(EngFormatter(sep=""))
            axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
            axes.grid(visible=True)
            if len(names) > 1:
                axes.legend(frameon=False, fontsize=SMALL)
        return figure


def _line(sizes: list[int], costs: list[float], size: int) -> float:
    slope = log(costs[1] / costs[0]) / log(sizes[1] / sizes[0])
    return float(costs[1] * (size / sizes[1]) ** slope)


if __name__ == "__main__":
    main()
