from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.bits import (
    in_groups,
    pack_signs,
    rows_by_signs,
    rows_by_signs_in_numpy,
)


def test_a_bit_says_whether_a_component_is_at_least_zero_and_zero_is() -> None:
    (code,) = pack_signs(np.array([[0.0, -0.0, 1.5, -1.5, -1e-45]], np.float32))
    assert code.tolist() == [0b00111]


@pytest.mark.parametrize(("width", "words"), [(1, 1), (64, 1), (65, 2), (384, 6)])
def test_component_j_is_bit_j_mod_64_of_word_j_div_64(width: int, words: int) -> None:
    negative = -np.ones((width, width), np.float32)
    np.fill_diagonal(negative, 1)
    codes = pack_signs(negative)
    assert codes.shape == (width, words)
    assert [int(codes[j, j // 64]) for j in range(width)] == [1 << (j % 64) for j in range(width)]
    assert np.bitwise_count(codes).sum(axis=1).tolist() == [1] * width


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 300), st.sampled_from([1, 64, 100, 384]), st.data())
def test_the_nearest_are_those_of_numpy(seed: int, rows: int, width: int, data: st.DataObject) -> None:
    packed = pack_signs(np.random.default_rng(seed).normal(size=(rows + 1, width)).astype(np.float32))
    codes = in_groups(packed)
    codes.flags.writeable = False
    cut = data.draw(st.integers(0, rows - 1))
    starts, stops = np.array([0, cut + 1]), np.array([cut, rows])
    wanted = data.draw(st.integers(1, rows - 1))

    found = []
    for way in (rows_by_signs, rows_by_signs_in_numpy):
        places, distances = np.empty(rows - 1, np.uint32), np.empty(rows - 1, np.uint16)
        kept, farthest = way(codes, starts, stops, packed[-1], wanted, np.zeros(width + 1, np.int64), places, distances)
        pairs = zip(distances[:kept].tolist(), places[:kept].tolist(), strict=True)
        near = sorted((distance, place) for distance, place in pairs if distance <= farthest)
        found.append((farthest, near))
        assert len(near) >= wanted > sum(distance < farthest for distance, _ in near)
    assert found[0] == found[1]


def test_eight_rows_stand_together_word_by_word() -> None:
    grouped = in_groups(np.arange(20, dtype=np.uint64).reshape(10, 2))
    assert grouped[0].tolist() == [[0, 2, 4, 6, 8, 10, 12, 14], [1, 3, 5, 7, 9, 11, 13, 15]]
    assert grouped[1].tolist() == [[16, 18, 0, 0, 0, 0, 0, 0], [17, 19, 0, 0, 0, 0, 0, 0]]
