"""How do the vectors of an index lie? Its chunks on their first two principal components.

Pearson (1901), "On Lines and Planes of Closest Fit"; Hotelling (1933).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ConfigError
from evidex.plots.style import GROUPS, INK, MARKERS, MUTED, NORMAL, SMALL, canvas, headings, label, plot_area, spread
from evidex.types import DocumentKey, Vectors
from evidex.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 2_000
"""How many chunks are drawn at most: every n-th in the order of ids."""
OTHERS = "others"
_FITTED = 20_000


@dataclass(frozen=True, slots=True)
class Group:
    """The points of one group in the order of their rows, and how many chunks it has in all."""

    name: str
    chunks: int
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class EmbeddingMap:
    """At most eight groups, the greatest first; the rest of the groups are together as `OTHERS`, last.

    `explained` are the shares of the variance that the two axes hold. `chunks` have a vector other than zero.
    """

    chunks: int
    shown: int
    explained: tuple[float, float]
    groups: tuple[Group, ...]


def of(vectors: Vectors, groups: Sequence[str]) -> EmbeddingMap:
    """The map of vectors, shape (chunks, width), each of the group named beside it.

    Raises `ConfigError` for fewer than three vectors other than zero.
    """
    present = np.flatnonzero(np.abs(vectors).sum(axis=1) > 0) if vectors.size else np.zeros(0, np.int64)
    if len(present) < 3:
        raise ConfigError(
            f"The index has {counted(len(present), 'vector')}; a map needs three.", "Set embedding.provider, and build."
        )
    names = [groups[row] for row in present.tolist()]
    fitted = vectors[_every(present, _FITTED)].astype(np.float64)
    centre = fitted.mean(axis=0)
    axes, explained = _principal(fitted - centre)
    common = sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))
    named = [name for name, _ in (common if len(common) <= len(GROUPS) else common[: len(GROUPS) - 1])]
    shown = _every(np.arange(len(present)), SHOWN)
    places = ((vectors[present[shown]].astype(np.float64) - centre) @ axes).tolist()
    points: dict[str, list[tuple[float, float]]] = {}
    for row, (x, y) in zip(shown.tolist(), places, strict=True):
        points.setdefault(names[row] if names[row] in named else OTHERS, []).append((x, y))
    sizes = dict(common)
    rest = len(names) - sum(sizes[name] for name in named)
    found = [Group(name, sizes[name], tuple(points.get(name, ()))) for name in named]
    if rest:
        found.append(Group(OTHERS, rest, tuple(points.get(OTHERS, ()))))
    return EmbeddingMap(len(present), len(shown), explained, tuple(found))


def folders(locators: Mapping[DocumentKey, str]) -> dict[DocumentKey, str]:
    """The folder of each document, by where its source has it: the first below the folder that all share."""
    parts = {key: PurePosixPath(locator.replace("\\", "/")).parts[:-1] for key, locator in locators.items()}
    shared = 0
    while len({found[: shared + 1] for found in parts.values()}) == 1 and all(len(p) > shared for p in parts.values()):
        shared += 1
    return {key: found[shared] if len(found) > shared else "." for key, found in parts.items()}


def draw(data: EmbeddingMap) -> Figure:
    """One point a chunk, near what the embedder finds alike, as far as two axes can tell."""
    with canvas(7.6, 5.2) as figure:
        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=0.7, right=1.95, top=0.95, bottom=0.6)
        for group, colour, marker in zip(data.groups, GROUPS, MARKERS, strict=False):
            if group.points:
                x, y = zip(*group.points, strict=True)
                size = 22 if data.shown <= 500 else 9
                axes.scatter(x, y, s=size, color=colour, marker=marker, alpha=0.75, linewidths=0)
        low, high = axes.get_ylim()
        _name_groups(figure, data, low, high)
        first, second = (f"{share:.1%} of the variance" for share in data.explained)
        axes.set(xlabel=f"principal component 1 ({first})", ylabel=f"principal component 2 ({second})")
        axes.set_aspect("equal", adjustable="datalim")
        axes.grid()
    return figure


def _name_groups(figure: Figure, data: EmbeddingMap, low: float, high: float) -> None:
    """Names at the right of the map, each about as high as its group lies."""
    (axes,) = figure.axes
    middles = [
        (float(np.median([y for _, y in group.points])) - low) / (high - low) if group.points else 0.5
        for group in data.groups
    ]
    places = spread(middles, gap=0.085, low=0.02, high=0.98)
    for group, place, colour, marker in zip(data.groups, places, GROUPS, MARKERS, strict=False):
        axes.plot(1.04, place, marker, color=colour, markersize=5, transform=axes.transAxes, clip_on=False)
        axes.text(1.07, place, label(group.name, 22), transform=axes.transAxes, va="bottom", size=NORMAL, color=INK)
        axes.text(
            1.07,
            place,
            counted(group.chunks, "chunk"),
            transform=axes.transAxes,
            va="top",
            size=SMALL - 0.5,
            color=MUTED,
        )


def _principal(centred: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """The first two axes, shape (width, 2), and their shares of the variance; each axis points to its greatest part."""
    covariance = centred.T @ centred
    values, axes = np.linalg.eigh(covariance)
    values, axes = np.clip(values[::-1], 0, None), axes[:, ::-1]
    if axes.shape[1] < 2:
        axes, values = np.pad(axes, ((0, 0), (0, 1))), np.append(values, 0.0)
    first = axes[:, :2] * np.where(axes[np.abs(axes[:, :2]).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    whole = float(values.sum()) or 1.0
    return first, (float(values[0]) / whole, float(values[1]) / whole)


def _every(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    return rows[:: -(-len(rows) // most)]


def _title(data: EmbeddingMap) -> str:
    return f"Two axes hold {sum(data.explained):.0%} of the variance of {counted(data.chunks, 'chunk')}"


def _subtitle(data: EmbeddingMap) -> str:
    drawn = f"; {data.shown:,} of them are drawn" if data.shown < data.chunks else ""
    return f"Chunks on two principal components: what lies apart is apart, what lies together need not be near{drawn}"
