"""Dot products with half-precision codes (IEEE 754 binary16), in an order that is the same on every machine.

A half is widened by its bits: moved into the place of a float32's, it is that half times 2^-112, and the product with
2^112 is exact, subnormal numbers included. Component j goes to sum j mod 32, each sum runs from left to right, and the
sums are added in halves. Written in LLVM's vectors, since a compiler may not reorder the additions of a loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from evidex.compiled import kernel
from evidex.index.kernels.floor import raise_floor
from evidex.index.kernels.streams import place_in_streams

LANES = 32
"""Codes are filled up with zeros to a multiple of this."""

_INT16, _INT32, _INT64, _FLOAT = ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType()
_HALVES, _WIDE, _SUMS = (ir.VectorType(kind, LANES) for kind in (_INT16, _INT32, _FLOAT))


def encode_half(matrix: NDArray[np.float32]) -> NDArray[np.uint16]:
    """The bits of rows as halves, filled up with zeros. Values have to be within ±65504."""
    filled = np.zeros((len(matrix), -(-matrix.shape[1] // LANES) * LANES), np.float16)
    filled[:, : matrix.shape[1]] = matrix
    return filled.view(np.uint16)


def _half_dot(_: Any, codes: Any, start: Any, query: Any) -> Any:
    return types.float32(codes, start, query), _generate


half_dot: Any = intrinsic(_half_dot)
"""`half_dot(codes, start, query)`: the dot product of halves from `start` on with float32 values, as many as `query`
has, in float32; for kernels only."""


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    codes, query = (
        context.make_array(signature.args[number])(context, builder, arguments[number]) for number in (0, 2)
    )
    blocks = builder.udiv(builder.extract_value(query.shape, 0), _INT64(LANES))
    halves = builder.bitcast(builder.gep(codes.data, [arguments[1]]), _HALVES.as_pointer())
    asked = builder.bitcast(query.data, _SUMS.as_pointer())
    before, loop, after = builder.block, builder.append_basic_block("blocks"), builder.append_basic_block("summed")
    builder.branch(loop)
    builder.position_at_end(loop)
    block, sums = builder.phi(_INT64), builder.phi(_SUMS)
    values = _widened(builder, builder.load(builder.gep(halves, [block]), align=2))
    others = builder.load(builder.gep(asked, [block]), align=4)
    grown, following = builder.fadd(sums, builder.fmul(values, others)), builder.add(block, _INT64(1))
    for value, start, next_ in ((block, _INT64(0), following), (sums, _SUMS([0.0] * LANES), grown)):
        value.add_incoming(start, before)
        value.add_incoming(next_, loop)
    builder.cbranch(builder.icmp_unsigned("<", following, blocks), loop, after)
    builder.position_at_end(after)
    return _folded(builder, grown)


def _widened(builder: Any, halves: Any) -> Any:
    bits = builder.zext(halves, _WIDE)
    magnitude = builder.shl(builder.and_(bits, _splat(0x7FFF)), _splat(13))
    sign = builder.shl(builder.and_(bits, _splat(0x8000)), _splat(16))
    return builder.fmul(builder.bitcast(builder.or_(magnitude, sign), _SUMS), _SUMS([2.0**112] * LANES))


def _splat(value: int) -> Any:
    return _WIDE([value] * LANES)


def _folded(builder: Any, sums: Any) -> Any:
    width = LANES
    while width > 1:
        width //= 2
        low, high = (
            builder.shuffle_vector(sums, sums, ir.VectorType(_INT32, width)(list(range(first, first + width))))
            for first in (0, width)
        )
        sums = builder.fadd(low, high)
    return builder.extract_element(sums, _INT32(0))


@kernel
def rows_by_half(
    codes: NDArray[np.uint16],
    weights: NDArray[np.float32],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.float32],
    floor: NDArray[np.float64],
    rows: NDArray[np.uint32],
    scores: NDArray[np.float64],
) -> np.uint64:
    """Rows of some ranges whose dot product with `query`, times their weight, may be among the best `floor.size`.

    They go into `rows` and `scores`; `floor` comes as -inf everywhere and leaves as a heap of the greatest scores.
    Returns how many rows were written, in no particular order; some were good enough only when they were read.
    """
    width, flat, kept = np.uint64(codes.shape[1]), codes.reshape(codes.size), np.uint64(0)
    for number in range(starts.size):
        first, length = np.uint64(starts[number]), np.uint64(stops[number] - starts[number])
        for position in range(length):
            row = first + place_in_streams(position, length)
            score = np.float64(half_dot(flat, row * width, query)) * np.float64(weights[row])
            if score >= floor[0]:
                rows[kept], scores[kept] = row, score
                kept += np.uint64(1)
                raise_floor(floor, score)
    return kept


def rows_by_half_in_numpy(
    codes: NDArray[np.uint16],
    weights: NDArray[np.float32],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.float32],
    floor: NDArray[np.float64],
    rows: NDArray[np.uint32],
    scores: NDArray[np.float64],
) -> int:
    """`rows_by_half`, which writes these rows and perhaps more, and the same floor in another order."""
    asked = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    products = codes[asked].view(np.float16).astype(np.float32) * query
    sums = np.cumsum(products.reshape(len(asked), -1, LANES), axis=1, dtype=np.float32)[:, -1]
    while sums.shape[1] > 1:
        half = sums.shape[1] // 2
        sums = sums[:, :half] + sums[:, half:]
    found = sums[:, 0].astype(np.float64) * weights[asked]
    floor[:] = np.sort(found)[len(found) - len(floor) :]
    kept = np.flatnonzero(found >= floor[0])
    rows[: len(kept)], scores[: len(kept)] = asked[kept], found[kept]
    return len(kept)
