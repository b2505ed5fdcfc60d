"""What do k1 and b do to a term, and where do the chunks of this index lie on the curves?

saturation = f (k1 + 1) / (f + k1 (1 - b + b dl / avgdl))        Robertson and Zaragoza (2009), section 3
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evidex.errors import ConfigError
from evidex.index.kernels.saturation import saturations
from evidex.index.postings import Postings
from evidex.plots.style import BLUE, INK, MUTED, NORMAL, SKY, SMALL, bare, canvas, headings, plot_area, spread
from evidex.wording import counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

K1 = (0.5, 1.2, 1.5, 3.0)
B = (0.0, 0.5, 0.75, 1.0)
FREQUENCIES = tuple(range(21))
RATIOS = tuple(round(0.25 + 0.05 * step, 2) for step in range(56))
"""Lengths of a chunk over the average, from a quarter to three times."""
_BINS = 22


@dataclass(frozen=True, slots=True)
class Curve:
    """The saturation of a term for one value of a parameter; `own` when the index has that value."""

    value: float
    own: bool
    heights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bm25Curves:
    """The curves over `FREQUENCIES` (at average length) and over `RATIOS` (of a term that occurs once, at the own k1).

    `shares[i]` of the index's chunks have a length over the average between `edges[i]` and `edges[i + 1]`; `shorter`
    and `longer` are those outside the edges.
    """

    k1: float
    b: float
    chunks: int
    average: float
    by_frequency: tuple[Curve, ...]
    by_length: tuple[Curve, ...]
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    shorter: float
    longer: float


def of(postings: Postings) -> Bm25Curves:
    """The curves of an index. Raises `ConfigError` for one without terms."""
    lengths = postings.chunk_lengths[postings.chunk_lengths > 0].astype(np.float64)
    if not len(lengths):
        raise ConfigError("The index holds no terms.", "Ingest documents, build and publish.")
    average = float(lengths.mean())
    ratios = lengths / average
    edges = np.linspace(RATIOS[0], RATIOS[-1], _BINS + 1)
    counts, _ = np.histogram(ratios, edges)
    return Bm25Curves(
        k1=postings.k1,
        b=postings.b,
        chunks=len(lengths),
        average=average,
        by_frequency=tuple(Curve(k1, k1 == postings.k1, _over_frequencies(k1)) for k1 in sorted({*K1, postings.k1})),
        by_length=tuple(Curve(b, b == postings.b, _over_ratios(postings.k1, b)) for b in sorted({*B, postings.b})),
        edges=tuple(edges.tolist()),
        shares=tuple((counts / len(lengths)).tolist()),
        shorter=float((ratios < edges[0]).mean()),
        longer=float((ratios > edges[-1]).mean()),
    )


def draw(data: Bm25Curves) -> Figure:
    """Saturation by frequency at the left, by length at the right, and below it the lengths that there are."""
    with canvas(9.0, 4.6) as figure:
        headings(figure, _title(data), _subtitle(data))
        left = plot_area(figure, left=0.6, right=5.15, top=1.15, bottom=0.6)
        _draw_curves(left, FREQUENCIES, data.by_frequency, "k1")
        left.set_title("how much a repeated term counts", loc="left", size=NORMAL, color=INK)
        left.set(
            xlim=(0, 20), xticks=range(0, 21, 5), ylim=(0, None), xlabel="occurrences, in a chunk of average length"
        )
        right = plot_area(figure, left=4.75, right=0.85, top=1.15, bottom=1.6)
        _draw_curves(right, RATIOS, data.by_length, "b")
        right.set_title("how much one occurrence counts", loc="left", size=NORMAL, color=INK)
        right.set(xlim=(RATIOS[0], RATIOS[-1]), ylim=(0, None), xticks=[])
        below = plot_area(figure, left=4.75, right=0.85, top=3.15, bottom=0.6)
        widths = np.diff(np.array(data.edges))
        below.bar(data.edges[:-1], data.shares, widths * 0.9, align="edge", color=SKY, linewidth=0)
        below.set(xlim=(RATIOS[0], RATIOS[-1]), yticks=[], xlabel="length of a chunk over the average")
        below.text(0.99, 0.86, _outside(data), transform=below.transAxes, ha="right", size=SMALL, color=MUTED)
        bare(below, "left")
        for axes in (right, below):
            axes.axvline(1.0, color=MUTED, linewidth=0.8, linestyle=(0, (2, 2)), zorder=0)
    return figure


def _draw_curves(axes: Axes, places: tuple[float, ...], curves: tuple[Curve, ...], name: str) -> None:
    for curve in curves:
        colour, width, order = (BLUE, 2.4, 3) if curve.own else (MUTED, 1.1, 2)
        axes.plot(places, curve.heights, color=colour, linewidth=width, zorder=order)
    highest = max(max(curve.heights) for curve in curves)
    ends = spread([curve.heights[-1] for curve in curves], gap=0.075 * highest, low=0, high=highest * 1.05)
    for curve, y in zip(curves, ends, strict=True):
        colour, weight = (BLUE, "bold") if curve.own else (MUTED, "normal")
        x = places[-1] + 0.02 * (places[-1] - places[0])
        axes.text(x, y, f"{name} {curve.value:g}", va="center", size=SMALL, color=colour, weight=weight)


def _over_frequencies(k1: float) -> tuple[float, ...]:
    frequencies = np.array(FREQUENCIES, np.float64)
    found = saturations(frequencies[1:], np.ones(len(frequencies) - 1), k1=k1, b=0.0, average_length=1.0)
    return (0.0, *found.tolist())  # at k1 = 0 the formula has no value for a term that does not occur


def _over_ratios(k1: float, b: float) -> tuple[float, ...]:
    ratios = np.array(RATIOS)
    found: list[float] = saturations(np.ones(len(ratios)), ratios, k1=k1, b=b, average_length=1.0).tolist()
    return tuple(found)


def _title(data: Bm25Curves) -> str:
    own = next(curve for curve in data.by_frequency if curve.own)
    return f"With k1 {data.k1:g}, ten occurrences count {own.heights[10] / own.heights[1]:.1f} times as much as one"


def _subtitle(data: Bm25Curves) -> str:
    return (
        f"The index's own k1 {data.k1:g} and b {data.b:g} in blue; "
        f"{counted(data.chunks, 'chunk')} of {data.average:.0f} terms on average"
    )


def _outside(data: Bm25Curves) -> str:
    beyond = f"; {percent(data.longer)} are longer than 3" if data.longer else ""
    return f"chunks of this index{beyond}"
