"""Where did the evidence of each question stand in each channel and stage? Ranks, the worst questions first."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from typing import TYPE_CHECKING

from evidex.errors import ConfigError
from evidex.evaluation.report import Report, Row
from evidex.evaluation.standing import Stage, facts_of, standing
from evidex.plots.funnel import known_stages
from evidex.plots.style import (
    DARK_TEXT,
    INK,
    LIGHT_TEXT,
    MUTED,
    NORMAL,
    RAMP,
    RED,
    SMALL,
    bare,
    canvas,
    headings,
    label,
    plot_area,
)
from evidex.wording import counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROWS = 60
"""How many questions fit on a page."""
DEPTH = 100
"""Beyond this rank, evidence counts as not found."""
_STEPS = ((1, "1"), (3, "2–3"), (10, "4–10"), (30, "11–30"), (DEPTH, "31–100"))


@dataclass(frozen=True, slots=True)
class Line:
    """One question, and the rank of its worst placed fact in each column; None where one is not found."""

    case: str
    question: str
    ranks: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class RankHeatmap:
    """One page of the questions that have evidence, worst first; `total` counts all of them.

    `nowhere` counts those of the total of which a fact is in no channel, and `complete` those whose facts all come
    to the last column.
    """

    name: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    first: int
    total: int
    nowhere: int
    complete: int


def of(report: Report, *, page: int = 1, rows: int = ROWS, depth: int = DEPTH) -> RankHeatmap:
    """A page of a run's questions.

    Raises `ConfigError` for a page that there is not, and for a run of which only the final ranking is known.
    """
    stages, rows_with_facts = known_stages(report), [row for row in report.rows if facts_of(row)]
    found = [
        Line(row.case, row.question, tuple(_worst(standing(row, stage), depth) for stage in stages))
        for row in rows_with_facts
    ]
    pages = max(1, ceil(len(found) / rows))
    if not 1 <= page <= pages:
        raise ConfigError(f"There is no page {page} of ranks.", f"Ask for 1 to {pages}.")
    ordered = sorted(found, key=lambda line: (-_badness(line, depth), line.case))
    channels = [stage for stage in stages if stage.is_channel]
    return RankHeatmap(
        name=report.name,
        columns=tuple(stage.name for stage in stages if stage.name != "candidates"),
        lines=tuple(
            Line(line.case, line.question, _without_candidates(line.ranks, [stage.name for stage in stages]))
            for line in ordered[(page - 1) * rows : page * rows]
        ),
        first=(page - 1) * rows + 1,
        total=len(found),
        nowhere=sum(_is_nowhere(row, channels, depth) for row in rows_with_facts),
        complete=sum(bool(line.ranks) and line.ranks[-1] is not None for line in found),
    )


def draw(data: RankHeatmap) -> Figure:
    """One row a question, one column a channel or stage; the darker the better, a cross where evidence is missing."""
    rows, columns = len(data.lines), len(data.columns)
    row_height = 0.27 if rows <= 30 else 0.21
    with canvas(8.4, 1.35 + row_height * max(rows, 1) + 0.15) as figure:
        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=4.05, right=0.2, top=1.2, bottom=0.12)
        for y, line in enumerate(data.lines):
            for x, rank in enumerate(line.ranks):
                _draw_cell(axes, x, y, rank)
        axes.set(xlim=(-0.5, max(columns, 1) - 0.5), ylim=(max(rows, 1) - 0.5, -0.5))
        axes.set_yticks(range(rows), [label(line.question, 62) for line in data.lines], color=INK, size=SMALL - 0.6)
        axes.set_xticks(range(columns), [label(name, 12) for name in data.columns], color=INK, size=NORMAL)
        axes.xaxis.tick_top()
        bare(axes, "left", "bottom", "top")
        _draw_key(figure)
    return figure


def _draw_cell(axes: Axes, x: int, y: int, rank: int | None) -> None:
    from matplotlib.patches import Rectangle

    if rank is None:
        axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=INK, alpha=0.04, linewidth=0))
        axes.text(x, y, "×", ha="center", va="center_baseline", size=SMALL + 1, color=RED, weight="bold")
        return
    step = _step(rank)
    axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=RAMP[-1 - step], linewidth=0))
    axes.text(
        x,
        y,
        str(rank),
        ha="center",
        va="center_baseline",
        size=SMALL - 0.8,
        color=LIGHT_TEXT if step < 2 else DARK_TEXT,
    )


def _draw_key(figure: Figure) -> None:
    from matplotlib.patches import Rectangle

    width, height = figure.get_size_inches()
    x, y = 0.16, height - 0.92
    for step, (_, name) in enumerate(_STEPS):
        box = Rectangle(
            (x / width, y / height),
            0.15 / width,
            0.15 / height,
            transform=figure.transFigure,
            facecolor=RAMP[-1 - step],
        )
        figure.add_artist(box)
        figure.text((x + 0.2) / width, (y + 0.03) / height, name, size=SMALL, color=MUTED)
        x += 0.36 + 0.075 * len(name)
    figure.text(x / width, (y + 0.02) / height, "×", size=SMALL + 2, color=RED, weight="bold")
    figure.text((x + 0.15) / width, (y + 0.03) / height, "not there", size=SMALL, color=MUTED)


def _step(rank: int) -> int:
    return next((step for step, (last, _) in enumerate(_STEPS) if rank <= last), len(_STEPS) - 1)


def _worst(ranks: tuple[int | None, ...], depth: int) -> int | None:
    known = [rank for rank in ranks if rank is not None and rank <= depth]
    return max(known) if known and len(known) == len(ranks) else None


def _is_nowhere(row: Row, channels: list[Stage], depth: int) -> bool:
    """Whether some fact of a question is in none of the channels; facts may come from different ones."""
    by_fact = zip(*(standing(row, channel) for channel in channels), strict=True)
    return any(all(rank is None or rank > depth for rank in ranks) for ranks in by_fact)


def _badness(line: Line, depth: int) -> float:
    return sum(log(2 * depth if rank is None else rank) for rank in line.ranks)


def _without_candidates(ranks: tuple[int | None, ...], names: list[str]) -> tuple[int | None, ...]:
    return tuple(rank for rank, name in zip(ranks, names, strict=True) if name != "candidates")


def _title(data: RankHeatmap) -> str:
    if not data.total:
        return "No question of this run has evidence to rank"
    if data.nowhere:
        return f"{counted(data.nowhere, 'question')} of {data.total:,} ask for evidence that no channel finds"
    share = percent(data.complete / data.total)
    return f"Every fact is found by a channel; {share} of {counted(data.total, 'question')} come through complete"


def _subtitle(data: RankHeatmap) -> str:
    last = data.first + len(data.lines) - 1
    return (
        f"{data.name}: questions {data.first:,}–{last:,} of {data.total:,}, worst first; rank of the worst placed fact"
    )
