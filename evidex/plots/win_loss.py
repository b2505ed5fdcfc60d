"""On which questions is one run better than another, and on which worse? Differences, question by question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidex.errors import ConfigError
from evidex.evaluation.derive import value_of
from evidex.evaluation.report import Report
from evidex.evaluation.statistics.groups import NOISE
from evidex.plots.slices import chosen_measure
from evidex.plots.style import BLUE, INK, MUTED, NORMAL, RED, SMALL, bare, canvas, headings, label, plot_area
from evidex.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """What the candidate gains on a question; negative where it loses."""

    case: str
    question: str
    gain: float


@dataclass(frozen=True, slots=True)
class WinLoss:
    """The questions of both runs for which a measure is defined in both, the greatest win first."""

    measure: str
    baseline: str
    candidate: str
    differences: tuple[Difference, ...]

    @property
    def wins(self) -> int:
        return sum(one.gain > 0 for one in self.differences)

    @property
    def losses(self) -> int:
        return sum(one.gain < 0 for one in self.differences)

    @property
    def ties(self) -> int:
        return len(self.differences) - self.wins - self.losses


def of(baseline: Report, candidate: Report, *, measure: str = "") -> WinLoss:
    """Two runs over the same golden set. Raises `ConfigError` for others, and for a measure that one lacks."""
    if baseline.identity.golden != candidate.identity.golden:
        raise ConfigError(
            f"Runs {baseline.run[:8]} and {candidate.run[:8]} are of different golden sets.",
            "Run both on the same questions.",
        )
    wanted = chosen_measure(baseline, chosen_measure(candidate, measure))
    before = {row.case: value_of(row, wanted) for row in baseline.rows}
    found = []
    for row in candidate.rows:
        ours, theirs = before.get(row.case), value_of(row, wanted)
        if ours is not None and theirs is not None:
            found.append(Difference(row.case, row.question, _gain(ours, theirs)))
    ordered = tuple(sorted(found, key=lambda one: (-one.gain, one.case)))
    return WinLoss(wanted, baseline.run, candidate.run, ordered)


def _gain(ours: float, theirs: float) -> float:
    """The difference, 0 where it is no more than rounding: the ties of the picture are those of the verdict."""
    gain = theirs - ours
    return 0.0 if abs(gain) <= NOISE * max(abs(ours), abs(theirs)) else gain


def draw(data: WinLoss) -> Figure:
    """One bar a question, wins at the left, losses at the right; ties are the gap between, not drawn to scale."""
    moved = [one for one in data.differences if one.gain]
    with canvas(9.4, 4.4 if moved else 0.8) as figure:
        headings(figure, _title(data), _subtitle(data))
        if not moved:
            return figure
        axes = plot_area(figure, left=0.75, right=3.55, top=1.0, bottom=0.3)
        gap = max(2.0, 0.12 * len(moved))
        places = [number + (gap if one.gain < 0 else 0.0) for number, one in enumerate(moved)]
        colours = [BLUE if one.gain > 0 else RED for one in moved]
        axes.bar(places, [one.gain for one in moved], width=0.85, color=colours, linewidth=0)
        axes.axhline(0, color=MUTED, linewidth=0.8)
        end = len(moved) + gap
        high, low = max(0.0, moved[0].gain), min(0.0, moved[-1].gain)
        room = 0.06 * (high - low)
        axes.set(xlim=(-0.7, end - 0.3), ylim=(low - room, high + room), xticks=[])
        middle = data.wins - 0.5 + gap / 2
        axes.text(middle, 0.2 * room, counted(data.ties, "tie"), ha="center", va="bottom", size=SMALL, color=MUTED)
        _name(figure, moved)
        axes.set_ylabel(f"gain in {data.measure}")
        axes.grid(axis="y")
        bare(axes, "bottom")
    return figure


def _name(figure: Figure, moved: list[Difference]) -> None:
    """The greatest wins and the greatest losses, beside the bars."""
    width, height = figure.get_size_inches()
    wins = [one for one in moved if one.gain > 0][:_NAMED]
    losses = [one for one in moved if one.gain < 0][::-1][:_NAMED]
    for named, heading, top, colour in ((wins, "greatest wins", 1.1, BLUE), (losses, "greatest losses", 2.75, RED)):
        x, y = 1 - 3.35 / width, 1 - top / height
        if named:
            figure.text(x, y, heading, va="center", size=NORMAL, weight="bold", color=colour)
        for number, one in enumerate(named, start=1):
            text = f"{one.gain:+.2f}".replace("-", "−") + f"  {label(one.question, 42)}"
            figure.text(x, y - 0.23 * number / height, text, va="center", size=SMALL, color=INK)


def _title(data: WinLoss) -> str:
    if not data.differences:
        return "No question has this measure in both runs"
    if data.ties == len(data.differences):
        return f"No difference in {counted(data.ties, 'question')}"
    return (
        f"{counted(data.wins, 'win')}, {counted(data.losses, 'loss', 'losses')} and {counted(data.ties, 'tie')} "
        f"in {counted(len(data.differences), 'question')}"
    )


def _subtitle(data: WinLoss) -> str:
    return f"{data.measure} of run {data.candidate[:8]} minus run {data.baseline[:8]}, question by question"
