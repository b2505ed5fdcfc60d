"""Scores of some rows: those of a search for everything, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.index.bm25 import best_of
from evidex.index.kernels.scoring import score_rows, score_rows_in_numpy
from evidex.index.postings import Postings, write_postings
from evidex.index.statistics import ScopeStatistics
from evidex.storage import Folder
from evidex.types import Scope

K1, B = 1.2, 0.75


def postings_of(path: Path, texts: list[list[int]]) -> Postings:
    numbers = np.array([term for text in texts for term in text], np.int32)
    lengths = np.array([len(text) for text in texts], np.int64)
    words = [f"{term:02}" for term in range(int(numbers.max(initial=-1)) + 1)]
    write_postings(Folder(path), [(numbers, lengths)], lambda: words, analyzer="numbers/1", k1=K1, b=B)
    return Postings.open(path)


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 6), max_size=9), st.booleans(), st.booleans()), min_size=1, max_size=50),
    st.lists(st.integers(0, 8), min_size=1, max_size=9),
    st.integers(1, 60),
)
def test_rows_by_themselves_score_as_in_a_search_for_everything(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[tuple[list[int], bool, bool]], query: list[int], limit: int
) -> None:
    texts, visible, wanted = (list(parts) for parts in zip(*chunks, strict=True))
    postings, words = postings_of(tmp_path_factory.mktemp("postings"), texts), [f"{term:02}" for term in query]
    statistics = ScopeStatistics(postings, Scope(np.array(visible)))
    among = np.flatnonzero(wanted).astype(np.uint32)

    everything = best_of(words, statistics, postings, len(texts))
    some = best_of(words, statistics, postings, limit, among=among)

    kept = np.isin(everything.rows, among)
    assert some.rows.tolist() == everything.rows[kept][:limit].tolist()
    assert some.scores.tobytes() == everything.scores[kept][:limit].tobytes()
    assert (some.terms, some.known_terms) == (everything.terms, everything.known_terms)


@given(
    st.lists(st.lists(st.integers(0, 6), max_size=9), min_size=1, max_size=50),
    st.dictionaries(st.integers(0, 6), st.integers(1, 4), min_size=1),
    st.sets(st.integers(0, 49)),
)
def test_the_kernel_scores_as_its_twin(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[int]], query: dict[int, int], wanted: set[int]
) -> None:
    postings = postings_of(tmp_path_factory.mktemp("postings"), texts)
    statistics = ScopeStatistics(postings, Scope(np.ones(len(texts), np.bool_)))
    numbers = [(statistics.number(f"{term:02}"), count) for term, count in query.items()]
    asked = np.array([(number, count) for number, count in numbers if number >= 0], np.int64).reshape(-1, 2)
    rows = np.array(sorted(row for row in wanted if row < len(texts)), np.uint32)
    lists = postings.rows, postings.codes, statistics.saturation, statistics.table, asked, K1
    scores = np.zeros(len(rows))

    score_rows(*lists, rows, scores)

    assert scores.tobytes() == score_rows_in_numpy(*lists, rows).tobytes()


@pytest.mark.parametrize("step", [1, 3, 1_000, 20_000])
def test_however_far_apart_rows_are_their_postings_are_found(tmp_path: Path, step: int) -> None:
    draw = np.random.default_rng(5)
    postings = postings_of(tmp_path, draw.integers(0, 30, (40_000, 3)).tolist())
    statistics = ScopeStatistics(postings, Scope(np.arange(40_000) % 7 > 0))
    among = np.arange(0, 40_000, step, dtype=np.uint32)

    everything = best_of(["03", "11", "29"], statistics, postings, 40_000)
    some = best_of(["03", "11", "29"], statistics, postings, 40_000, among=among)

    kept = np.isin(everything.rows, among)
    assert some.rows.tolist() == everything.rows[kept].tolist()
    assert some.scores.tobytes() == everything.scores[kept].tobytes()
