from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.half import LANES, encode_half, rows_by_half, rows_by_half_in_numpy


def scores_of(codes: np.ndarray, query: np.ndarray) -> tuple[list[float], list[float]]:
    rows = len(codes)
    found = []
    for kernel in (rows_by_half, rows_by_half_in_numpy):
        numbers, scores, floor = np.empty(rows, np.uint32), np.empty(rows), np.full(rows, -np.inf)
        count = kernel(codes, np.ones(rows, np.float32), np.array([0]), np.array([rows]), query, floor, numbers, scores)
        assert count == rows
        found.append(scores[np.argsort(numbers)].tolist())
    return found[0], found[1]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.sampled_from([1, 31, 32, 33, 100, 384]))
def test_dot_products_are_those_of_numpy_to_the_last_bit(seed: int, rows: int, width: int) -> None:
    random = np.random.default_rng(seed)
    codes = encode_half((random.normal(size=(rows, width)) * 10.0 ** random.integers(-7, 1)).astype(np.float32))
    query = np.zeros(codes.shape[1], np.float32)
    query[:width] = random.normal(size=width)
    compiled, plain = scores_of(codes, query)
    assert compiled == plain


def test_every_finite_half_is_widened_as_ieee_754_says() -> None:
    halves = np.arange(2**16, dtype=np.uint16)
    halves = halves[np.isfinite(halves.view(np.float16))]
    codes = np.zeros((len(halves), LANES), np.uint16)
    codes[:, 5] = halves
    query = np.zeros(LANES, np.float32)
    query[5] = 1
    assert scores_of(codes, query)[0] == halves.view(np.float16).astype(np.float64).tolist()
