from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.index.kernels.int8 import (
    encode_int8,
    encode_int8_in_numpy,
    rows_by_int8,
    rows_by_int8_in_numpy,
    rows_in_reach,
    rows_in_reach_in_numpy,
)

WIDTHS = st.sampled_from([1, 2, 7, 16, 33, 64, 384])


def drawn(seed: int, rows: int, width: int) -> NDArray[np.float32]:
    scales = 10.0 ** np.random.default_rng(seed).integers(-12, 12, rows)
    matrix: NDArray[np.float32] = (np.random.default_rng(seed).normal(size=(rows, width)) * scales[:, None]).astype(
        "f4"
    )
    matrix.flags.writeable = False  # as those of a memory map are
    return matrix


def encoded(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float64]]:
    codes, scales = np.empty(matrix.shape, np.int8), np.empty(len(matrix), np.float32)
    residuals = np.empty(len(matrix))
    encode_int8(matrix, codes, scales, residuals)
    return codes, scales, residuals


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 20), WIDTHS)
def test_codes_are_those_of_numpy(seed: int, rows: int, width: int) -> None:
    matrix = drawn(seed, rows, width)
    codes, scales, residuals = encoded(matrix)
    others = np.empty_like(codes), np.empty_like(scales), np.empty_like(residuals)
    encode_int8_in_numpy(matrix, *others)
    assert np.array_equal(codes, others[0])
    assert np.array_equal(scales, others[1])
    assert residuals == pytest.approx(others[2], rel=1e-12)


def test_the_zero_vector_and_the_smallest_numbers_have_codes() -> None:
    tiny = np.float32(2.0**-149)
    codes, scales, residuals = encoded(np.array([[0, 0], [tiny, -tiny], [3e38, 0]], np.float32))
    assert codes[0].tolist() == [0, 0]
    assert scales[0] == residuals[0] == 0
    assert residuals[1] <= 2 * tiny
    assert codes[2].tolist() == [127, 0]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), WIDTHS, st.data())
def test_rows_in_reach_hold_those_of_numpy_and_the_same_floor(
    seed: int, rows: int, width: int, data: st.DataObject
) -> None:
    random = np.random.default_rng(seed)
    codes, scales, residuals = encoded(random.normal(size=(rows, width)).astype(np.float32))
    lengths, query = np.ones(rows), random.integers(-2000, 2001, width).astype(np.int16)
    weights = np.array([1e-3, 0.5, 1e-4, 1e-9])
    cut = data.draw(st.integers(0, rows - 1))
    starts, stops = np.array([0, cut + 1]), np.array([cut, rows])  # one row is not asked for
    asked = rows - 1
    limit = data.draw(st.integers(0, asked).filter(bool)) if asked else 0
    if not limit:
        return
    found = np.empty((2, asked), np.uint32), np.empty((2, asked)), np.full((2, limit), -np.inf)
    arguments = codes, scales, residuals.astype(np.float32), lengths, starts, stops, query, weights
    counts = [
        kernel(*arguments, found[2][number], found[0][number], found[1][number])
        for number, kernel in enumerate((rows_in_reach, rows_in_reach_in_numpy))
    ]
    assert np.sort(found[2][0]).tolist() == found[2][1].tolist()
    kept = [
        {
            (row, bound)
            for row, bound in zip(found[0][number, :count].tolist(), found[1][number, :count].tolist(), strict=True)
            if bound >= found[2][1][0]
        }
        for number, count in enumerate(counts)
    ]
    assert kept[0] == kept[1]
    assert cut not in found[0][0, : counts[0]]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), WIDTHS)
def test_the_best_by_codes_are_those_of_numpy(seed: int, rows: int, width: int) -> None:
    random = np.random.default_rng(seed)
    codes = random.integers(-3, 4, (rows, width)).astype(np.int8)  # few values: ties
    weights, query = np.ones(rows, np.float32), random.integers(-3, 4, width).astype(np.int16)
    starts, stops, limit = np.array([0]), np.array([rows]), 1 + seed % rows
    found = np.empty((2, rows), np.uint32), np.empty((2, rows)), np.full((2, limit), -np.inf)
    kept = []
    for number, kernel in enumerate((rows_by_int8, rows_by_int8_in_numpy)):
        count = kernel(codes, weights, starts, stops, query, found[2][number], found[0][number], found[1][number])
        best = found[1][number, :count] >= found[2][number].min()
        kept.append(set(found[0][number, :count][best].tolist()))
    assert kept[0] == kept[1]
