from __future__ import annotations

import numpy as np
import pytest

from evidex.index.kernels.streams import place_in_streams, place_in_streams_in_numpy


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 64, 100])
def test_every_place_is_read_once(length: int) -> None:
    read = [place_in_streams(np.uint64(position), np.uint64(length)) for position in range(length)]
    assert sorted(read) == list(range(length))
    assert read == [place_in_streams_in_numpy(position, length) for position in range(length)]
