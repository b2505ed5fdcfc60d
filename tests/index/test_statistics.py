from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.index.kernels.ceilings import LEVELS
from evidex.index.kernels.terms import CEILINGS, IDF
from evidex.index.postings import Postings, write_postings
from evidex.index.statistics import ScopeStatistics
from evidex.storage import Folder
from evidex.types import Scope

K1, B = 1.2, 0.75

Kind: TypeAlias = Callable[[NDArray[np.bool_]], NDArray[np.bool_]]


def postings_of(path: Path, texts: Sequence[Sequence[int]]) -> Postings:
    """Term number n is the word of n in two digits."""
    numbers = np.array([term for text in texts for term in text], np.int32)
    lengths = np.array([len(text) for text in texts], np.int64)
    words = [f"{term:02}" for term in range(int(numbers.max(initial=-1)) + 1)]
    write_postings(Folder(path), [(numbers, lengths)], lambda: words, analyzer="numbers/1", k1=K1, b=B)
    return Postings.open(path)


def saturation(frequency: int, length: int, average: float) -> float:
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / average))


def assert_as_counted(statistics: ScopeStatistics, texts: Sequence[Sequence[int]], visible: Sequence[bool]) -> None:
    """Statistics of every term against counting the visible texts by hand."""
    seen = [text for text, shown in zip(texts, visible, strict=True) if shown]
    assert statistics.chunks == len(seen)
    for term in sorted({term for text in texts for term in text}):
        holding = [text for text in seen if term in text]
        number = statistics.number(f"{term:02}")
        if not holding:
            assert number == -1
            continue
        average = sum(map(len, seen)) / len(seen)
        best = sorted((saturation(text.count(term), len(text), average) for text in holding), reverse=True)
        row = statistics.table[number]
        assert row[IDF] == pytest.approx(log(1 + (len(seen) - len(holding) + 0.5) / (len(holding) + 0.5)), rel=1e-12)
        expected = [best[rank - 1] if rank <= len(best) else 0.0 for rank in LEVELS]
        assert row[CEILINGS:].tolist() == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.tuples(st.lists(st.integers(0, 9), max_size=8), st.booleans()), max_size=40))
def test_idf_and_ceilings_are_those_of_the_visible_chunks_alone(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[tuple[list[int], bool]]
) -> None:
    texts, visible = [text for text, _ in chunks], [shown for _, shown in chunks]
    postings = postings_of(tmp_path_factory.mktemp("postings"), texts)

    assert_as_counted(ScopeStatistics(postings, Scope(np.array(visible, np.bool_))), texts, visible)
    assert_as_counted(ScopeStatistics(postings, Scope(np.ones(len(texts), np.bool_))), texts, [True] * len(texts))


def test_ceilings_reach_as_deep_as_a_frequent_term_has_postings(tmp_path: Path) -> None:
    texts = [[0] * (1 + row % 7) + [1] * (row % 5) for row in range(1_500)]
    visible = [row % 4 > 0 for row in range(1_500)]
    postings = postings_of(tmp_path, texts)

    assert_as_counted(ScopeStatistics(postings, Scope(np.array(visible))), texts, visible)
    assert_as_counted(ScopeStatistics(postings, Scope(np.ones(1_500, np.bool_))), texts, [True] * 1_500)


def test_a_part_that_is_everything_is_counted_as_everything_was_at_the_build(tmp_path: Path) -> None:
    texts = [[row % 3, row % 11, row % 50] for row in range(600)]
    padded = [[], *texts, []]
    whole = ScopeStatistics(postings_of(tmp_path / "own", texts), Scope(np.ones(600, np.bool_)))
    inner = np.ones(602, np.bool_)
    inner[[0, -1]] = False
    part = ScopeStatistics(postings_of(tmp_path / "padded", padded), Scope(inner))

    for term in range(50):
        one, other = whole.table[whole.number(f"{term:02}")], part.table[part.number(f"{term:02}")]
        assert one[IDF:].tobytes() == other[IDF:].tobytes()


def _read_only(visible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    visible = visible.copy()
    visible.flags.writeable = False
    return visible


def _strided(visible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.repeat(visible, 2)[::2]


@pytest.mark.parametrize("kind", [_read_only, _strided])
def test_a_scope_may_be_any_kind_of_array(tmp_path: Path, kind: Kind) -> None:
    postings = postings_of(tmp_path, [[row % 3, row % 5] for row in range(90)])
    visible = np.arange(90) % 4 > 0
    plain, other = ScopeStatistics(postings, Scope(visible)), ScopeStatistics(postings, Scope(kind(visible)))

    assert other.visible.flags.c_contiguous
    assert other.visible.flags.writeable
    assert [other.idf(f"{term:02}") for term in range(5)] == [plain.idf(f"{term:02}") for term in range(5)]


def test_threads_that_ask_for_many_terms_at_once_learn_each_of_them_once(tmp_path: Path) -> None:
    texts = [[row % 97, row % 89] for row in range(500)]
    statistics = ScopeStatistics(postings_of(tmp_path, texts), Scope(np.arange(500) % 2 == 0))
    words = [f"{term:02}" for term in range(97)]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: [statistics.number(word) for word in words], range(4)))

    assert found[0] == found[1] == found[2] == found[3]
    assert sorted(found[0]) == list(range(97))
    assert_as_counted(statistics, texts, [row % 2 == 0 for row in range(500)])
