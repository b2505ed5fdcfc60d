"""MaxSim over codes: the kernel is its NumPy twin to the last bit, and both are the definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.index.kernels.maxsim import in_lanes, mean_maxsim, mean_maxsim_in_numpy
from evidex.index.kernels.maxsim_tile import LANES, TILE


def scores(
    kernel: object, codes: NDArray[np.int8], lengths: list[int], queries: NDArray[np.int16], *, read_only: bool = False
) -> NDArray[np.float32]:
    ends = np.cumsum(lengths).astype(np.uint64)
    squares = np.square(queries.astype(np.int64)).sum(axis=1)
    inverses = np.divide(1, np.sqrt(squares), out=np.zeros(len(queries)), where=squares > 0)
    found = np.empty(len(lengths), np.float32)
    codes.flags.writeable = not read_only
    kernel(codes, ends - np.array(lengths, np.uint64), ends, in_lanes(queries), inverses, found)  # type: ignore[operator]
    return found


@st.composite
def cases(draw: st.DrawFn) -> tuple[NDArray[np.int8], list[int], NDArray[np.int16]]:
    lengths = draw(st.lists(st.integers(1, 2 * TILE + 1), min_size=1, max_size=4))
    width = draw(st.integers(1, 9))
    asked = draw(st.sampled_from([1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES + 3]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    greatest = draw(st.sampled_from([1, 127]))
    codes = random.integers(-greatest, greatest, (sum(lengths), width), np.int8, endpoint=True)
    return codes, lengths, random.integers(-32767, 32767, (asked, width), np.int16, endpoint=True)


@settings(max_examples=60, deadline=None)
@given(cases(), st.booleans())
def test_the_kernel_is_its_twin_to_the_last_bit(
    case: tuple[NDArray[np.int8], list[int], NDArray[np.int16]], read_only: bool
) -> None:
    codes, lengths, queries = case
    expected = scores(mean_maxsim_in_numpy, codes, lengths, queries)
    assert scores(mean_maxsim, codes, lengths, queries, read_only=read_only).tobytes() == expected.tobytes()


def test_the_score_is_the_mean_over_the_query_of_the_greatest_cosine() -> None:
    codes = np.array([[127, 0], [60, 80], [-127, 0]], np.int8)
    queries = np.array([[32767, 0], [0, 32767]], np.int16)
    two = [float(Fraction(1 + Fraction(4, 5)) / 2), float(Fraction(-1 + 0) / 2)]
    assert scores(mean_maxsim, codes, [2, 1], queries).tolist() == pytest.approx(two, abs=1e-7)


def test_products_at_the_edge_of_int32_are_exact() -> None:
    width = 516  # the widest at which codes of the greatest size fit: 516 * 127 * 32767 < 2 ** 31
    codes = np.full((1, width), 127, np.int8)
    queries = np.stack([np.full(width, 32767, np.int16), np.full(width, -32767, np.int16)])
    assert scores(mean_maxsim, codes, [1], queries[:1]).tolist() == pytest.approx([1.0], abs=1e-6)
    assert scores(mean_maxsim, codes, [1], queries[1:]).tolist() == pytest.approx([-1.0], abs=1e-6)


def test_a_zero_vector_has_a_cosine_of_zero_with_everything() -> None:
    codes = np.array([[0, 0], [-127, 0]], np.int8)
    queries = np.array([[32767, 0], [0, 0]], np.int16)
    assert scores(mean_maxsim, codes, [2], queries).tolist() == [0.0]
    assert scores(mean_maxsim, codes[1:], [1], queries).tolist() == pytest.approx([-1 / 2], abs=1e-7)
