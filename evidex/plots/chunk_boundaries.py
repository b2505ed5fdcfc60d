"""Where is a document cut, and does any cut go through the evidence? One document's text as a strip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidex.errors import ConfigError
from evidex.judging import Revision
from evidex.plots.style import (
    BLUE,
    DARK_TEXT,
    GREEN,
    INK,
    PAPER,
    RAMP,
    RED,
    SMALL,
    bare,
    canvas,
    headings,
    label,
    plot_area,
)
from evidex.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk, `text[start:end]`, with what it begins with, in the lane in which it overlaps no other."""

    start: int
    end: int
    words: str
    lane: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Evidence, `text[start:end]`; `split` when no chunk holds it whole."""

    start: int
    end: int
    words: str
    split: bool


@dataclass(frozen=True, slots=True)
class ChunkBoundaries:
    """One document of so many characters, its chunks in the order of its text, and its evidence."""

    document: str
    length: int
    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...]

    @property
    def lanes(self) -> int:
        return 1 + max((piece.lane for piece in self.pieces), default=0)


def of(revision: Revision, evidence: Sequence[tuple[int, int]] = ()) -> ChunkBoundaries:
    """The chunks of a revision and these spans of its text.

    Raises `ConfigError` for a revision that the generation does not hold, and for a span that is not in its text.
    """
    name, text = f"{revision.metadata.id} v{revision.metadata.version}", revision.text
    if text is None:
        raise ConfigError(f"The generation does not hold {name!r}.", "Build and publish, or ask for another version.")
    for start, end in evidence:
        if not 0 <= start < end <= len(text):
            raise ConfigError(f"{name!r} has {len(text)} characters; {start}:{end} is no span of it.")
    ends: list[int] = []
    pieces = []
    for chunk in sorted(revision.chunks, key=lambda chunk: (chunk.start, chunk.end, chunk.id)):
        lane = next((at for at, end in enumerate(ends) if end <= chunk.start), len(ends))
        ends[lane : lane + 1] = [chunk.end]
        pieces.append(Piece(chunk.start, chunk.end, label(chunk.text, 200), lane))
    marks = (
        Mark(start, end, label(text[start:end], 200), not any(p.start <= start and end <= p.end for p in pieces))
        for start, end in sorted(set(evidence))
    )
    return ChunkBoundaries(name, len(text), tuple(pieces), tuple(marks))


def draw(data: ChunkBoundaries) -> Figure:
    """The strip from the first character to the last: chunks above with the evidence that each holds at its foot.

    Below them each piece of evidence with its words, red where a cut goes through it.
    """
    lanes, marks = data.lanes, len(data.marks)
    with canvas(8.4, 1.75 + 0.46 * lanes + 0.3 * marks) as figure:
        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=0.25, right=0.25, top=0.95, bottom=0.6)
        for number, piece in enumerate(data.pieces):
            _draw_piece(axes, data, number, piece)
        for row, mark in enumerate(data.marks):
            _draw_mark(axes, data, mark, lanes + 0.35 + 0.66 * row)
        axes.set(xlim=(0, max(data.length, 1)), ylim=(lanes + 0.1 + 0.66 * marks, -0.1))
        axes.set_yticks([])
        axes.set_xlabel("character of the text")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        bare(axes, "left")
    return figure


def _draw_piece(axes: Axes, data: ChunkBoundaries, number: int, piece: Piece) -> None:
    width = piece.end - piece.start
    axes.barh(
        piece.lane + 0.4,
        width,
        left=piece.start,
        height=0.74,
        color=RAMP[1 + number % 2],
        edgecolor=BLUE,
        linewidth=0.6,
        clip_on=False,
    )
    room = int(7.9 * 15 * width / max(data.length, 1))
    if room >= 3:
        words = f"{number + 1}" if room < 12 else f"{number + 1}  {piece.words}"
        x = piece.start + 0.006 * data.length
        axes.text(x, piece.lane + 0.36, label(words, room - 1), va="center", size=SMALL, color=DARK_TEXT, clip_on=True)


def _draw_mark(axes: Axes, data: ChunkBoundaries, mark: Mark, y: float) -> None:
    colour = RED if mark.split else GREEN
    axes.barh(y, mark.end - mark.start, left=mark.start, height=0.22, color=colour, linewidth=0)
    for piece in data.pieces:
        start, end = max(mark.start, piece.start), min(mark.end, piece.end)
        if start < end:
            foot, order = piece.lane + 0.7, 3 if mark.split else 2
            axes.barh(foot, end - start, left=start, height=0.14, color=colour, linewidth=0, zorder=order)
    for edge in (mark.start, mark.end):
        axes.plot([edge, edge], [data.lanes - 0.2, y], color=colour, linewidth=0.9, linestyle=(0, (2, 2)))
    right = mark.start > 0.5 * data.length
    axes.text(
        mark.start - 0.008 * data.length if right else mark.end + 0.008 * data.length,
        y,
        label(f"{'split: ' if mark.split else ''}“{mark.words}”", 56),
        ha="right" if right else "left",
        va="center",
        size=SMALL,
        color=RED if mark.split else INK,
        bbox={"facecolor": PAPER, "linewidth": 0, "pad": 1},
        zorder=4,
    )


def _title(data: ChunkBoundaries) -> str:
    split = sum(mark.split for mark in data.marks)
    if split:
        return f"A cut goes through {split} of {counted(len(data.marks), 'piece', 'pieces')} of evidence"
    if data.marks:
        return f"{counted(len(data.pieces), 'chunk')}; no cut goes through the evidence"
    return f"{data.document} is cut into {counted(len(data.pieces), 'chunk')}"


def _subtitle(data: ChunkBoundaries) -> str:
    lengths = [piece.end - piece.start for piece in data.pieces]
    span = f", of {min(lengths):,} to {max(lengths):,}" if len(lengths) > 1 else ""
    below = "; evidence below, red where no chunk holds it whole" if data.marks else ""
    return f"{data.document}: {data.length:,} characters in {counted(len(data.pieces), 'chunk')}{span}{below}"
