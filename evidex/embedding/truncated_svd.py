"""The leading right singular vectors of a sparse matrix, the same bytes at any thread count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

OVERSAMPLING = 32
POWER_ITERATIONS = 4


def right_singular_vectors(matrix: csr_array, width: int) -> NDArray[np.float64]:
    """At most `width` right singular vectors, largest singular value first, shape (columns, rank ≤ width).

    A randomised range finder with power iterations (Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1). When
    `width` and the oversampling reach the matrix's smaller side, the range is complete and the result exact. Signs
    are chosen so that the component of largest magnitude is positive. BLAS runs on one thread, since its threads
    split sums differently. A matrix of zeros has no vectors.
    """
    rows, columns = matrix.shape
    side = min(rows, columns, width + OVERSAMPLING)
    if side == 0 or matrix.nnz == 0:
        return np.zeros((columns, 0))
    with threadpool_limits(limits=1):
        # RandomState is frozen across NumPy versions; Generator is not (NEP 19).
        span = _orthonormal(matrix @ np.random.RandomState(0).standard_normal((columns, side)))
        for _ in range(POWER_ITERATIONS if side < min(rows, columns) else 0):
            span = _orthonormal(matrix @ (matrix.T @ span))
        vectors, values, _ = np.linalg.svd(matrix.T @ span, full_matrices=False)
    rank = int((values > values[0] * max(rows, columns) * np.finfo(np.float64).eps).sum())
    return _signed(vectors[:, : min(rank, width)])


def _orthonormal(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    basis: NDArray[np.float64] = np.linalg.qr(matrix)[0]
    return basis


def _signed(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
