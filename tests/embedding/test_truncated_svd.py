from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from evidex.embedding.truncated_svd import right_singular_vectors


def rows(values: list[list[float]]) -> csr_array:
    return csr_array(np.array(values))


def test_the_vectors_of_a_small_matrix_are_exact_largest_singular_value_first() -> None:
    # X = [[a, 1, 0], [0, 1, a]]: XᵀX has the eigenvectors (a, 2, a) and (1, 0, -1), of values a² + 2 and a².
    a = 2.0
    vectors = right_singular_vectors(rows([[a, 1.0, 0.0], [0.0, 1.0, a]]), 2)
    first = np.array([a, 2, a]) / math.sqrt(2 * a**2 + 4)
    second = np.array([1, 0, -1]) / math.sqrt(2)
    assert vectors[:, 0] == pytest.approx(first)
    assert np.abs(vectors[:, 1]) == pytest.approx(np.abs(second))


def test_the_component_of_largest_magnitude_is_positive() -> None:
    vectors = right_singular_vectors(rows([[-3.0, 1.0], [1.0, 2.0]]), 2)
    for column in vectors.T:
        assert column[np.abs(column).argmax()] > 0


def test_the_width_is_never_above_the_rank() -> None:
    assert right_singular_vectors(rows([[1.0, 2.0, 0.0]] * 4), 3).shape == (3, 1)


def test_a_matrix_of_zeros_has_no_vectors() -> None:
    assert right_singular_vectors(csr_array((3, 5)), 2).shape == (5, 0)
    assert right_singular_vectors(csr_array((0, 0)), 2).shape == (0, 0)


def test_a_large_matrix_gives_orthonormal_vectors_that_span_what_the_exact_ones_span() -> None:
    planted = random_array((200, 150), density=0.1, rng=np.random.default_rng(5)).toarray()
    for number in range(5):  # five directions that stand out, as topics do
        planted[number::5, number * 30 : number * 30 + 30] += 1.0
    vectors = right_singular_vectors(csr_array(planted), 5)
    exact = np.linalg.svd(planted)[2][:5].T
    assert vectors.T @ vectors == pytest.approx(np.eye(5), abs=1e-9)
    assert np.linalg.svd(exact.T @ vectors)[1] == pytest.approx(np.ones(5), abs=1e-9)
