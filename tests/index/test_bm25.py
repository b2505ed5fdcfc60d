"""A batch of queries against the same queries one by one: the same rows, the same order, the same bits."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from evidex.index.bm25 import Found, best_of, best_of_each
from evidex.index.postings import Postings
from evidex.index.statistics import ScopeStatistics
from evidex.types import Scope
from tests.index.kernels.test_maxscore import postings_of

DRAW = np.random.default_rng(5)
TEXTS = (DRAW.zipf(1.3, (3_000, 6)) % 200).tolist()
QUERIES: list[list[str]] = [
    *([f"{term:04}" for term in DRAW.zipf(1.4, 1 + number % 7) % 250] for number in range(150)),
    [],
    ["nowhere"],
    ["0001"] * 3,
]


@pytest.fixture(scope="module")
def postings(tmp_path_factory: pytest.TempPathFactory) -> Postings:
    return postings_of(tmp_path_factory.mktemp("postings"), TEXTS)


def told(found: Sequence[Found]) -> list[tuple[bytes, bytes, int, int]]:
    return [(one.rows.tobytes(), one.scores.tobytes(), one.terms, one.known_terms) for one in found]


def one_by_one(queries: Sequence[Sequence[str]], statistics: ScopeStatistics, of: Postings, k: int) -> list[Found]:
    return [best_of(query, statistics, of, k) for query in queries]


@pytest.mark.parametrize("k", [-1, 0, 1, 10, 1000, 1001, 3_000])
@pytest.mark.parametrize("step", [1, 2, 50, 4_000])
def test_a_batch_gives_each_query_what_it_gets_alone(postings: Postings, k: int, step: int) -> None:
    visible = np.zeros(len(TEXTS), np.bool_)
    visible[1::step] = True
    statistics = ScopeStatistics(postings, Scope(visible))

    for queries in (QUERIES, QUERIES[:1], QUERIES[-3:], []):
        together = best_of_each(queries, statistics, postings, k)
        assert told(together) == told(one_by_one(queries, statistics, postings, k))


def test_a_batch_over_nothing_finds_nothing(tmp_path: Path) -> None:
    nothing = postings_of(tmp_path, [[], []])

    found = best_of_each(QUERIES, ScopeStatistics(nothing, Scope(np.ones(2, np.bool_))), nothing, 10)

    assert [len(one.rows) for one in found] == [0] * len(QUERIES)


def test_batches_of_two_threads_find_what_one_finds(postings: Postings) -> None:
    statistics = ScopeStatistics(postings, Scope(np.ones(len(TEXTS), np.bool_)))
    batches = [QUERIES[start : start + 16] for start in range(0, len(QUERIES), 8)] * 4

    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(lambda batch: best_of_each(batch, statistics, postings, 10), batches))

    alone = [one_by_one(batch, statistics, postings, 10) for batch in batches]
    assert list(map(told, together)) == list(map(told, alone))
