"""Dot products in float64, each the same whatever is computed beside it.

A product of two float32 is exact in float64. Component j goes to sum j mod 8, each sum runs from left to right, and
the eight are added as ((0+4)+(2+6))+((1+5)+(3+7)): the order is part of the definition, so that every machine gives
the same bits. A fused multiply-add gives them, too, as its product would not have been rounded. Written in LLVM's
vectors, since a compiler may not reorder the additions of a loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from evidex.compiled import kernel

_SUMS = 8

_INT64 = ir.IntType(64)
_VALUES, _WIDE = ir.VectorType(ir.FloatType(), _SUMS), ir.VectorType(ir.DoubleType(), _SUMS)


def _sum_products(_: Any, matrix: Any, start: Any, query: Any, steps: Any, sums: Any) -> Any:
    return types.void(matrix, start, query, steps, sums), _generate


sum_products: Any = intrinsic(_sum_products)
"""`sum_products(matrix, start, query, steps, sums)`: the eight sums over `8 * steps` components of a row, which begins
at `start` of a flat matrix, and of a query in float64; for kernels only. There is at least one step."""


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    matrix, query, sums = (
        context.make_array(signature.args[number])(context, builder, arguments[number]) for number in (0, 2, 4)
    )
    row = builder.bitcast(builder.gep(matrix.data, [arguments[1]]), _VALUES.as_pointer())
    asked = builder.bitcast(query.data, _WIDE.as_pointer())
    before, loop, after = builder.block, builder.append_basic_block("steps"), builder.append_basic_block("summed")
    builder.branch(loop)
    builder.position_at_end(loop)
    step, running = builder.phi(_INT64), builder.phi(_WIDE)
    values = builder.fpext(builder.load(builder.gep(row, [step]), align=4), _WIDE)
    products = builder.fmul(values, builder.load(builder.gep(asked, [step]), align=8))
    grown, following = builder.fadd(running, products), builder.add(step, _INT64(1))
    for value, start, next_ in ((step, _INT64(0), following), (running, _WIDE([0.0] * _SUMS), grown)):
        value.add_incoming(start, before)
        value.add_incoming(next_, loop)
    builder.cbranch(builder.icmp_unsigned("<", following, arguments[3]), loop, after)
    builder.position_at_end(after)
    builder.store(grown, builder.bitcast(sums.data, _WIDE.as_pointer()), align=8)
    return context.get_dummy_value()


@kernel
def dots_of_rows(
    matrix: NDArray[np.float32], rows: NDArray[np.uint32], query: NDArray[np.float64], scores: NDArray[np.float32]
) -> None:
    """The dot products of some rows of `matrix`, shape (rows, width), with float32 values widened to float64.

    `scores[i]` becomes that of `rows[i]`, rounded to float32.
    """
    width, flat, sums = np.uint64(query.size), matrix.reshape(matrix.size), np.zeros(_SUMS)
    steps = width // np.uint64(_SUMS)
    whole = steps * np.uint64(_SUMS)
    for number in range(rows.size):
        start = np.uint64(rows[number]) * width
        if steps:
            sum_products(flat, start, query, steps, sums)
        else:
            sums[:] = 0
        for column in range(whole, width):
            sums[column - whole] += np.float64(flat[start + column]) * query[column]
        even = (sums[0] + sums[4]) + (sums[2] + sums[6])
        odd = (sums[1] + sums[5]) + (sums[3] + sums[7])
        scores[number] = np.float32(even + odd)


def dots_of_rows_in_numpy(
    matrix: NDArray[np.float32], rows: NDArray[np.uint32], query: NDArray[np.float64], scores: NDArray[np.float32]
) -> None:
    """`dots_of_rows`; a cumulative sum is one that NumPy takes from left to right."""
    width = len(query)
    products = np.zeros((len(rows), -(-width // _SUMS) * _SUMS))
    products[:, :width] = matrix[rows] * query
    sums = np.cumsum(products.reshape(len(rows), -(-width // _SUMS), _SUMS), axis=1)[:, -1].T
    even = (sums[0] + sums[4]) + (sums[2] + sums[6])
    odd = (sums[1] + sums[5]) + (sums[3] + sums[7])
    scores[:] = even + odd
