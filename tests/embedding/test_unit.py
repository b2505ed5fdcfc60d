from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evidex.embedding.unit import unit_rows
from evidex.types import Vectors


def test_a_row_is_divided_by_its_length() -> None:
    assert unit_rows(np.array([[3.0, 4.0]])).tolist() == [[np.float32(3 / 5), np.float32(4 / 5)]]


def test_a_row_of_zeros_stays_zero() -> None:
    assert unit_rows(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


matrices = arrays.arrays(
    np.float32,
    st.tuples(st.integers(1, 40), st.integers(1, 400)),
    elements=st.floats(-1e3, 1e3, width=32),
    fill=st.just(np.float32(0.5)),
)


@settings(deadline=None)
@given(matrices)
def test_rows_are_finite_and_have_length_one_or_zero(matrix: Vectors) -> None:
    rows = unit_rows(matrix)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    zero = ~matrix.any(axis=1)
    assert np.isfinite(rows).all()
    assert lengths[zero] == pytest.approx(0)
    assert lengths[~zero] == pytest.approx(1, abs=1e-6)


@settings(deadline=None)
@given(matrices)
def test_a_row_is_the_same_bytes_whatever_rows_are_beside_it(matrix: Vectors) -> None:
    together = unit_rows(matrix)
    for row, alone in enumerate(matrix):
        assert unit_rows(alone[None, :]).tobytes() == together[row].tobytes()
