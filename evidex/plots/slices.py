"""Which kinds of question are answered worst? One measure by slice, with its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidex.errors import ConfigError
from evidex.evaluation.comparing import HEADLINE
from evidex.evaluation.report import Mean, Report
from evidex.plots.style import BLUE, FAINT, INK, MUTED, NORMAL, ORANGE, SMALL, bare, canvas, headings, label, plot_area
from evidex.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Slice:
    """The mean of one category over `n` questions, between `low` and `high` (95%) where that many can tell."""

    name: str
    mean: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Slices:
    """One measure by category, the worst first, beside its mean over all questions.

    `undefined` names categories in which the measure is defined for no question.
    """

    name: str
    measure: str
    whole: float
    slices: tuple[Slice, ...]
    undefined: tuple[str, ...]


def of(report: Report, *, measure: str = "") -> Slices:
    """The slices of a run by a measure, a headline one unless named. Raises `ConfigError` where there are none."""
    wanted = chosen_measure(report, measure)
    if not report.slices:
        raise ConfigError(
            f"No question of {report.name!r} has a category.", 'Give them some: "category": "dates" and the like.'
        )
    whole = _of_measure(report.means, wanted).mean
    found, undefined = [], []
    for name, means in report.slices:
        mean = _of_measure(means, wanted)
        if mean.mean is None:
            undefined.append(name)
        else:
            found.append(Slice(name, mean.mean, mean.low, mean.high, mean.n))
    ordered = tuple(sorted(found, key=lambda one: (one.mean, one.name)))
    return Slices(report.name, wanted, 0.0 if whole is None else whole, ordered, tuple(undefined))


def chosen_measure(report: Report, measure: str = "") -> str:
    """The measure, or the first headline one of a run. Raises `ConfigError` for one that the run lacks."""
    measures = report.identity.measures
    wanted = measure or next((name for name in HEADLINE if name in measures), measures[0] if measures else "")
    if wanted not in measures:
        raise ConfigError(
            f"Run {report.run[:8]} has no measure {wanted!r}.", f"It has {', '.join(measures) or 'none'}."
        )
    return wanted


def draw(data: Slices) -> Figure:
    """One bar a slice with its interval, the worst on top; the mean of all questions is the line through them."""
    rows = len(data.slices)
    with canvas(7.2, 1.6 + 0.3 * max(rows, 1)) as figure:
        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=1.9, right=1.35, top=1.05, bottom=0.5)
        for y, one in enumerate(data.slices):
            below = one.high is not None and one.high < data.whole
            axes.barh(y, one.mean, height=0.66, color=ORANGE if below else BLUE, linewidth=0)
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [y, y], color=INK, linewidth=1.4, solid_capstyle="butt")
                axes.plot([one.low, one.high], [y, y], "|", color=INK, markersize=6)
            axes.text(1.03, y, f"{one.mean:.3f}", va="center", size=NORMAL)
            axes.text(1.17, y, f"n = {one.n}", va="center", size=SMALL, color=MUTED)
        axes.axvline(data.whole, color=INK, linewidth=1, linestyle=(0, (3, 2)))
        right = data.whole > 0.6
        side = "right" if right else "left"
        axes.text(data.whole, -0.62, f"all questions: {data.whole:.3f}", ha=side, va="bottom", size=SMALL, color=MUTED)
        axes.set(xlim=(0, 1), ylim=(max(rows, 1) - 0.5, -0.55))
        axes.set_yticks(range(rows), [label(one.name, 24) for one in data.slices], color=INK, size=NORMAL)
        axes.grid(axis="x", color=FAINT)
        bare(axes, "left", "bottom")
        axes.tick_params(bottom=False)
    return figure


def _of_measure(means: tuple[Mean, ...], measure: str) -> Mean:
    return next(mean for mean in means if mean.measure == measure)


def _title(data: Slices) -> str:
    if not data.slices:
        return f"{data.measure} is defined for no slice"
    worst = data.slices[0]
    below = [one for one in data.slices if one.high is not None and one.high < data.whole]
    if not below:
        return f"No slice is clearly below the rest; the lowest is {label(worst.name, 20)}"
    return (
        f"{counted(len(below), 'slice is', 'slices are')} clearly below the mean; the lowest is {label(worst.name, 20)}"
    )


def _subtitle(data: Slices) -> str:
    left_out = f"; not defined for {', '.join(data.undefined)}" if data.undefined else ""
    return (
        f"{data.name}: {data.measure} by category with 95% intervals, "
        f"orange where all of it lies below the mean{left_out}"
    )
