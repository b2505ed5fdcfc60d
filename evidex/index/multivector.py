"""Vectors of single tokens, for late interaction, written shard by shard as they come and compared where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ContractError
from evidex.index.chunks import rows_of
from evidex.index.kernels.maxsim import in_lanes, mean_maxsim
from evidex.index.part import PartWriter, open_part
from evidex.index.strings import Strings
from evidex.index.token_codes import passage_codes, query_codes
from evidex.storage import Folder
from evidex.types import ChunkId, Vectors

PART = "tokens"
SHARD_BYTES = 2**26
WITHOUT_VECTORS = -1.0
"""The score of a chunk that has no token vectors: the least that a mean of cosines can be."""


def write_token_vectors(
    folder: Folder,
    token_vectors: Iterable[Vectors],
    *,
    width: int,
    part: str = PART,
    shard_bytes: int = SHARD_BYTES,
) -> int:
    """Write the token vectors of chunks, each of shape (tokens, width), given in row order; returns how many there are.

    A chunk's vectors are never split, and at most `shard_bytes` and one chunk are held in memory. Raises
    `GenerationError` naming the first row of another width or with a value that is not finite.
    """
    writer = PartWriter(folder.child(part))
    tokens: list[int] = []
    first_rows: list[int] = []
    shard: list[NDArray[np.int8]] = []
    held = 0
    for row, vectors in enumerate(token_vectors):
        shard.append(passage_codes(vectors, row, width))
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
    """The token vectors of an opened generation, as codes; implements `TokenVectorStore`.

    `offsets` counts tokens over all chunks; shard i begins with the tokens of chunk row `shard_rows[i]`.
    """

    ids: Strings
    width: int
    offsets: NDArray[np.int64]
    shard_rows: NDArray[np.int64]
    shards: tuple[NDArray[np.int8], ...]

    @classmethod
    def open(cls, path: Path, *, ids: Strings, part: str = PART) -> SealedTokenVectors:
        """Open the token vectors of the generation in `path`; `ids` are the ids of its chunks."""
        opened = open_part(path / part)
        shard_rows = opened.arrays["shard-rows"]
        shards = tuple(opened.arrays[_shard_name(number)] for number in range(len(shard_rows)))
        return cls(ids, opened.facts["width"], opened.arrays["offsets"], shard_rows, shards)

    @classmethod
    def none(cls, ids: Strings) -> SealedTokenVectors:
        """The token vectors of a generation that has none: every chunk's are empty."""
        return cls(ids, 0, np.zeros(len(ids) + 1, np.int64), np.zeros(0, np.int64), ())

    def maxsim(self, query_tokens: Vectors, ids: Sequence[ChunkId]) -> NDArray[np.float32]:
        """The mean MaxSim of a query with chunks, in their order.

        Raises `GenerationError` for an unknown id, `ContractError` for a query of another width, and `ProviderError`
        for one that holds a value that is not finite.
        """
        return self.maxsim_of_rows(query_tokens, rows_of(self.ids, ids))

    def maxsim_of_rows(self, query_tokens: Vectors, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The same for chunks given by their rows."""
        if not len(query_tokens):
            return np.zeros(len(rows), np.float32)
        scores = np.full(len(rows), WITHOUT_VECTORS, np.float32)
        present = np.flatnonzero(self.offsets[rows + 1] > self.offsets[rows])
        if not len(present):
            return scores
        if query_tokens.shape[1] != self.width:
            raise ContractError("width", self.width, query_tokens.shape[1])
        codes = query_codes(query_tokens)
        queries, inverse_lengths = in_lanes(codes), _inverse_lengths(codes)
        shards = np.searchsorted(self.shard_rows, rows[present], side="right") - 1
        for shard in np.unique(shards).tolist():
            places = present[shards == shard]
            first, last = self._spans(rows[places], shard)
            found = np.empty(len(places), np.float32)
            mean_maxsim(self.shards[shard], first, last, queries, inverse_lengths, found)
            scores[places] = found
        return scores

    def codes_of_row(self, row: int) -> NDArray[np.int8]:
        """The codes of one chunk, shape (tokens, width)."""
        shard = int(np.searchsorted(self.shard_rows, row, side="right")) - 1
        if shard < 0:
            return np.zeros((0, self.width), np.int8)
        first, last = self._spans(np.array([row]), shard)
        return self.shards[shard][int(first[0]) : int(last[0])]

    def _spans(self, rows: NDArray[np.int64], shard: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Where the tokens of chunks begin and end within their shard."""
        before = self.offsets[self.shard_rows[shard]]
        return (self.offsets[rows] - before).astype(np.uint64), (self.offsets[rows + 1] - before).astype(np.uint64)


def _inverse_lengths(codes: NDArray[np.int16]) -> NDArray[np.float64]:
    squares = np.square(codes, dtype=np.int64).sum(axis=1)
    inverses: NDArray[np.float64] = np.divide(1, np.sqrt(squares), out=np.zeros(len(codes)), where=squares > 0)
    return inverses


def _write_shard(writer: PartWriter, shard: Sequence[NDArray[np.int8]], *, before: int, rows: int) -> int:
    writer.write(_shard_name(before), np.concatenate(shard))
    return rows - len(shard)


def _shard_name(number: int) -> str:
    return f"codes-{number:05}"
