"""Int8 codes of vectors: how are they made, and which rows may be among the best of a query?

A vector x is kept as s c: a scale s = max |x_j| / 127, and integers c_j from -127 to 127; its residual is r = x - s c.
A query q becomes q' = t p in the same manner, in finer steps. By the inequality of Cauchy and Schwarz

    |q.x - q'.sc| <= |q| |r| + |q - q'| |sc|

so a scan over bytes knows an interval that holds the score of a row, and proves nearly all rows out. Codes are
multiplied and added as int32, which is exact in any order. (Uniform scalar quantisation: Gersho and Gray 1992,
"Vector Quantization and Signal Compression", chapter 5.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel
from evidex.index.kernels.floor import raise_floor
from evidex.index.kernels.int8_dot import dot_int8
from evidex.index.kernels.streams import place_in_streams

LEVELS = 127
"""The greatest code of a passage."""


@kernel
def encode_int8(
    matrix: NDArray[np.float32], codes: NDArray[np.int8], scales: NDArray[np.float32], residuals: NDArray[np.float64]
) -> None:
    """Write the codes, scales s and lengths |r| of the rows of `matrix`, each row by itself."""
    for row in range(matrix.shape[0]):
        greatest = np.float32(0)
        for column in range(matrix.shape[1]):
            greatest = max(greatest, abs(matrix[row, column]))
        scale = np.float32(np.float64(greatest) / LEVELS)
        squares = 0.0
        for column in range(matrix.shape[1]):
            value, code = np.float64(matrix[row, column]), 0.0
            if scale > 0:
                code = min(max(np.rint(value / np.float64(scale)), -np.float64(LEVELS)), np.float64(LEVELS))
            codes[row, column] = np.int8(code)
            squares += (value - code * np.float64(scale)) ** 2
        scales[row] = scale
        residuals[row] = np.sqrt(squares)


def encode_int8_in_numpy(
    matrix: NDArray[np.float32], codes: NDArray[np.int8], scales: NDArray[np.float32], residuals: NDArray[np.float64]
) -> None:
    """`encode_int8`, but for the last bits of |r|, whose squares it adds in another order."""
    scales[:] = (np.abs(matrix).max(axis=1, initial=0).astype(np.float64) / LEVELS).astype(np.float32)
    steps = scales.astype(np.float64)[:, None]
    wide = np.rint(np.divide(matrix, steps, out=np.zeros(matrix.shape), where=steps > 0)).clip(-LEVELS, LEVELS)
    codes[:] = wide
    residuals[:] = np.sqrt(np.square(matrix - wide * steps).sum(axis=1))


@kernel
def rows_in_reach(
    codes: NDArray[np.int8],
    scales: NDArray[np.float32],
    residuals: NDArray[np.float32],
    lengths: NDArray[np.float64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.int16],
    weights: NDArray[np.float64],
    floor: NDArray[np.float64],
    rows: NDArray[np.uint32],
    bounds: NDArray[np.float64],
) -> np.uint64:
    """Find the rows that may be among the best `floor.size`: into `rows`, upper bounds of their scores into `bounds`.

    `codes` has shape (rows, width); for each row `scales` holds s, `residuals` |r| and `lengths` |x|. The ranges
    `starts[i] … stops[i] - 1` are searched, which hold at least `floor.size` rows. `weights` are t, and the weights of
    |r|, |x| and 1 in the error of an estimate. `floor` comes as -inf everywhere and leaves as a heap of the greatest
    lower bounds: rows below its root are out. Returns how many rows were written, in no particular order; some were in
    reach only when they were read.
    """
    width, flat, kept = np.uint64(codes.shape[1]), codes.reshape(codes.size), np.uint64(0)
    step, per_residual, per_length, constant = weights[0], weights[1], weights[2], weights[3]
    for number in range(starts.size):
        first, length = np.uint64(starts[number]), np.uint64(stops[number] - starts[number])
        for position in range(length):
            row = first + place_in_streams(position, length)
            estimate = np.float64(dot_int8(flat, row * width, query)) * step * np.float64(scales[row])
            error = per_residual * np.float64(residuals[row]) + per_length * lengths[row] + constant
            if estimate + error >= floor[0]:
                rows[kept], bounds[kept] = row, estimate + error
                kept += np.uint64(1)
                raise_floor(floor, estimate - error)
    return kept


def rows_in_reach_in_numpy(
    codes: NDArray[np.int8],
    scales: NDArray[np.float32],
    residuals: NDArray[np.float32],
    lengths: NDArray[np.float64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.int16],
    weights: NDArray[np.float64],
    floor: NDArray[np.float64],
    rows: NDArray[np.uint32],
    bounds: NDArray[np.float64],
) -> int:
    """`rows_in_reach`, which writes these rows and perhaps more, and the same floor in another order."""
    asked: NDArray[Any] = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    dots = codes[asked].astype(np.int64) @ query.astype(np.int64)
    estimates = dots * weights[0] * scales[asked].astype(np.float64)
    errors = weights[1] * residuals[asked].astype(np.float64) + weights[2] * lengths[asked] + weights[3]
    floor[:] = np.sort(estimates - errors)[len(asked) - len(floor) :]
    kept = np.flatnonzero(estimates + errors >= floor[0])
    rows[: len(kept)], bounds[: len(kept)] = asked[kept], (estimates + errors)[kept]
    return len(kept)


@kernel
def rows_by_int8(
    codes: NDArray[np.int8],
    weights: NDArray[np.float32],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.int16],
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
            score = np.float64(dot_int8(flat, row * width, query)) * np.float64(weights[row])
            if score >= floor[0]:
                rows[kept], scores[kept] = row, score
                kept += np.uint64(1)
                raise_floor(floor, score)
    return kept


def rows_by_int8_in_numpy(
    codes: NDArray[np.int8],
    weights: NDArray[np.float32],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.int16],
    floor: NDArray[np.float64],
    rows: NDArray[np.uint32],
    scores: NDArray[np.float64],
) -> int:
    """`rows_by_int8`, which writes these rows and perhaps more, and the same floor in another order."""
    asked: NDArray[Any] = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    found = (codes[asked].astype(np.int64) @ query.astype(np.int64)) * weights[asked].astype(np.float64)
    floor[:] = np.sort(found)[len(found) - len(floor) :]
    kept = np.flatnonzero(found >= floor[0])
    rows[: len(kept)], scores[: len(kept)] = asked[kept], found[kept]
    return len(kept)
