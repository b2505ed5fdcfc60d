"""Pruned search against scoring everything: the same rows, the same order, the same bits."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.index.bm25 import Found, best_of
from evidex.index.kernels.maxscore import WINDOW, best_rows_in_numpy
from evidex.index.kernels.terms import Lists
from evidex.index.postings import Postings, write_postings
from evidex.index.statistics import ScopeStatistics
from evidex.storage import Folder
from evidex.types import Scope

K1, B = 1.2, 0.75

Texts = Sequence[Sequence[int]]


def postings_of(path: Path, texts: Texts) -> Postings:
    number_of: dict[int, int] = {}
    numbers = np.array([number_of.setdefault(term, len(number_of)) for text in texts for term in text], np.int32)
    lengths = np.array([len(text) for text in texts], np.int64)
    words = [f"{term:04}" for term in number_of]
    write_postings(Folder(path), [(numbers, lengths)], lambda: words, analyzer="numbers/1", k1=K1, b=B)
    return Postings.open(path)


def scope_of(rows: NDArray[np.bool_] | int) -> Scope:
    return Scope(np.ones(rows, np.bool_) if isinstance(rows, int) else rows)


def pruned(postings: Postings, scope: Scope, query: Sequence[int], k: int) -> Found:
    return best_of([f"{term:04}" for term in query], ScopeStatistics(postings, scope), postings, k)


def exhaustive(
    postings: Postings, scope: Scope, query: Sequence[int], k: int
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    statistics = ScopeStatistics(postings, scope)
    numbers = {term: statistics.number(f"{term:04}") for term in query}
    asked = [(number, query.count(term)) for term, number in numbers.items() if number >= 0]
    if not asked:
        return np.zeros(0, np.uint32), np.zeros(0)
    lists = Lists(postings.rows, postings.codes, statistics.saturation, postings.bitmaps)
    return best_rows_in_numpy(lists, statistics.visible, statistics.table, np.array(asked, np.int64), K1, k)


def assert_same(postings: Postings, scope: Scope, query: Sequence[int], k: int) -> None:
    found = pruned(postings, scope, query, k)
    rows, scores = exhaustive(postings, scope, query, k)
    assert found.rows.tolist() == rows.tolist()
    assert found.scores.tobytes() == scores.tobytes()


corpora = st.lists(st.lists(st.integers(0, 6), max_size=12), min_size=1, max_size=60)


@settings(deadline=None, max_examples=60)
@given(corpora, st.lists(st.integers(0, 7), min_size=1, max_size=12), st.integers(1, 70), st.randoms())
def test_any_corpus_query_scope_and_k(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[int]], query: list[int], k: int, draw: random.Random
) -> None:
    postings = postings_of(tmp_path_factory.mktemp("postings"), texts)

    assert_same(postings, scope_of(len(texts)), query, k)
    assert_same(postings, scope_of(np.array([draw.random() < 0.5 for _ in texts])), query, k)


DRAW = np.random.default_rng(11)
MANY = WINDOW + 5_000
ADVERSARIAL: dict[str, list[list[int]]] = {
    "all equal": [[0, 1, 2, 3]] * 3_000,
    "one giant": [*[[0, 1]] * 500, list(range(100)) * 200, *[[0, 1]] * 500],
    "empty ones between": [[], [0, 1], [], [1], []] * 400,
    "one term": [[0] * (1 + row % 9) for row in range(3_000)],
    "one term everywhere": [[0, 1 + row % 90] for row in range(3_000)],
    "only the last is good": [*[[0]] * 2_000, [0, 1, 2, 3, 4, 5]],
    "at random": DRAW.integers(0, 100, (4_000, 8)).tolist(),
    "several windows": DRAW.integers(0, 40, (MANY, 2)).tolist(),
    "rare and frequent words in several windows": (DRAW.zipf(1.3, (2 * MANY, 5)) % 100).tolist(),
    "rare words beside one that has no bitmap": [
        [0] * (row % 17 == 0) + [1] * (row % 2_040 in {0, 5}) + [2] * (row % 2_040 in {1_020, 7}) or [90]
        for row in range(MANY)
    ],
}


@pytest.fixture(scope="module")
def adversarial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Postings]:
    return {name: postings_of(tmp_path_factory.mktemp("adversarial"), texts) for name, texts in ADVERSARIAL.items()}


@pytest.mark.parametrize("name", ADVERSARIAL)
@pytest.mark.parametrize("query", [[0], [0, 1], [3, 2, 1, 0, 0, 5], list(range(100)), [0] * 100])
def test_corpora_made_to_defeat_pruning(adversarial: dict[str, Postings], name: str, query: list[int]) -> None:
    count = len(ADVERSARIAL[name])
    few, most = np.zeros(count, np.bool_), np.ones(count, np.bool_)
    few[:: max(1, count // 7)], most[::5] = True, False
    for k in (1, 10, 11, 1000, 1001, count):
        assert_same(adversarial[name], scope_of(count), query, k)
    for visible in (few, most):
        assert_same(adversarial[name], scope_of(visible), query, 10)


def test_scores_that_are_equal_in_every_bit_go_by_row_however_words_are_ordered(tmp_path: Path) -> None:
    texts = [[0, 1, 2], [2, 1, 0], [1, 0, 2]] * 100
    found = pruned(postings_of(tmp_path, texts), scope_of(300), [2, 0, 1], 7)

    assert found.rows.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert len(set(found.scores.tolist())) == 1


def test_scores_are_those_of_the_formula(tmp_path: Path) -> None:
    texts = [*DRAW.integers(0, 30, (400, 9)).tolist(), [1] * 50, [2]]
    query = [1, 2, 2, 17]
    found = pruned(postings_of(tmp_path, texts), scope_of(len(texts)), query, len(texts))

    average = sum(map(len, texts)) / len(texts)
    expected = {}
    for row, text in enumerate(texts):
        score = 0.0
        for term in query:
            containing, f = sum(term in other for other in texts), text.count(term)
            idf = log(1 + (len(texts) - containing + 0.5) / (containing + 0.5))
            score += idf * f * (K1 + 1) / (f + K1 * (1 - B + B * len(text) / average))
        if score:
            expected[row] = score
    assert dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True)) == pytest.approx(expected, rel=1e-12)


def test_a_part_scores_as_if_the_rest_were_not_there(tmp_path: Path) -> None:
    texts = DRAW.integers(0, 60, (3_000, 7)).tolist()
    for name, visible in {"a block": np.arange(3_000) // 700 == 2, "scattered": DRAW.random(3_000) < 0.2}.items():
        own = [text for text, seen in zip(texts, visible, strict=True) if seen]
        among = pruned(postings_of(tmp_path / f"{name}-all", texts), scope_of(visible), [1, 2, 3, 4], 50)
        alone = pruned(postings_of(tmp_path / f"{name}-own", own), scope_of(len(own)), [1, 2, 3, 4], 50)

        assert among.scores.tobytes() == alone.scores.tobytes()
        assert among.rows.tolist() == np.flatnonzero(visible)[alone.rows].tolist()


def test_two_threads_find_what_one_finds(adversarial: dict[str, Postings]) -> None:
    postings, queries = adversarial["at random"], [[a, b] for a in range(20) for b in range(20)]
    statistics = ScopeStatistics(postings, scope_of(4_000))

    def search(query: list[int]) -> tuple[list[int], bytes]:
        found = best_of([f"{term:04}" for term in query], statistics, postings, 10)
        return found.rows.tolist(), found.scores.tobytes()

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(search, queries)) == [search(query) for query in queries]
