from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.floor import raise_floor, raise_floor_in_numpy


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 9), st.lists(st.floats(-9, 9), max_size=40))
def test_the_root_is_the_kth_greatest_seen(k: int, values: list[float]) -> None:
    heap, plain = np.full(k, -np.inf), np.full(k, -np.inf)
    for seen, value in enumerate(values, start=1):
        raise_floor(heap, value)
        raise_floor_in_numpy(plain, value)
        assert heap[0] == (sorted(values[:seen])[-k] if seen >= k else -np.inf)
    assert np.sort(heap).tolist() == plain.tolist()
