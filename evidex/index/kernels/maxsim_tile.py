"""How does one instruction do 32 multiplications? Dot products of 8 passage tokens with 32 query tokens, in registers.

Compilers turn a loop over one row into vector instructions, but not the loops around it into a tile, so the tile is
written in LLVM's vectors here. A lane is a query token: two components of a passage token are spread over all lanes,
and every lane adds two products to its own sum, so nothing is ever added across lanes. On x86 that is one PMADDWD and
one addition, or one VPDPWSSD; elsewhere whatever the processor has. Everything is an integer, so all of them agree.
(Register tiles: Goto and van de Geijn 2008, "Anatomy of High-Performance Matrix Multiplication".)
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

TILE = 8
"""Passage tokens at a time."""
LANES = 32
"""Query tokens at a time."""

_VECTOR = 16
"""Lanes of one LLVM vector of int32: one register with AVX-512, two with AVX2, four with NEON."""
_INT16, _INT32, _INT64 = (ir.IntType(bits) for bits in (16, 32, 64))
_SUMS = ir.VectorType(_INT32, _VECTOR)
_PAIRS = ir.VectorType(_INT16, 2 * _VECTOR)
_PRODUCTS = ir.VectorType(_INT32, 2 * _VECTOR)


def _tile_products(_: Any, rows: Any, queries: Any, products: Any) -> Any:
    return types.void(rows, queries, products), _generate


tile_products: Any = intrinsic(_tile_products)
"""`tile_products(rows, queries, products)`: products[r, q] becomes the dot product of row r with query q.

For kernels only, which have to keep to these shapes, all in C order: `rows` int16 (TILE, 2 pairs), `queries` int16
(pairs, LANES, 2) with at least one pair, and `products` int32 (TILE, LANES), which must be wide enough.
"""


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows, queries, products = (
        context.make_array(kind)(context, builder, value) for kind, value in zip(signature.args, arguments, strict=True)
    )
    pairs = builder.extract_value(queries.shape, 0)
    sums = _loop_over_pairs(
        builder,
        pairs,
        builder.bitcast(rows.data, _INT32.as_pointer()),
        builder.bitcast(queries.data, _PAIRS.as_pointer()),
    )
    target = builder.bitcast(products.data, _SUMS.as_pointer())
    for number, sum_ in enumerate(sums):
        builder.store(sum_, builder.gep(target, [_INT64(number)]), align=4)
    return context.get_dummy_value()


def _loop_over_pairs(builder: Any, pairs: Any, rows: Any, queries: Any) -> list[Any]:
    """The sums of all pairs, row by row, `LANES // _VECTOR` vectors each."""
    vectors = LANES // _VECTOR
    before, loop, after = builder.block, builder.append_basic_block("pairs"), builder.append_basic_block("summed")
    builder.branch(loop)
    builder.position_at_end(loop)
    pair = builder.phi(_INT64)
    sums = [builder.phi(_SUMS) for _ in range(TILE * vectors)]
    first_asked = builder.mul(pair, _INT64(vectors))
    asked = [_loaded(builder, queries, builder.add(first_asked, _INT64(number))) for number in range(vectors)]
    grown = []
    for row in range(TILE):
        two = _spread(builder, _loaded(builder, rows, builder.add(pair, builder.mul(pairs, _INT64(row)))))
        for number in range(vectors):
            products = _products_of_pairs(builder, two, asked[number])
            grown.append(builder.add(sums[row * vectors + number], products))
    following = builder.add(pair, _INT64(1))
    starts = [_INT64(0), *[_SUMS(None)] * len(sums)]
    for value, start, end in zip([pair, *sums], starts, [following, *grown], strict=True):
        value.add_incoming(start, before)
        value.add_incoming(end, loop)
    builder.cbranch(builder.icmp_unsigned("<", following, pairs), loop, after)
    builder.position_at_end(after)
    return grown


def _loaded(builder: Any, array: Any, place: Any) -> Any:
    return builder.load(builder.gep(array, [place]), align=2)


def _spread(builder: Any, pair: Any) -> Any:
    """Two int16, which lie together in an int32, in every lane."""
    single = builder.insert_element(_SUMS(ir.Undefined), pair, _INT32(0))
    return builder.bitcast(builder.shuffle_vector(single, _SUMS(ir.Undefined), _SUMS([0] * _VECTOR)), _PAIRS)


def _products_of_pairs(builder: Any, one: Any, other: Any) -> Any:
    """In each lane the sum of its two products: what LLVM knows as PMADDWD."""
    products = builder.mul(builder.sext(one, _PRODUCTS), builder.sext(other, _PRODUCTS))
    even, odd = (
        builder.shuffle_vector(products, _PRODUCTS(ir.Undefined), _SUMS(list(range(start, 2 * _VECTOR, 2))))
        for start in (0, 1)
    )
    return builder.add(even, odd)
