"""Are the answers that the generator is sure of the right ones? Selective risk against coverage.

El-Yaniv and Wiener (2010), "On the Foundations of Noise-free Selective Classification"; the area under the curve as in
Geifman, Uziel and El-Yaniv (2019), the mean of the risk over all numbers of answers that could be given.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING

from evidex.errors import ConfigError
from evidex.evaluation.derive import value_of
from evidex.evaluation.report import Report, Row
from evidex.plots.style import BLUE, MUTED, NORMAL, RED, canvas, headings, plot_area
from evidex.wording import counted, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RIGHT = "cited/fact:R"
"""An answer counts as right when its question has one, and all of its facts are cited."""


@dataclass(frozen=True, slots=True)
class Point:
    """Answering only with this support or more: the share of questions answered, and that of wrong answers."""

    support: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The curve over the answers of a run whose support is known and of which it is known whether they are right.

    `questions` counts all for which that holds, abstentions too. `area` is the mean of the risk over the numbers of
    answers from 1 to all; equal supports are taken in the middle of their possible orders.
    """

    name: str
    questions: int
    answers: int
    wrong: int
    points: tuple[Point, ...]
    area: float


def of(report: Report) -> RiskCoverage:
    """The curve of a run. Raises `ConfigError` when its generator gave no support, or nobody knows what is right."""
    judged = [(row.support, right_of(row)) for row in report.rows if row.support is not None and _is_judged(row)]
    answers = [(support, right) for support, right in judged if right is not None]
    if not answers:
        raise ConfigError(
            f"Run {report.run[:8]} has no answer with a support that could be right or wrong.",
            "Take a generator that gives its support (extractive), and a golden set that says what is answerable.",
        )
    return _curve(report.name, len(judged), answers)


def right_of(row: Row) -> bool | None:
    """Whether an answer is right; None for a question that was not answered."""
    if not row.answered:
        return None
    return bool(row.answerable) and value_of(row, RIGHT) == 1


def draw(data: RiskCoverage) -> Figure:
    """The risk of answering only what is surest, from few answers to all that were given."""
    base = data.wrong / data.answers
    with canvas(6.4, 4.1) as figure:
        from matplotlib.ticker import MaxNLocator

        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=0.75, right=0.3, top=0.95, bottom=0.6)
        coverages = [0.0, *(point.coverage for point in data.points)]
        risks = [data.points[0].risk, *(point.risk for point in data.points)]
        axes.fill_between(coverages, risks, color=BLUE, alpha=0.12, linewidth=0)
        axes.plot(coverages, risks, color=BLUE, linewidth=2)
        axes.plot([0, coverages[-1]], [base, base], color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
        axes.plot(coverages[-1], base, "o", color=RED, markersize=6, clip_on=False)
        inside = coverages[-1] > 0.7
        axes.annotate(
            f"all {counted(data.answers, 'answer')}, in any order:\n{percent(base)} wrong",
            (coverages[-1], base),
            xytext=(0, 10) if inside else (10, 0),
            textcoords="offset points",
            ha="right" if inside else "left",
            va="bottom" if inside else "center",
            size=NORMAL,
        )
        top = max(*risks, base) or 0.05
        axes.set(xlim=(0, 1), ylim=(0, top * 1.2))
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}" if top > 0.05 else f"{value:.1%}")
        axes.set_xlabel("questions answered, the best supported first")
        axes.set_ylabel("wrong among them")
        axes.grid(axis="y")
    return figure


def _curve(name: str, questions: int, answers: list[tuple[float, bool]]) -> RiskCoverage:
    ordered = sorted(answers, key=lambda answer: -answer[0])
    points: list[Point] = []
    risks: list[float] = []
    wrong = 0.0
    for support, tied in groupby(ordered, key=lambda answer: answer[0]):
        block = [right for _, right in tied]
        share = block.count(False) / len(block)
        before = len(risks)
        risks += [(wrong + share * number) / (before + number) for number in range(1, len(block) + 1)]
        wrong += block.count(False)
        points.append(Point(support, len(risks) / questions, wrong / len(risks)))
    return RiskCoverage(name, questions, len(answers), round(wrong), tuple(points), fmean(risks))


def _is_judged(row: Row) -> bool:
    if row.answerable is None or row.answered is None:
        return False
    return not row.answerable or value_of(row, RIGHT) is not None


def _title(data: RiskCoverage) -> str:
    half = next(point for point in data.points if point.coverage * data.questions >= data.answers / 2)
    base = data.wrong / data.answers
    if not data.wrong:
        return f"None of {counted(data.answers, 'answer')} is wrong"
    return f"The surer half is wrong in {percent(half.risk)}, all answers in {percent(base)}"


def _subtitle(data: RiskCoverage) -> str:
    return (
        f"{data.name}: {counted(data.answers, 'answer')} to {counted(data.questions, 'question')}; "
        f"right means answerable, every fact cited; area under the curve {data.area:.4f}"
    )
