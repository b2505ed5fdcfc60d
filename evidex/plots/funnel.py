"""How much of the evidence is still there after each stage? The funnel of one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidex.errors import ConfigError
from evidex.evaluation.report import Report
from evidex.evaluation.standing import Stage, facts_of, stages_of, standing
from evidex.plots.style import BLUE, INK, MUTED, NORMAL, RED, SKY, SMALL, bare, canvas, headings, label, plot_area
from evidex.wording import counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_STAGE = {
    "candidates": "retrieval",
    "fused": "fusion",
    "reranked": "reranking",
    "context": "assembly",
    "cited": "answering",
}


@dataclass(frozen=True, slots=True)
class Step:
    """How many facts a channel or stage has, among the `limit` chunks that it lets on (None: all)."""

    name: str
    kept: int
    limit: int | None
    is_channel: bool


@dataclass(frozen=True, slots=True)
class Funnel:
    """The facts of a run's questions, and how many each step still has.

    `chance` is what a random draw of `drawn` chunks finds of the facts; None where the run did not ask.
    """

    name: str
    facts: int
    steps: tuple[Step, ...]
    chance: float | None = None
    drawn: int = 0

    @property
    def greatest_loss(self) -> tuple[Step, int] | None:
        """The stage at which most facts fall, the earliest of equals, and how many; None where none falls."""
        line = [step for step in self.steps if not step.is_channel]
        before = (self.facts, *(step.kept for step in line))
        losses = [(held - step.kept, step) for held, step in zip(before, line, strict=False)]
        lost, step = max(losses, key=lambda pair: pair[0], default=(0, None))
        return None if step is None or lost <= 0 else (step, lost)


def of(report: Report) -> Funnel:
    """The funnel of a run: facts counted at every stage, those of a question that failed as lost from there on.

    Raises `ConfigError` for a run of which only the final ranking is known.
    """
    steps = tuple(
        Step(
            stage.name,
            sum(rank is not None for row in report.rows for rank in standing(row, stage)),
            stage.limit,
            stage.is_channel,
        )
        for stage in known_stages(report)
    )
    drawn = {
        int(mean.measure.rpartition("@")[2]): mean.mean
        for mean in report.means
        if mean.measure.startswith("random/fact:")
    }
    k = next(iter(drawn), 0)
    return Funnel(report.name, sum(facts_of(row) for row in report.rows), steps, drawn.get(k), k)


def known_stages(report: Report) -> tuple[Stage, ...]:
    """The stages of a run. Raises `ConfigError` for one that has evidence and no stages: a scored ranking of others."""
    stages = stages_of(report)
    if not stages and any(facts_of(row) for row in report.rows):
        raise ConfigError(
            f"Run {report.run[:8]} holds a final ranking and no stages.", "Make one here: evidex eval run GOLDEN"
        )
    return stages


def draw(data: Funnel) -> Figure:
    """One bar a channel and stage, from the first to the last, with what fell at each."""
    rows = len(data.steps)
    with canvas(7.2, 1.25 + 0.32 * rows + 0.3) as figure:
        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=1.45, right=1.7, top=0.95, bottom=0.2)
        loss = data.greatest_loss
        before = data.facts
        for row, step in enumerate(data.steps):
            share = step.kept / data.facts if data.facts else 0.0
            axes.barh(row, 1.0, height=0.66, color=INK, alpha=0.06, linewidth=0)
            axes.barh(row, share, height=0.66, color=SKY if step.is_channel else BLUE, linewidth=0)
            axes.text(1.015, row, f"{percent(share)} · {step.kept:,}", va="center", size=NORMAL)
            if not step.is_channel:
                lost, before = before - step.kept, step.kept
                worst = loss is not None and step == loss[0]
                if lost:
                    weight, colour = ("bold", RED) if worst else ("normal", MUTED)
                    axes.text(
                        1.27,
                        row,
                        f"{-lost:+,}".replace("-", "−"),
                        va="center",
                        size=NORMAL,
                        weight=weight,
                        color=colour,
                    )
        _draw_chance(axes, data)
        axes.set(xlim=(0, 1), ylim=(max(rows, 1) - 0.5, -0.5))
        axes.set_yticks(range(rows), [_name(step) for step in data.steps], color=INK, size=NORMAL)
        axes.set_xticks([])
        bare(axes, "left", "bottom")
    return figure


def _draw_chance(axes: Axes, data: Funnel) -> None:
    channels = sum(step.is_channel for step in data.steps)
    if data.chance is None or not channels:
        return
    axes.plot([data.chance] * 2, [-0.5, channels - 0.5], color=INK, linewidth=1.2, linestyle=(0, (3, 2)), clip_on=False)
    right = data.chance > 0.6
    axes.text(
        data.chance,
        -0.6,
        f"a random draw of {data.drawn:,} chunks: {percent(data.chance)}",
        ha="right" if right else "left",
        va="bottom",
        size=SMALL,
        color=MUTED,
    )


def _title(data: Funnel) -> str:
    if not data.facts:
        return "No question of this run has evidence to follow"
    share, last = percent(data.steps[-1].kept / data.facts), data.steps[-1].name
    end = f"{share} of the evidence is {'cited' if last == 'cited' else f'left after {_STAGE.get(last, last)}'}"
    loss = data.greatest_loss
    return end if loss is None else f"{end}; most is lost in {_STAGE.get(loss[0].name, loss[0].name)}"


def _subtitle(data: Funnel) -> str:
    return (
        f"{data.name}: {counted(data.facts, 'fact')}; share and number still there after each stage, and how many fell"
    )


def _name(step: Step) -> str:
    return label(step.name, 16) + (f"  (first {step.limit})" if step.limit else "")
