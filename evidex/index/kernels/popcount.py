"""How many bits are 1? In one word, and in the words of 8 rows at once.

Eight rows stand together, word by word, so that one vector of LLVM's holds a word of each: on x86 an instruction of
AVX-512 counts them all, and where there is none, two lookups in a table of 16 do (Muła, Kurz and Lemire 2018, "Faster
Population Counts Using AVX2 Instructions").
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

GROUP = 8

_INT32, _INT64 = ir.IntType(32), ir.IntType(64)
_LANES = ir.VectorType(_INT64, GROUP)
_declared: Any = cgutils.get_or_insert_function


def _population(_: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


population: Any = intrinsic(_population)
"""`population(word)`: how many bits of a uint64 are 1; for kernels only."""


def _group_distances(_: Any, codes: Any, start: Any, query: Any, distances: Any) -> Any:
    return types.void(codes, start, query, distances), _generate


group_distances: Any = intrinsic(_group_distances)
"""`group_distances(codes, start, query, distances)`: in how many bits each row of a group differs from `query`.

`codes` is flat uint64, and `GROUP` words of the group are at `start`, one of each row, then the next ones; `query` has
at least one word; `distances` has room for `GROUP` uint64. For kernels only.
"""


def _generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    codes, query, distances = (
        context.make_array(signature.args[number])(context, builder, arguments[number]) for number in (0, 2, 3)
    )
    count = _declared(builder.module, ir.FunctionType(_LANES, [_LANES]), "llvm.ctpop.v8i64")
    rows = builder.bitcast(builder.gep(codes.data, [arguments[1]]), _LANES.as_pointer())
    before, loop, after = builder.block, builder.append_basic_block("words"), builder.append_basic_block("summed")
    builder.branch(loop)
    builder.position_at_end(loop)
    word, sums = builder.phi(_INT64), builder.phi(_LANES)
    asked = _spread(builder, builder.load(builder.gep(query.data, [word])))
    differing = builder.xor(builder.load(builder.gep(rows, [word]), align=8), asked)
    grown, following = builder.add(sums, builder.call(count, [differing])), builder.add(word, _INT64(1))
    for value, start, next_ in ((word, _INT64(0), following), (sums, _LANES(None), grown)):
        value.add_incoming(start, before)
        value.add_incoming(next_, loop)
    builder.cbranch(builder.icmp_unsigned("<", following, builder.extract_value(query.shape, 0)), loop, after)
    builder.position_at_end(after)
    builder.store(grown, builder.bitcast(distances.data, _LANES.as_pointer()), align=8)
    return context.get_dummy_value()


def _spread(builder: Any, word: Any) -> Any:
    single = builder.insert_element(_LANES(ir.Undefined), word, _INT32(0))
    return builder.shuffle_vector(single, _LANES(ir.Undefined), ir.VectorType(_INT32, GROUP)([0] * GROUP))
