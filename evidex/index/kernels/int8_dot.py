"""The dot product of a passage's int8 codes with a query's int16 codes, 32 components at a time.

Written in LLVM's vectors, since a compiler that sees a short loop chooses narrower ones: on x86 each step is one
PMADDWD and one addition, in registers of 512 bits where there are such. Everything is an integer, so the order does
not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from evidex.compiled import kernel

STEP = 32

_INT32, _INT64 = ir.IntType(32), ir.IntType(64)
_CODES, _ASKED, _PRODUCTS = (ir.VectorType(ir.IntType(bits), STEP) for bits in (8, 16, 32))
_SUMS = ir.VectorType(_INT32, STEP // 2)


def _steps_dot(_: Any, codes: Any, start: Any, query: Any, steps: Any) -> Any:
    return types.int32(codes, start, query, steps), _generate


steps_dot: Any = intrinsic(_steps_dot)
"""`steps_dot(codes, start, query, steps)`: the dot product of `STEP * steps` codes from `start` on with the first of
`query`, as int32, which must be wide enough; for kernels only. There is at least one step; numbers are uint64."""


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    codes, query = (
        context.make_array(signature.args[number])(context, builder, arguments[number]) for number in (0, 2)
    )
    rows = builder.bitcast(builder.gep(codes.data, [arguments[1]]), _CODES.as_pointer())
    asked = builder.bitcast(query.data, _ASKED.as_pointer())
    before, loop, after = builder.block, builder.append_basic_block("steps"), builder.append_basic_block("summed")
    builder.branch(loop)
    builder.position_at_end(loop)
    step, sums = builder.phi(_INT64), builder.phi(_SUMS)
    one = builder.load(builder.gep(rows, [step]), align=1)
    other = builder.load(builder.gep(asked, [step]), align=2)
    grown, following = builder.add(sums, _products_of_pairs(builder, one, other)), builder.add(step, _INT64(1))
    for value, start, next_ in ((step, _INT64(0), following), (sums, _SUMS(None), grown)):
        value.add_incoming(start, before)
        value.add_incoming(next_, loop)
    builder.cbranch(builder.icmp_unsigned("<", following, arguments[3]), loop, after)
    builder.position_at_end(after)
    return _total(builder, grown)


def _products_of_pairs(builder: Any, one: Any, other: Any) -> Any:
    """In each lane the sum of two neighbouring products: what LLVM knows as PMADDWD."""
    products = builder.mul(builder.sext(one, _PRODUCTS), builder.sext(other, _PRODUCTS))
    even, odd = (
        builder.shuffle_vector(products, _PRODUCTS(ir.Undefined), _SUMS(list(range(start, STEP, 2))))
        for start in (0, 1)
    )
    return builder.add(even, odd)


def _total(builder: Any, sums: Any) -> Any:
    lanes = STEP // 2
    while lanes > 1:
        lanes //= 2
        low, high = (
            builder.shuffle_vector(sums, sums, ir.VectorType(_INT32, lanes)(list(range(first, first + lanes))))
            for first in (0, lanes)
        )
        sums = builder.add(low, high)
    return builder.extract_element(sums, _INT32(0))


@kernel
def dot_int8(codes: NDArray[np.int8], start: np.uint64, query: NDArray[np.int16]) -> np.int32:
    """The dot product of as many codes as `query` has, from `start` on, with it; it has to fit into int32."""
    width, total = np.uint64(query.size), np.int32(0)
    whole = width // np.uint64(STEP)
    if whole:
        total = steps_dot(codes, start, query, whole)
    for column in range(whole * np.uint64(STEP), width):
        total = np.int32(total + np.int32(np.int32(codes[start + column]) * np.int32(query[column])))
    return total


def dot_int8_in_numpy(codes: NDArray[np.int8], start: int, query: NDArray[np.int16]) -> int:
    """`dot_int8`."""
    return int(codes[start : start + query.size].astype(np.int64) @ query.astype(np.int64))
