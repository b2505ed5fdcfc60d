from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.int8_dot import dot_int8, dot_int8_in_numpy


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 130), st.integers(0, 5))
def test_a_dot_product_of_codes_is_exact(seed: int, width: int, start: int) -> None:
    random = np.random.default_rng(seed)
    codes = random.integers(-127, 128, width + start).astype(np.int8)
    query = random.integers(-32767, 32768, width).astype(np.int16)
    assert dot_int8(codes, np.uint64(start), query) == dot_int8_in_numpy(codes, start, query)


def test_the_greatest_codes_are_added_up_without_overflow() -> None:
    levels = (2**31 - 1) // (127 * 384)
    codes, query = np.full(384, -127, np.int8), np.full(384, min(levels, 2**15 - 1), np.int16)
    assert dot_int8(codes, np.uint64(0), query) == -127 * 384 * min(levels, 2**15 - 1)
