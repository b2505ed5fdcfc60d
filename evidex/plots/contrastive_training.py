"""Would the vectors learn from these questions? Loss and cosines of pairs while a map is trained on some of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidex.embedding.contrastive import TEMPERATURE, Fit, Pairs, fit, trained
from evidex.errors import ConfigError
from evidex.plots.style import BLUE, MUTED, NORMAL, ORANGE, RED, SMALL, canvas, headings, plot_area, spread
from evidex.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEPS = 150


@dataclass(frozen=True, slots=True)
class ContrastiveTraining:
    """The fit of the pairs that were trained on, and of others, before the first step and after each."""

    name: str
    pairs: int
    others: int
    steps: tuple[Fit, ...]
    held_out: tuple[Fit, ...]

    @property
    def best(self) -> int:
        """The step after which the other pairs fit best; the first of equals."""
        return min(range(len(self.held_out)), key=lambda step: self.held_out[step].loss)


def of(name: str, pairs: Pairs, others: Pairs, *, steps: int = STEPS) -> ContrastiveTraining:
    """Train on pairs and look at others. Raises `ConfigError` where either are fewer than two different answers."""
    if min(len(set(each.answers)) for each in (pairs, others)) < 2:
        raise ConfigError(
            f"{name!r} has no two questions with different answers in each of two splits.",
            "Name a golden set with a dev split and another one, whose evidence the index holds.",
        )
    maps = list(trained(pairs, steps=steps))
    return ContrastiveTraining(
        name=name,
        pairs=len(pairs.answers),
        others=len(others.answers),
        steps=tuple(fit(weights, pairs) for weights in maps),
        held_out=tuple(fit(weights, others) for weights in maps),
    )


def draw(data: ContrastiveTraining) -> Figure:
    """Two panels over the steps: the loss, and the cosines of a question with its passage and with others'."""
    with canvas(9.4, 3.9) as figure:
        headings(figure, _title(data), _subtitle(data))
        loss = plot_area(figure, left=0.65, right=5.15, top=1.1, bottom=0.55)
        cosines = plot_area(figure, left=5.2, right=1.7, top=1.1, bottom=0.55)
        steps = range(len(data.steps))
        for fits, style in ((data.steps, "-"), (data.held_out, "--")):
            loss.plot(steps, [each.loss for each in fits], color=BLUE, linestyle=style, linewidth=1.8)
            cosines.plot(steps, [each.positive for each in fits], color=BLUE, linestyle=style, linewidth=1.8)
            cosines.plot(steps, [each.negative for each in fits], color=ORANGE, linestyle=style, linewidth=1.8)
        loss.plot(data.best, data.held_out[data.best].loss, "o", color=RED, markersize=5, clip_on=False, zorder=4)
        loss.set_title("loss", loc="left", size=NORMAL, color=MUTED)
        loss.set_ylim(bottom=0)
        cosines.set_title("cosine", loc="left", size=NORMAL, color=MUTED)
        _name(cosines, data)
        for axes in (loss, cosines):
            axes.set_xlim(0, len(steps) - 1)
            axes.set_xlabel("step")
            axes.grid(axis="y")
    return figure


def _name(axes: Axes, data: ContrastiveTraining) -> None:
    """What each line is, beside its end; as far apart as it takes to read them."""
    ends = [
        (end, f"{whose}{held}", colour)
        for last, held in ((data.steps[-1], ""), (data.held_out[-1], ", held out"))
        for end, whose, colour in ((last.positive, "own passage", BLUE), (last.negative, "other passages", ORANGE))
    ]
    low, high = axes.get_ylim()
    places = spread([end for end, _, _ in ends], gap=0.07 * (high - low), low=low, high=high)
    for (_, text, colour), place in zip(ends, places, strict=True):
        axes.annotate(
            text,
            (len(data.steps) - 1, place),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            size=SMALL,
            color=colour,
            annotation_clip=False,
        )


def _title(data: ContrastiveTraining) -> str:
    if not data.best:
        return "Training on these questions would help no others"
    gain = 1 - data.held_out[data.best].loss / data.held_out[0].loss
    return f"Training on these questions would help others most after step {data.best}: {gain:.0%} less loss"


def _subtitle(data: ContrastiveTraining) -> str:
    return (
        f"{data.name}: a linear map of the vectors trained on {counted(data.pairs, 'pair')} of the split dev, dashed "
        f"for {data.others:,} of others; InfoNCE with in-batch negatives at temperature {TEMPERATURE:g}"
    )
