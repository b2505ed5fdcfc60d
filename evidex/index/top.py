"""The best rows of a channel, and what every channel asks of a scope."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError
from evidex.index.strings import Strings
from evidex.types import ChunkId, Hit, Scope


def best(rows: NDArray[Any], scores: NDArray[Any], limit: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The `limit` highest scores with their rows, best first; equal scores by row, which is by id."""
    if 0 < limit < len(rows):
        kept = scores >= np.partition(scores, -limit)[-limit]  # with all that tie at the last place
        rows, scores = rows[kept], scores[kept]
    order = np.lexsort((rows, -scores))[: max(0, limit)]
    return rows[order], scores[order]


def hits(rows: NDArray[Any], scores: NDArray[Any], ids: Strings) -> tuple[Hit, ...]:
    """Ordered rows and scores as hits; `ids[row]` is the id of chunk `row`."""
    return tuple(map(Hit, _at(rows, ids), count(1), scores.tolist()))


def hits_of_each(found: Sequence[tuple[NDArray[Any], NDArray[Any]]], ids: Strings) -> list[tuple[Hit, ...]]:
    """`hits` for the rows and scores of many queries."""
    together = iter(_at(np.concatenate([rows for rows, _ in found]), ids)) if found else iter(())
    return [tuple(map(Hit, islice(together, len(rows)), count(1), scores.tolist())) for rows, scores in found]


def visible_rows(scope: Scope, rows: int) -> NDArray[np.bool_]:
    """The rows of `scope`. Raises `GenerationError` if it is the scope of another generation."""
    if scope.rows.shape != (rows,):
        raise GenerationError(
            f"The scope is over {scope.rows.size} chunks, the generation holds {rows}.",
            "Make the scope with the generation that is searched.",
        )
    return scope.rows


def _at(rows: NDArray[Any], ids: Strings) -> list[ChunkId]:
    """The ids of rows; ASCII ids of one width, as chunks have, are decoded all at once."""
    width = ids.width
    if width:
        together = ids.blob.view(f"S{width}")[rows].tobytes()
        if together.isascii():
            text = together.decode("ascii")
            return cast("list[ChunkId]", [text[start : start + width] for start in range(0, len(text), width)])
    return [ChunkId(ids[row]) for row in rows.tolist()]
