from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import GenerationError
from evidex.index.ranges import RangesOfScopes, RowRanges
from evidex.types import Scope

MASKS = st.lists(st.booleans(), max_size=40).map(lambda seen: np.array(seen, np.bool_))


@given(MASKS)
def test_ranges_hold_the_rows_of_their_mask(mask: np.ndarray) -> None:
    ranges, rows = RowRanges.of(mask), np.flatnonzero(mask)
    assert ranges.rows().tolist() == rows.tolist()
    assert ranges.count == len(rows)
    assert np.flatnonzero(np.unpackbits(ranges.bits, bitorder="little")).tolist() == rows.tolist()
    assert ranges.rows_at(np.arange(len(rows), dtype=np.uint32)).tolist() == rows.tolist()
    assert RowRanges.single(rows.astype(np.uint32)).rows().tolist() == rows.tolist()
    assert np.all(ranges.starts[1:] > ranges.stops[:-1])


@given(MASKS, st.integers(0, 40))
def test_without_a_row_the_others_are_left(mask: np.ndarray, row: int) -> None:
    rows = [other for other in np.flatnonzero(mask).tolist() if other != row]
    assert RowRanges.of(mask).without(row).rows().tolist() == rows


def test_the_ranges_of_a_scope_are_worked_out_once_for_all_threads_and_go_with_it() -> None:
    known, scope = RangesOfScopes(np.array([True, False, True])), Scope(np.ones(3, np.bool_))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(known.__getitem__, [scope] * 20))
    assert [ranges.rows().tolist() for ranges in found] == [[0, 2]] * 20
    assert known[scope] is known[scope]
    del scope, found
    gc.collect()
    assert not known._known


def test_the_scope_of_another_generation_is_refused() -> None:
    with pytest.raises(GenerationError, match="over 2 chunks, the generation holds 3"):
        RangesOfScopes(np.ones(3, np.bool_))[Scope(np.ones(2, np.bool_))]
