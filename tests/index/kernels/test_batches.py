"""Many queries in one call: each gets what it would have got alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.index.kernels.batches import best_rows_of_each, best_rows_of_each_in_numpy
from evidex.index.kernels.maxscore import WINDOW
from evidex.index.kernels.terms import Lists
from evidex.index.statistics import ScopeStatistics
from tests.index.kernels.test_maxscore import K1, corpora, postings_of, scope_of

queries = st.lists(st.dictionaries(st.integers(0, 7), st.integers(1, 3), max_size=5), max_size=6)


@settings(deadline=None, max_examples=60)
@given(corpora, queries, st.integers(1, 70), st.data())
def test_the_kernel_finds_what_its_twin_finds(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[list[int]],
    queries: list[dict[int, int]],
    k: int,
    data: st.DataObject,
) -> None:
    visible = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    postings = postings_of(tmp_path_factory.mktemp("postings"), texts)
    statistics = ScopeStatistics(postings, scope_of(np.array(visible)))
    known = [
        [(number, times) for term, times in query.items() if (number := statistics.number(f"{term:04}")) >= 0]
        for query in queries
    ]
    asked = np.array([pair for query in known for pair in query], np.int64).reshape(-1, 2)
    asked_ends = np.cumsum([len(query) for query in known], dtype=np.int64)
    lists = Lists(postings.rows, postings.codes, statistics.saturation, postings.bitmaps)
    sums, places, kept = np.zeros(WINDOW), np.empty(WINDOW + 1, np.uint16), np.empty(WINDOW + 1)
    rows, scores = np.empty((len(queries) + 1) * k + WINDOW, np.uint32), np.empty((len(queries) + 1) * k + WINDOW)
    ends = np.empty(len(queries), np.int64)

    best_rows_of_each(
        *lists,
        statistics.visible,
        statistics.share,
        statistics.table,
        asked,
        asked_ends,
        K1,
        k,
        sums,
        places,
        kept,
        rows,
        scores,
        ends,
    )

    twin = best_rows_of_each_in_numpy(lists, statistics.visible, statistics.table, asked, asked_ends, K1, k)
    found = int(ends[-1]) if len(ends) else 0
    assert rows[:found].tolist() == twin[0].tolist()
    assert scores[:found].tobytes() == twin[1].tobytes()
    assert ends.tolist() == twin[2].tolist()
    assert not sums.any()
