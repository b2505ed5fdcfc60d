"""How fast is one engine beside another? All of them take turns in one process, and processor time is counted.

The figure is queries per CPU-second: queries divided by the processor time of all threads of the process, so that
neither a second thread nor another program on the machine makes an engine look better. In every round each engine
answers all queries once, one call a query unless a script says otherwise; the order of the engines moves on by one from
round to round. Before the first round each engine answers all queries at least twice, and until it has had five seconds
of processor time: caches are filled, and just-in-time compilers have done their work.

The speed of an engine is the median over at least five rounds. A ratio is the median over rounds of evidex's speed
divided by the peer's in the same round, so what slows a round down slows both. Above 1 evidex is faster.

Python collects no garbage during a round, as in timeit: one engine would pay for the objects of another, and JPype
makes Java collect its own whenever Python does, which would make Lucene slower in a process of many engines.

What a peer returns is what its own users get; turning that into row numbers, to compare results, is not timed.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_info

from benchmarks.corpus import BUILD

ROUNDS = 5
WARM_UP = 5.0
"""Seconds of processor time."""
OURS = "evidex"
PACKAGES = (
    *("evidex", "numpy", "numba", "bm25s", "tantivy", "arcadedb-embedded", "jpype1", "pyterrier-pisa", "lancedb"),
    *("qdrant-edge-py", "faiss-cpu", "hnswlib", "usearch", "maxsim-cpu"),
)

Round = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Speed:
    """One engine at one task: seconds of processor time of every round, for `work` queries (or other units) each."""

    engine: str
    task: str
    work: float
    seconds: tuple[float, ...]

    @property
    def per_second(self) -> float:
        return self.work / median(self.seconds)

    def ratio_to(self, peer: Speed) -> float:
        """How many times faster this is than a peer that took turns with it."""
        both = zip(self.seconds, peer.seconds, strict=True)
        return median(theirs * self.work / (ours * peer.work) for ours, theirs in both)


@dataclass(slots=True)
class Report:
    """What a script found out: speeds, other figures, and the engines that are missing with the reason why."""

    name: str
    title: str
    unit: str = "queries per CPU-second"
    settings: dict[str, str] = field(default_factory=dict)
    speeds: list[Speed] = field(default_factory=list)
    figures: list[dict[str, Any]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=lambda: described_machine())

    def attempt(self, engine: str, action: Callable[[], Any]) -> Any:
        """What the action returns; None if it fails, and the engine is a row that says why."""
        try:
            return action()
        except Exception as error:  # noqa: BLE001  # a peer may raise anything, and must not take the others with it
            first_line = next(iter(str(error).splitlines()), "")
            self.missing[engine] = f"{type(error).__name__}: {first_line}"
            return None

    def race(self, task: str, work: float, runners: Mapping[str, Round], rounds: int = ROUNDS) -> None:
        """Let engines take turns at one task, and keep their speeds."""
        ready = [
            engine
            for engine, run in runners.items()
            if self.attempt(engine, partial(_warm_up, run, WARM_UP)) is not None
        ]
        seconds: dict[str, list[float]] = {engine: [] for engine in ready}
        for number in range(rounds):
            for engine in _turned(ready, number):
                seconds[engine].append(cpu_seconds(runners[engine]))
        self.speeds.extend(Speed(engine, task, work, tuple(seconds[engine])) for engine in ready)

    def finish(self) -> None:
        """Print the tables, and write everything to build/bench/results/<name>.json."""
        self.machine["load average after"] = os.getloadavg()
        path = BUILD / "results" / f"{self.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        written = {**asdict(self), "ratios": self.ratios()}
        path.write_text(json.dumps(written, indent=1, ensure_ascii=False, default=str), "utf-8")
        console = Console(width=None if sys.stdout.isatty() else 140)
        if self.speeds:
            console.print(self._speed_table())
        for table in figure_tables(self.figures):
            console.print(table)
        for engine, settings in self.settings.items():
            console.print(f"[bold]{engine}[/bold]: {settings}", highlight=False)
        for engine, why in self.missing.items():
            console.print(f"[bold]{engine}[/bold] is missing: {why}", highlight=False, markup=True)
        load = " → ".join(f"{self.machine[f'load average {when}'][0]:.1f}" for when in ("before", "after"))
        console.print(
            f"{self.machine['processor']}, {self.machine['cores']} cores, load {load}; {path}", highlight=False
        )

    def ratios(self) -> dict[str, dict[str, float]]:
        """By task and peer: how many times faster evidex is."""
        ours = {speed.task: speed for speed in self.speeds if speed.engine == OURS}
        found: dict[str, dict[str, float]] = {}
        for speed in self.speeds:
            if speed.task in ours and speed.engine != OURS:
                found.setdefault(speed.task, {})[speed.engine] = ours[speed.task].ratio_to(speed)
        return found

    def _speed_table(self) -> Table:
        """One row a task, one column an engine."""
        engines = list(dict.fromkeys(speed.engine for speed in self.speeds))
        ratios = self.ratios()
        cells: dict[str, dict[str, str]] = {}
        for speed in self.speeds:
            ratio = ratios.get(speed.task, {}).get(speed.engine)
            shown = "" if ratio is None else f" ({ratio:.2f}×)"
            cells.setdefault(speed.task, {})[speed.engine] = f"{_digits(speed.per_second)}{shown}"
        table = Table("task", title=f"{self.title}: {self.unit} (× evidex is faster)")
        for engine in engines:
            table.add_column(engine, justify="right")
        for task, row in cells.items():
            table.add_row(task, *(row.get(engine, "–") for engine in engines))
        return table


def figure_tables(figures: Sequence[Mapping[str, Any]]) -> list[Table]:
    """One table for the figures that have the same columns; the first column of each is its title."""
    tables: dict[tuple[str, ...], Table] = {}
    for figure in figures:
        title, *columns = figure
        key = (str(figure[title]), *columns)
        if key not in tables:
            tables[key] = Table(*columns, title=str(figure[title]))
        tables[key].add_row(*(_digits(figure[column]) for column in columns))
    return list(tables.values())


def cpu_seconds(run: Round) -> float:
    """Processor time of all threads of this process; Python's garbage is collected before and not meanwhile."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        run()
        return time.process_time() - started
    finally:
        gc.enable()


def described_machine() -> dict[str, Any]:
    """What the figures were measured on, and with which versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load average before": os.getloadavg(),
        "versions": {package: _version(package) for package in PACKAGES},
        "blas": [f"{library['internal_api']} {library.get('architecture', '')}" for library in threadpool_info()],
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _warm_up(run: Round, seconds: float) -> float:
    spent = cpu_seconds(run) + cpu_seconds(run)
    while spent < seconds:
        spent += cpu_seconds(run)
    return spent


def _turned(engines: Sequence[str], by: int) -> list[str]:
    at = by % max(1, len(engines))
    return [*engines[at:], *engines[:at]]


def _digits(value: Any) -> str:
    """Three digits that matter."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
