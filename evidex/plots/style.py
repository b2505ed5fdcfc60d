"""What do all pictures share? One palette, one type, and a canvas on which nothing of the user's own settings counts.

Categorical colours are those of Okabe and Ito (2008), told apart by every common kind of colour vision; ranks and
cosines are one hue from light to dark, so that they survive a black-and-white print.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from evidex.analysis.invisible import is_invisible
from evidex.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

INK, MUTED, FAINT, PAPER = "#1f2a33", "#5d6b78", "#d5dbe1", "#fdfdfc"
"""What is read, what stands behind it, what only guides the eye, and what lies under all of it."""
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, OLIVE, GREY = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#cc79a7",
    "#56b4e9",
    "#8a7400",
    "#7a8793",
)
GROUPS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, OLIVE, GREY)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
RAMP = ("#eef4f9", "#c3dbec", "#83b5d8", "#3d86ba", "#0b4f80")
"""From little to much."""
DARK_TEXT, LIGHT_TEXT = "#14202b", "#ffffff"
"""What is written on a colour of the ramp, on its light end and on its dark one."""

SMALL, NORMAL, LARGE = 8.0, 9.0, 11.5
"""Sizes of type in points."""

_STYLE: Any = {
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": NORMAL,
    "text.color": INK,
    "text.parse_math": False,
    "axes.facecolor": "none",
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.labelsize": NORMAL,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.axisbelow": True,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "svg.fonttype": "none",
    "svg.hashsalt": "evidex",
    "path.simplify": True,
}


@contextmanager
def styled() -> Iterator[None]:
    """The settings of matplotlib under which pictures are drawn and saved. Raises `MissingExtra` without it."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("The pictures", "plots") from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


@contextmanager
def canvas(width: float, height: float) -> Iterator[Figure]:
    """An empty figure of so many inches to draw on."""
    with styled():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        yield figure


def plot_area(figure: Figure, *, left: float, right: float, top: float, bottom: float) -> Axes:
    """Axes that leave so many inches free on each side, whatever the size of the figure."""
    width, height = figure.get_size_inches()
    return figure.add_axes(
        (left / width, bottom / height, (width - left - right) / width, (height - top - bottom) / height)
    )


def headings(figure: Figure, title: str, subtitle: str = "") -> None:
    """The finding on one line, and below it, on two at most, how to read the picture; at its upper left."""
    width, height = figure.get_size_inches()
    x, inches = _MARGIN / width, width - 2 * _MARGIN
    figure.text(x, 1 - 0.14 / height, label(title, int(inches * 10)), size=LARGE, weight="bold", va="top")
    lines = wrap(label(subtitle, int(inches * 30)), int(inches * 15.5), max_lines=2, placeholder=" …")
    figure.text(x, 1 - 0.42 / height, "\n".join(lines), size=SMALL, color=MUTED, va="top", linespacing=1.35)


_MARGIN = 0.16


def bare(axes: Axes, *sides: str) -> None:
    """Remove these sides of the frame with their ticks."""
    for side in sides:
        axes.spines[side].set_visible(False)
    hidden: Any = dict.fromkeys(sides, False)
    axes.tick_params(**hidden)


def ramp() -> LinearSegmentedColormap:
    """The ramp from little to much, without steps."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("evidex", RAMP)


def label(text: str, longest: int) -> str:
    """A text as it is written in a picture: on one line, without what nobody sees, and not longer than this."""
    seen = "".join(" " if character.isspace() else character for character in text if not is_invisible(character))
    line = " ".join(seen.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places as near as possible to those wanted (in any order), at least `gap` apart where there is room."""
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    placed: list[float] = []
    for at in order:
        placed.append(max(wanted[at], placed[-1] + gap) if placed else max(wanted[at], low))
    for at in range(len(placed) - 1, -1, -1):
        above = high if at == len(placed) - 1 else placed[at + 1] - gap
        placed[at] = min(placed[at], above)
    found = [0.0] * len(wanted)
    for at, place in zip(order, placed, strict=True):
        found[at] = place
    return found
