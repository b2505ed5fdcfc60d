"""The passage vectors of a generation, each with the int8 codes by which an exact search rules it out.

Whatever is written of a row depends on that row alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ContractError, GenerationError
from evidex.index.chunks import rows_of
from evidex.index.kernels.int8 import LEVELS, encode_int8
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.ports import EmbedderContract
from evidex.storage import Folder
from evidex.types import ChunkId, Vectors

PART = "dense"
LONGEST = 2.0**60
"""The longest vector that is taken: the dot product of two such is still a finite float32."""
UNIT_TOLERANCE = 1e-3
_BLOCK_VALUES = 2**20


def write_vectors(folder: Folder, vectors: Vectors, *, contract: EmbedderContract) -> Vectors:
    """Write passage vectors, shape (chunks, width), in row order; a chunk with the zero vector is never found.

    Vectors of a cosine contract that are not normalised yet are normalised here; they are returned as written. Raises
    `ContractError` for another width, and `GenerationError` naming the first row that is not finite, too long, or not
    normalised as promised.
    """
    if vectors.ndim != 2 or vectors.shape[1] != contract.width:
        raise ContractError("width", contract.width, vectors.shape[-1] if vectors.ndim else 0)
    lengths = lengths_of(vectors)
    _require_sound(lengths, contract)
    rows = prepared(vectors, lengths, contract)
    codes, scales, residuals = int8_codes(rows)
    arrays: dict[str, NDArray[Any]] = {
        "vectors": rows,
        "lengths": lengths_of(rows),
        "codes": codes,
        "scales": scales,
        "residuals": residuals,
    }
    write_part(folder.child(PART), arrays, {})
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class SealedVectors:
    """The passage vectors of an opened generation; implements `VectorStore`.

    `matrix` has one row a chunk. For each, `lengths` holds its Euclidean length; `codes`, `scales` and `residuals` are
    as in `kernels.int8`, residuals rounded up.
    """

    ids: Strings
    matrix: Vectors
    lengths: NDArray[np.float64]
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    residuals: NDArray[np.float32]

    @classmethod
    def open(cls, path: Path, *, ids: Strings) -> SealedVectors:
        """Open the vectors of the generation in `path`; `ids` are the ids of its chunks."""
        arrays = open_part(path / PART).arrays
        return cls(ids, *(arrays[name] for name in ("vectors", "lengths", "codes", "scales", "residuals")))

    @classmethod
    def none(cls, ids: Strings) -> SealedVectors:
        """The vectors of a generation that was built without an embedder: all of width 0."""
        matrix = np.zeros((len(ids), 0), np.float32)
        return cls(ids, matrix, np.zeros(len(ids)), *int8_codes(matrix))

    @property
    def width(self) -> int:
        return int(self.matrix.shape[1])

    def vectors(self, ids: Sequence[ChunkId]) -> Vectors:
        """Passage vectors of chunks, shape (ids, width). Raises `GenerationError` for an unknown id."""
        return self.matrix[rows_of(self.ids, ids)]


def int8_codes(matrix: Vectors) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]:
    """Codes, scales and residual lengths of the rows, the latter rounded up."""
    rows = len(matrix)
    codes, scales, residuals = np.empty(matrix.shape, np.int8), np.empty(rows, np.float32), np.empty(rows)
    encode_int8(np.ascontiguousarray(matrix), codes, scales, residuals)
    return codes, scales, np.nextafter((residuals * (1 + 2.0**-40)).astype(np.float32), np.float32(np.inf))


def int8_query(query: Vectors) -> tuple[NDArray[np.int16], float]:
    """A query's codes, in the finest steps whose products with those of a passage fit into int32, and the step."""
    wide = query.astype(np.float64)
    levels = min(2**15 - 1, (2**31 - 1) // (LEVELS * len(query)))
    step = float(np.abs(wide).max()) / levels
    codes = np.rint(wide / step) if step else wide
    return codes.astype(np.int16), step


def prepared(vectors: Vectors, lengths: NDArray[np.float64], contract: EmbedderContract) -> Vectors:
    """Vectors whose dot product is the score that the contract's metric asks for."""
    if contract.normalized or contract.metric == "dot":
        return np.ascontiguousarray(vectors, np.float32)
    return (vectors / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)


def lengths_of(vectors: Vectors) -> NDArray[np.float64]:
    """Euclidean lengths of the rows."""
    rows = max(1, _BLOCK_VALUES // max(1, vectors.shape[1]))  # small blocks stay in the processor's cache
    squares = (np.square(vectors[at : at + rows], dtype=np.float64) for at in range(0, len(vectors), rows))
    lengths: NDArray[np.float64] = np.sqrt(np.concatenate([np.empty(0), *(block.sum(axis=1) for block in squares)]))
    return lengths


def _require_sound(lengths: NDArray[np.float64], contract: EmbedderContract) -> None:
    unsound = np.flatnonzero(~(lengths <= LONGEST))
    if len(unsound):
        raise GenerationError(
            f"The vector of row {unsound[0]} has length {lengths[unsound[0]]}.",
            f"Check the embedder {contract.model!r}: its vectors must be finite.",
        )
    uneven = np.flatnonzero((lengths > 0) & (np.abs(lengths - 1) > UNIT_TOLERANCE))
    if contract.normalized and len(uneven):
        raise GenerationError(
            f"The vector of row {uneven[0]} has length {lengths[uneven[0]]}, but the contract of "
            f"{contract.model!r} says that vectors are normalised.",
            "Normalise them, or say so in the contract.",
        )
