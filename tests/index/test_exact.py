from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.exact import nearest
from evidex.index.ranges import RowRanges
from evidex.index.strings import Strings
from evidex.index.vectors import LONGEST, SealedVectors, int8_codes, lengths_of
from evidex.types import Vectors


def store_of(matrix: Vectors) -> SealedVectors:
    return SealedVectors(Strings.of([]), matrix, lengths_of(matrix), *int8_codes(matrix))


def brute_force(matrix: Vectors, rows: np.ndarray, query: Vectors, limit: int) -> list[tuple[int, float]]:
    """Every row in float64, rounded to float32; ties by row."""
    scores = (matrix[rows].astype(np.float64) @ query.astype(np.float64)).astype(np.float32)
    order = np.lexsort((rows, -scores))[:limit]
    return list(zip(rows[order].tolist(), scores[order].tolist(), strict=True))


def found(matrix: Vectors, rows: np.ndarray, queries: Vectors, limit: int) -> list[list[tuple[int, float]]]:
    mask = np.zeros(len(matrix), np.bool_)
    mask[rows] = True
    results = nearest(store_of(matrix), queries, RowRanges.of(mask), limit)
    return [list(zip(rows.tolist(), scores.tolist(), strict=True)) for rows, scores in results]


def normal(seed: int, rows: int, width: int) -> Vectors:
    drawn = np.random.default_rng(seed).normal(size=(rows, width))
    unit: Vectors = (drawn / np.sqrt((drawn * drawn).sum(axis=1, keepdims=True))).astype(np.float32)
    return unit


def powers(seed: int, rows: int, width: int) -> Vectors:
    """Values whose sums are exact in float64, so that brute force has no rounding but the last one."""
    return np.random.default_rng(seed).integers(-4, 5, (rows, width)).astype(np.float32)


def bits_apart(seed: int, rows: int, width: int) -> Vectors:
    """Rows that differ from one another in the last bit of a few values."""
    row = normal(seed, 1, width)
    moved = np.random.default_rng(seed).integers(-1, 2, (rows, width))
    return np.where(moved, np.nextafter(row, np.float32(np.inf) * np.sign(moved + 0.5).astype(np.float32)), row)


def of_any_length(seed: int, rows: int, width: int) -> Vectors:
    scales = 2.0 ** np.random.default_rng(seed).integers(-60, 55, rows)
    return (normal(seed, rows, width) * scales[:, None]).astype(np.float32)


ADVERSARIES: dict[str, Callable[[int, int, int], Vectors]] = {
    "integers": powers,
    "all equal": lambda seed, rows, width: np.repeat(powers(seed, 1, width), rows, axis=0),
    "a bit apart": bits_apart,
    "zero": lambda seed, rows, width: np.zeros((rows, width), np.float32),
    "one large value": lambda seed, rows, width: (
        np.eye(rows, width, dtype=np.float32) * 100 + powers(seed, rows, width)
    ),
    "all lengths": of_any_length,
    "tiny": lambda seed, rows, width: powers(seed, rows, width) * np.float32(2.0**-140),
    "longest": lambda seed, rows, width: (normal(seed, rows, width) * np.float32(LONGEST * 0.99)).astype(np.float32),
}


@pytest.mark.parametrize("kind", ADVERSARIES)
@pytest.mark.parametrize("asked", [1, 13], ids=["one by one", "in a batch"])
def test_what_is_found_is_what_brute_force_finds(kind: str, asked: int) -> None:
    for seed, (rows, width, limit) in enumerate([(600, 24, 10), (2000, 8, 3), (300, 1, 5), (40, 384, 9)]):
        matrix = ADVERSARIES[kind](seed, rows, width)
        queries = ADVERSARIES["integers" if kind in {"zero", "tiny"} else kind](seed + 1, asked, width)
        queries[~queries.any(axis=1)] = 1
        if kind == "all lengths" or kind == "a bit apart":
            # Brute force rounds in float64, too, in another order: compared where that cannot matter.
            wide = matrix.astype(np.longdouble) @ queries.T.astype(np.longdouble)
            for result, column in zip(found(matrix, np.arange(rows), queries, limit), wide.T, strict=True):
                scores = column.astype(np.float32)
                order = np.lexsort((np.arange(rows), -scores))[:limit]
                assert result == list(zip(order.tolist(), scores[order].tolist(), strict=True))
            continue
        results = found(matrix, np.arange(rows), queries, limit)
        assert results == [brute_force(matrix, np.arange(rows), query, limit) for query in queries]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 2**32 - 1), st.sampled_from([1, 12, 40]), st.integers(1, 70), st.sampled_from([0.01, 0.3, 0.9, 1])
)
def test_rows_of_others_change_no_bit(seed: int, asked: int, limit: int, share: float) -> None:
    random = np.random.default_rng(seed)
    matrix, queries = normal(seed, 700, 33), normal(seed + 1, asked, 33)
    rows = np.flatnonzero(random.random(700) < share)
    among_others = found(matrix, rows, queries, limit)
    alone = found(matrix[rows].copy(), np.arange(len(rows)), queries, limit)
    assert among_others == [[(int(rows[row]), score) for row, score in result] for result in alone]


def test_a_tenant_that_stands_together_is_searched_as_one_that_is_scattered() -> None:
    own, queries = normal(1, 500, 64), normal(2, 20, 64)
    together = np.concatenate([normal(3, 300, 64), own, normal(4, 400, 64)])
    scattered = np.empty((1200, 64), np.float32)
    places = np.sort(np.random.default_rng(5).choice(1200, 500, replace=False))
    scattered[:] = normal(6, 1200, 64)
    scattered[places] = own
    first = found(together, np.arange(300, 800), queries, 15)
    second = found(scattered, places, queries, 15)
    assert [[(row - 300, score) for row, score in result] for result in first] == [
        [(int(np.searchsorted(places, row)), score) for row, score in result] for result in second
    ]
