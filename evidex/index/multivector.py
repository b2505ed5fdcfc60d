"""Vectors of single tokens, for late interaction, written shard by shard as they come.

Components are kept as int16 in steps of 1/2048: as small as float16, several times faster to read, and such that a
product of two unit vectors is exact in float32 in whatever order it is summed (`reranking.late`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError
from evidex.index.chunks import rows_of
from evidex.index.part import PartWriter, open_part
from evidex.index.strings import Strings
from evidex.storage import Folder
from evidex.types import ChunkId, Vectors

PART = "tokens"
SHARD_BYTES = 2**26
STEPS = 2**11
"""Steps per unit."""


def write_token_vectors(
    folder: Folder, token_vectors: Iterable[Vectors], *, width: int, shard_bytes: int = SHARD_BYTES
) -> int:
    """Write the token vectors of chunks, each of shape (tokens, width), given in row order; returns how many.

    A chunk's vectors are never split, and at most `shard_bytes` and one chunk are held in memory. Raises
    `GenerationError` naming the first row of another width or with a value that cannot be kept.
    """
    writer = PartWriter(folder.child(PART))
    tokens: list[int] = []
    first_rows: list[int] = []
    shard: list[NDArray[np.int16]] = []
    held = 0
    for row, vectors in enumerate(token_vectors):
        shard.append(_quantised(vectors, row, width))
        tokens.append(len(vectors))
        held += shard[-1].nbytes
        if held >= shard_bytes:
            first_rows.append(_write_shard(writer, shard, before=len(first_rows), rows=len(tokens)))
            shard, held = [], 0
    if shard:
        first_rows.append(_write_shard(writer, shard, before=len(first_rows), rows=len(tokens)))
    writer.write("offsets", np.array([0, *accumulate(tokens)], np.int64))
    writer.write("shard-rows", np.array(first_rows, np.int64))
    writer.finish({"width": width})
    return sum(tokens)


@dataclass(frozen=True, slots=True, eq=False)
class SealedTokenVectors:
    """The token vectors of an opened generation; implements `TokenVectorStore`.

    `offsets` counts tokens over all chunks; shard i begins with the tokens of chunk row `shard_rows[i]`.
    """

    ids: Strings
    width: int
    offsets: NDArray[np.int64]
    shard_rows: NDArray[np.int64]
    shards: tuple[NDArray[np.int16], ...]

    @classmethod
    def open(cls, path: Path, *, ids: Strings) -> SealedTokenVectors:
        """Open the token vectors of the generation in `path`; `ids` are the ids of its chunks."""
        part = open_part(path / PART)
        shard_rows = part.arrays["shard-rows"]
        shards = tuple(part.arrays[_shard_name(number)] for number in range(len(shard_rows)))
        return cls(ids, part.facts["width"], part.arrays["offsets"], shard_rows, shards)

    @classmethod
    def none(cls, ids: Strings) -> SealedTokenVectors:
        """The token vectors of a generation that has none: every chunk's are empty."""
        return cls(ids, 0, np.zeros(len(ids) + 1, np.int64), np.zeros(0, np.int64), ())

    def token_vectors(self, ids: Sequence[ChunkId]) -> tuple[Vectors, ...]:
        """Token vectors of chunks, float32 of shape (tokens, width). Raises `GenerationError` for an unknown id."""
        rows = rows_of(self.ids, ids)
        counts = self.offsets[rows + 1] - self.offsets[rows]
        # One block for all of them, so that it is converted at once.
        block = np.empty((int(counts.sum()), self.width), np.float32)
        parts = np.split(block, np.cumsum(counts)[:-1]) if len(rows) else []
        for row, part in zip(rows.tolist(), parts, strict=True):
            if len(part):
                part[...] = self._steps(row)
        block /= STEPS
        return tuple(parts)

    def _steps(self, row: int) -> NDArray[np.int16]:
        shard = int(np.searchsorted(self.shard_rows, row, side="right")) - 1
        first = self.offsets[self.shard_rows[shard]]
        return self.shards[shard][self.offsets[row] - first : self.offsets[row + 1] - first]


def _write_shard(writer: PartWriter, shard: Sequence[NDArray[np.int16]], *, before: int, rows: int) -> int:
    writer.write(_shard_name(before), np.concatenate(shard))
    return rows - len(shard)


def _shard_name(number: int) -> str:
    return f"vectors-{number:05}"


def _quantised(vectors: Vectors, row: int, width: int) -> NDArray[np.int16]:
    if not len(vectors):
        return np.zeros((0, width), np.int16)
    if vectors.shape[1] != width:
        raise GenerationError(
            f"Token vectors of row {row} are {vectors.shape[1]} wide, not {width}.", "Use one embedder for all chunks."
        )
    steps: NDArray[np.float32] = np.rint(vectors * np.float32(STEPS))
    if not (np.abs(steps) <= np.iinfo(np.int16).max).all():
        raise GenerationError(
            f"Token vectors of row {row} hold a value that is not finite, or is 16 or more.",
            "Check the embedder's token vectors; they should have unit length.",
        )
    quantised: NDArray[np.int16] = steps.astype(np.int16)
    return quantised
