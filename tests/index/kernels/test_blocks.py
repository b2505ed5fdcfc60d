from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.blocks import OVERFLOWN, keep_in_reach, keep_in_reach_in_numpy


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 6), st.integers(1, 6), st.sampled_from([0, 0.5, 9]))
def test_what_is_in_reach_after_all_blocks_is_that_of_numpy(
    seed: int, queries: int, blocks: int, limit: int, margin: float
) -> None:
    random = np.random.default_rng(seed)
    size, room = 12, 40
    kept = [
        (
            np.full((queries, limit), -np.inf),
            np.empty((queries, room), np.uint32),
            np.empty((queries, room), np.float32),
            np.zeros(queries, np.int64),
        )
        for _ in range(2)
    ]
    margins = np.full(queries, float(margin))
    for block in range(blocks):
        scores = random.integers(0, 7, (size, queries)).astype(np.float32)
        places = np.sort(random.choice(size, 8, replace=False)).astype(np.uint32)
        rows = places + np.uint32(size * block)
        keep_in_reach(scores, places, rows, margins, *kept[0])
        keep_in_reach_in_numpy(scores, places, rows, margins, *kept[1])
    for query in range(queries):
        if OVERFLOWN in (kept[0][3][query], kept[1][3][query]):
            continue  # the kernel looks when its room is full, NumPy's twin after every block
        assert np.sort(kept[0][0][query]).tolist() == np.sort(kept[1][0][query]).tolist()
        bar = kept[0][0][query].min() - margin
        found = [
            {row for row, score in zip(rows[query, : counts[query]], scores[query], strict=False) if score >= bar}
            for _, rows, scores, counts in kept
        ]
        assert found[0] == found[1]


def test_a_query_with_more_in_reach_than_room_is_said_to_be_overflown() -> None:
    counts = np.zeros(2, np.int64)
    scores = np.ones((50, 2), np.float32)
    scores[:, 1] = np.arange(50)
    places, floors = np.arange(50, dtype=np.uint32), np.full((2, 1), -np.inf)
    rows, kept = np.empty((2, 20), np.uint32), np.empty((2, 20), np.float32)
    keep_in_reach(scores, places, places, np.zeros(2), floors, rows, kept, counts)
    assert counts[0] == OVERFLOWN
    assert counts[1] > 0
    assert 49 in rows[1, : counts[1]]
