"""What does each channel add to a candidate? Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), in parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidex.config import FusionSettings
from evidex.errors import ConfigError
from evidex.judging import Outcome
from evidex.plots.style import (
    DARK_TEXT,
    GROUPS,
    INK,
    LIGHT_TEXT,
    MUTED,
    NORMAL,
    ORANGE,
    PURPLE,
    SKY,
    SMALL,
    bare,
    canvas,
    headings,
    label,
    plot_area,
    spread,
)
from evidex.types import ChunkId

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOP = 12
_LIGHT = (ORANGE, PURPLE, SKY)


@dataclass(frozen=True, slots=True)
class Part:
    """What one channel adds to a candidate over all wordings, and its best rank there (None: it does not hold it)."""

    value: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk with a part for each channel, and where the run's own fusion put it."""

    name: str
    parts: tuple[Part, ...]
    fused_rank: int | None

    @property
    def score(self) -> float:
        return sum(sorted(part.value for part in self.parts))


@dataclass(frozen=True, slots=True)
class RrfContributions:
    """The first candidates of a question by reciprocal rank fusion, best first.

    `method` is how the run itself combined its channels.
    """

    question: str
    k: float
    method: str
    channels: tuple[str, ...]
    candidates: tuple[Candidate, ...]


def of(outcome: Outcome, settings: FusionSettings, *, top: int = TOP) -> RrfContributions:
    """The parts of a question's first candidates. Raises `ConfigError` for one that failed before it was fused."""
    stages = {record.name: record for record in outcome.trace.stages}
    if outcome.query is None or "fuse" not in stages:
        why = outcome.error or "it was not fused"
        raise ConfigError(f"The question {outcome.trace.question!r} has no candidates to draw: {why}.")
    variants, weights = outcome.query.variants, settings.weights.model_dump()
    rankings = stages["retrieve"].rankings
    channels = tuple(dict.fromkeys(ranking.channel for ranking in rankings))
    parts: dict[ChunkId, dict[str, Part]] = {}
    for number, ranking in enumerate(rankings):
        weight = weights.get(ranking.channel, 1.0) * variants[number % len(variants)].weight
        for hit in ranking.hits:
            of_chunk = parts.setdefault(hit.chunk, {})
            so_far = of_chunk.get(ranking.channel, Part(0.0, hit.rank))
            best = min(hit.rank, so_far.rank or hit.rank)
            of_chunk[ranking.channel] = Part(so_far.value + weight / (settings.k + hit.rank), best)
    fused = {hit.chunk: hit.rank for ranking in stages["fuse"].rankings for hit in ranking.hits}
    order = sorted(parts, key=lambda id: (-sum(sorted(part.value for part in parts[id].values())), id))[:top]
    names = _names(outcome, order)
    return RrfContributions(
        question=outcome.trace.question,
        k=settings.k,
        method=settings.method,
        channels=channels,
        candidates=tuple(
            Candidate(names[id], tuple(parts[id].get(name, Part(0.0, None)) for name in channels), fused.get(id))
            for id in order
        ),
    )


def draw(data: RrfContributions) -> Figure:
    """One bar a candidate, stacked of what each channel adds; the rank that it had there is written on it."""
    rows, greatest = len(data.candidates), max((one.score for one in data.candidates), default=0.0) or 1.0
    with canvas(7.6, 1.35 + 0.32 * max(rows, 1) + 0.15) as figure:
        headings(figure, _title(data), _subtitle(data))
        axes = plot_area(figure, left=2.6, right=1.15, top=1.15, bottom=0.12)
        for y, candidate in enumerate(data.candidates):
            start = 0.0
            for part, colour in zip(candidate.parts, GROUPS, strict=False):
                axes.barh(y, part.value, left=start, height=0.7, color=colour, linewidth=0)
                if part.rank is not None and part.value > 0.07 * greatest:
                    axes.text(
                        start + part.value / 2,
                        y,
                        f"rank {part.rank}",
                        ha="center",
                        va="center",
                        size=SMALL - 0.5,
                        color=DARK_TEXT if colour in _LIGHT else LIGHT_TEXT,
                    )
                start += part.value
            place = "" if candidate.fused_rank is None else str(candidate.fused_rank)
            for x, said in ((1.015, f"{candidate.score:.4f}"), (1.14, place)):
                axes.text(greatest * x, y, said, va="center", size=SMALL, color=INK)
        for x, said in ((1.015, "sum"), (1.14, "in the run")):
            axes.text(greatest * x, -0.62, said, va="bottom", size=SMALL, color=MUTED)
        axes.set(xlim=(0, greatest), ylim=(max(rows, 1) - 0.5, -0.5))
        axes.set_yticks(range(rows), [label(one.name, 38) for one in data.candidates], color=INK, size=SMALL)
        axes.set_xticks([])
        bare(axes, "left", "bottom")
        _name_channels(axes, data, greatest)
    return figure


def _name_channels(axes: Axes, data: RrfContributions, greatest: float) -> None:
    if not data.candidates:
        return
    middles, start = [], 0.0
    for part in data.candidates[0].parts:
        middles.append(start + part.value / 2)
        start += part.value
    places = spread(middles, gap=0.14 * greatest, low=0.05 * greatest, high=0.9 * greatest)
    for name, place, colour in zip(data.channels, places, GROUPS, strict=False):
        axes.text(place, -0.62, label(name, 14), ha="center", va="bottom", size=NORMAL, weight="bold", color=colour)


def _names(outcome: Outcome, ids: list[ChunkId]) -> Mapping[ChunkId, str]:
    """Documents, each with the start of the chunk's id where several chunks of it are shown."""
    documents = {id: str(outcome.trace.documents[id]) for id in ids}
    shared = list(documents.values())
    return {id: f"{name} · {id[-6:]}" if shared.count(name) > 1 else name for id, name in documents.items()}


def _title(data: RrfContributions) -> str:
    if not data.candidates:
        return "No channel finds anything for this question"
    alone = sum(sum(part.rank is not None for part in one.parts) == 1 for one in data.candidates)
    holders = [
        name for name, part in zip(data.channels, data.candidates[0].parts, strict=True) if part.rank is not None
    ]
    first = f"The first is found by {' and '.join(holders)}"
    return f"{first}; {alone} of {len(data.candidates)} by one channel alone"


def _subtitle(data: RrfContributions) -> str:
    own = "" if data.method == "rrf" else f"; this run combines scores instead ({data.method})"
    return f"“{label(data.question, 70)}” · weight / ({data.k:g} + rank) by channel{own}"
