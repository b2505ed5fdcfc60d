from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.dots import dots_of_rows, dots_of_rows_in_numpy


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.integers(1, 70))
def test_dot_products_are_those_of_numpy_to_the_last_bit(seed: int, rows: int, width: int) -> None:
    random = np.random.default_rng(seed)
    matrix, query = random.normal(size=(31, width)).astype(np.float32), random.normal(size=width).astype(np.float32)
    matrix.flags.writeable = False
    asked = random.integers(0, 31, rows).astype(np.uint32)
    scores = np.empty((2, rows), np.float32)
    dots_of_rows(matrix, asked, query.astype(np.float64), scores[0])
    dots_of_rows_in_numpy(matrix, asked, query.astype(np.float64), scores[1])
    assert scores[0].tolist() == scores[1].tolist()


def test_a_sum_that_float32_would_lose_is_kept() -> None:
    row, query = np.array([[2.0**24, 1, -(2.0**24)]], np.float32), np.ones(3)
    scores = np.empty(1, np.float32)
    dots_of_rows(row, np.array([0], np.uint32), query, scores)
    assert scores[0] == float(sum(Fraction(float(value)) for value in row[0])) == 1
