"""How small can a vector be and still be found? Codes of passage vectors, searched for a shortlist in their place.

A code covers the first components of a vector, renormalised (Kusupati et al. 2022, "Matryoshka Representation
Learning"), as halves, as bytes, or as signs. What is written of a row depends on that row alone, so codes of others
change no shortlist; ties in it go by row. Signs are those about the origin, and say nothing of a vector's length.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ConfigError
from evidex.index.kernels.bits import WORD, in_groups, pack_signs, rows_by_signs
from evidex.index.kernels.half import LANES, encode_half, rows_by_half
from evidex.index.kernels.int8 import rows_by_int8
from evidex.index.part import open_part, write_part
from evidex.index.ranges import RowRanges
from evidex.index.top import best
from evidex.index.vectors import int8_codes, int8_query, lengths_of
from evidex.storage import Folder
from evidex.types import Vectors

PART = "codes"
Kind: TypeAlias = Literal["float16", "int8", "binary"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Compression:
    """A way to make vectors smaller: the first `width` components, as `kind`."""

    kind: Kind
    width: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.width < 1:
            raise ConfigError(
                f"There is no compression to {self.width} components as {self.kind!r}.",
                f"Kinds: {', '.join(KINDS)}; the width is at least 1.",
            )

    @property
    def bytes_per_vector(self) -> int:
        """What one vector's code takes, in memory as on disk."""
        match self.kind:
            case "float16":
                return 2 * LANES * -(-self.width // LANES) + 4
            case "int8":
                return self.width + 4
            case "binary":
                return WORD // 8 * -(-self.width // WORD)


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """The codes of all rows. `weights[row]` makes a product with a row's code comparable; signs have none."""

    compression: Compression
    codes: NDArray[Any]
    weights: NDArray[np.float32]

    @classmethod
    def of(cls, vectors: Vectors, compression: Compression) -> Codes:
        """Encode passage vectors, shape (rows, width)."""
        if compression.kind == "binary":  # signs are those of a vector of any length
            return cls(compression, in_groups(pack_signs(vectors[:, : compression.width])), np.empty(0, np.float32))
        lengths = lengths_of(vectors).astype(np.float32)
        units = _units(vectors[:, : compression.width])
        match compression.kind:
            case "float16":
                return cls(compression, encode_half(units), lengths)
            case "int8":
                codes, scales, _ = int8_codes(units)
                return cls(compression, codes, scales * lengths)

    @classmethod
    def open(cls, path: Path) -> Codes:
        """Open the codes of the generation in `path`."""
        part = open_part(path / PART)
        compression = Compression(part.facts["kind"], part.facts["width"])
        return cls(compression, part.arrays["codes"], part.arrays["weights"])

    def write(self, folder: Folder) -> None:
        """Write them into a generation."""
        facts = {"kind": self.compression.kind, "width": self.compression.width}
        write_part(folder.child(PART), {"codes": self.codes, "weights": self.weights}, facts)

    def shortlist(self, query: Vectors, ranges: RowRanges, count: int) -> RowRanges:
        """The `count` rows of `ranges` (which hold more) whose codes are nearest to those of a query; ties by row."""
        asked = query[: self.compression.width]  # of any length, which changes no order
        match self.compression.kind:
            case "float16":
                filled = np.zeros(self.codes.shape[1], np.float32)
                filled[: len(asked)] = asked
                return self._by_product(rows_by_half, filled, ranges, count)
            case "int8":
                return self._by_product(rows_by_int8, int8_query(asked)[0], ranges, count)
            case "binary":
                return self._by_signs(pack_signs(asked[None])[0], ranges, count)

    def _by_product(self, kernel: Any, query: NDArray[Any], ranges: RowRanges, count: int) -> RowRanges:
        floor, rows, scores = np.full(count, -np.inf), np.empty(ranges.count, np.uint32), np.empty(ranges.count)
        kept = kernel(self.codes, self.weights, ranges.starts, ranges.stops, query, floor, rows, scores)
        return RowRanges.single(np.sort(best(rows[:kept], scores[:kept], count)[0]))

    def _by_signs(self, query: NDArray[np.uint64], ranges: RowRanges, count: int) -> RowRanges:
        distances, places = np.empty(ranges.count, np.uint16), np.empty(ranges.count, np.uint32)
        counts = np.zeros(self.compression.width + 1, np.int64)
        kept, farthest = rows_by_signs(self.codes, ranges.starts, ranges.stops, query, count, counts, places, distances)
        places, distances = places[:kept], distances[:kept]
        nearer, last = places[distances < farthest], np.sort(places[distances == farthest])
        return RowRanges.single(ranges.rows_at(np.sort(np.concatenate((nearer, last[: count - len(nearer)])))))


def _units(vectors: Vectors) -> Vectors:
    """Rows of length 1; the zero vector stays as it is."""
    lengths = lengths_of(vectors)
    units: Vectors = (vectors / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
    return units
