"""Which token of the passage does each token of the question find? Late interaction (Khattab and Zaharia 2020)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from evidex.embedding.prefixes import Role
from evidex.embedding.unit import unit_rows
from evidex.errors import ConfigError
from evidex.plots.style import (
    DARK_TEXT,
    INK,
    LIGHT_TEXT,
    MUTED,
    RED,
    SMALL,
    bare,
    canvas,
    headings,
    label,
    plot_area,
    ramp,
)
from evidex.ports import Embedder
from evidex.types import Chunk

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PER_ROW = 44
"""How many tokens of a passage stand side by side; the rest follow below."""
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
CONTINUED = "–"
"""What names a token that goes on with the word before it."""


@dataclass(frozen=True, slots=True)
class MaxSimGrid:
    """`cosines[i][j]` of query token i and passage token j; `best[i]` is the first j of the greatest in row i."""

    question: str
    passage: str
    query_tokens: tuple[str, ...]
    passage_tokens: tuple[str, ...]
    cosines: tuple[tuple[float, ...], ...]
    best: tuple[int, ...]

    @property
    def score(self) -> float:
        """The mean of the rows' maxima: what late interaction gives the passage."""
        found = [row[at] for row, at in zip(self.cosines, self.best, strict=True)]
        return sum(found) / len(found)


def of(question: str, chunk: Chunk, embedder: Embedder) -> MaxSimGrid:
    """The grid of a question and a chunk. Raises `ConfigError` for an embedder that has no vectors of tokens."""
    if not embedder.has_token_vectors:
        raise ConfigError(
            f"The embedder {embedder.contract.model!r} has no vectors of single tokens.",
            "Set embedding.provider to 'minilm', build and publish.",
        )
    query = embedder.embed([question], role="query", token_vectors=True).token_vectors[0]
    passage = embedder.embed([chunk.indexed_text], role="passage", token_vectors=True).token_vectors[0]
    if not len(query) or not len(passage):
        empty = question if not len(query) else chunk.id
        raise ConfigError(f"The embedder {embedder.contract.model!r} knows no token of {empty!r}.", "Ask for another.")
    cosines = unit_rows(query.astype(np.float64)) @ unit_rows(passage.astype(np.float64)).T
    return MaxSimGrid(
        question=question,
        passage=f"{chunk.document} · {chunk.id[-6:]}",
        query_tokens=names_of(question, len(query), embedder, role="query"),
        passage_tokens=names_of(chunk.indexed_text, len(passage), embedder, role="passage"),
        cosines=tuple(tuple(row) for row in cosines.tolist()),
        best=tuple(cosines.argmax(axis=1).tolist()),
    )


def names_of(text: str, tokens: int, embedder: Embedder, *, role: Role) -> tuple[str, ...]:
    """What the tokens of a text are of: each word at its first token, and `CONTINUED` at its others.

    An embedder tells how many tokens a text has, not where they stand. Where those of the words do not add up to those
    of the text, tokens are numbered. Of a text that is longer than the embedder reads, the first tokens are named.
    """
    words = _WORD.findall(text)
    alone = embedder.embed(words, role=role)
    sizes = [known + unknown for known, unknown in zip(alone.known, alone.unknown, strict=True)]
    names = [
        name
        for word, size in zip(words, sizes, strict=True)
        for name in (label(word, 24), *[CONTINUED] * (size - 1))[:size]
    ]
    whole = embedder.embed([text], role=role)
    if len(names) != tokens + whole.truncated[0]:
        return tuple(str(number) for number in range(1, tokens + 1))
    return tuple(names[:tokens])


def draw(data: MaxSimGrid) -> Figure:
    """One row a token of the question; the darker, the more alike; the row's greatest is framed."""
    rows, columns = len(data.query_tokens), len(data.passage_tokens)
    bands = ceil(columns / PER_ROW)
    per_band = min(columns, PER_ROW)
    band = 0.85 + 0.19 * rows
    width, height = max(6.4, 2.2 + 0.19 * per_band), 0.95 + bands * band + 0.1
    with canvas(width, height) as figure:
        headings(figure, _title(data), _subtitle(data))
        for number in range(bands):
            top = 0.95 + number * band + 0.7
            shown = range(number * PER_ROW, min(columns, (number + 1) * PER_ROW))
            right = width - 1.25 - 0.19 * len(shown)
            axes = plot_area(figure, left=1.25, right=right, top=top, bottom=height - top - 0.19 * rows)
            _draw_band(axes, data, shown)
    return figure


def _draw_band(axes: Axes, data: MaxSimGrid, shown: range) -> None:
    from matplotlib.patches import Rectangle

    rows, colours = len(data.query_tokens), ramp()
    for y, row in enumerate(data.cosines):
        for at in shown:
            x, cosine = at - shown.start, max(0.0, row[at])
            best = data.best[y] == at
            axes.add_patch(
                Rectangle(
                    (x - 0.46, y - 0.46),
                    0.92,
                    0.92,
                    facecolor=colours(cosine),
                    edgecolor=RED if best else "none",
                    linewidth=1.6 if best else 0,
                    zorder=3 if best else 2,
                )
            )
            if best:
                text = f"{100 * cosine:.0f}"
                colour = LIGHT_TEXT if cosine > 0.55 else DARK_TEXT
                axes.text(x, y, text, ha="center", va="center_baseline", size=SMALL - 2.2, color=colour, zorder=4)
    axes.set(xlim=(-0.5, len(shown) - 0.5), ylim=(max(rows, 1) - 0.5, -0.5))
    axes.set_yticks(range(rows), [label(token, 14) for token in data.query_tokens], color=INK, size=SMALL)
    names = [label(data.passage_tokens[at], 11) for at in shown]
    axes.set_xticks(range(len(shown)), names, rotation=90, color=MUTED, size=SMALL - 1)
    axes.xaxis.tick_top()
    bare(axes, "left", "top", "bottom")
    axes.tick_params(pad=1)


def _title(data: MaxSimGrid) -> str:
    names = data.query_tokens
    words = [at for at, name in enumerate(names) if any(map(str.isalnum, name))]
    named = words or [at for at, name in enumerate(names) if name != CONTINUED]
    surest = max(named, key=lambda at: (data.cosines[at][data.best[at]], -at))
    weakest = min(named, key=lambda at: (data.cosines[at][data.best[at]], at))
    if surest == weakest:
        return f"MaxSim {data.score:.3f}"
    pairs = [(data.query_tokens[at], data.cosines[at][data.best[at]]) for at in (surest, weakest)]
    (one, high), (other, low) = ((label(name, 12), cosine) for name, cosine in pairs)
    return f"MaxSim {data.score:.3f}: “{one}” is found best ({high:.2f}), “{other}” least ({low:.2f})"


def _subtitle(data: MaxSimGrid) -> str:
    return (
        f"“{label(data.question, 60)}” and {label(data.passage, 40)}: cosines of their tokens, each row's greatest "
        "framed, in hundredths; the score is their mean"
    )
