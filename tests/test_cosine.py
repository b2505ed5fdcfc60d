from __future__ import annotations

import numpy as np
import pytest

from evidex.cosine import cosines


def test_cosines_are_those_of_the_angles_whatever_the_lengths() -> None:
    rows = np.array([(2, 0), (3, 4), (0, 5)], np.float32)
    assert cosines(np.array((7, 0), np.float32), rows).tolist() == pytest.approx([1, 3 / 5, 0])


def test_what_points_away_and_the_zero_vector_are_like_nothing() -> None:
    east, zero = np.array((1, 0), np.float32), np.zeros(2, np.float32)
    assert cosines(east, np.array([(-1, 0), (0, 0)], np.float32)).tolist() == [0, 0]
    assert cosines(zero, np.array([(1, 0)], np.float32)).tolist() == [0]


def test_a_cosine_does_not_depend_on_the_rows_beside_it() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 129)).astype(np.float32)
    together = cosines(rows[0], rows).tolist()
    assert together == [float(cosines(rows[0], row[None])[0]) for row in rows]
