from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.config import IndexSettings
from evidex.errors import ConfigError
from evidex.index.approximate import Approximation, open_approximation, write_approximation
from evidex.index.compression import KINDS, Codes, Compression, Kind
from evidex.index.exact import exact_scores, nearest
from evidex.index.ranges import RowRanges
from evidex.storage import Folder
from tests.index.test_exact import normal, store_of


def everything(rows: int) -> RowRanges:
    return RowRanges.of(np.ones(rows, np.bool_))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [384, 200, 64, 33])
def test_bytes_per_vector_are_those_on_the_disk(tmp_path: Path, kind: Kind, width: int) -> None:
    codes = Codes.of(normal(1, 1000, 384), Compression(kind, width))
    codes.write(Folder(tmp_path))
    on_disk = sum(file.stat().st_size for file in (tmp_path / "codes").iterdir())
    assert on_disk / 1000 == pytest.approx(codes.compression.bytes_per_vector, rel=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_sealed_codes_are_those_that_were_made(tmp_path: Path, kind: Kind) -> None:
    matrix, compression = normal(1, 300, 96), Compression(kind, 48)
    write_approximation(Folder(tmp_path), matrix, IndexSettings(dense=kind, dense_width=48, oversampling=7))
    opened = open_approximation(tmp_path, IndexSettings(dense=kind, dense_width=48, oversampling=7))
    assert opened is not None
    assert isinstance(opened.shortlister, Codes)
    assert (opened.oversampling, opened.shortlister.compression) == (7, compression)
    for query in normal(2, 5, 96):
        made = Codes.of(matrix, compression).shortlist(query, everything(300), 20)
        assert opened.shortlister.shortlist(query, everything(300), 20).rows().tolist() == made.rows().tolist()


def test_exact_search_needs_no_codes(tmp_path: Path) -> None:
    write_approximation(Folder(tmp_path), normal(1, 3, 4), IndexSettings())
    assert open_approximation(tmp_path, IndexSettings()) is None
    assert list(tmp_path.iterdir()) == []


def test_a_width_beyond_the_vectors_is_all_of_it(tmp_path: Path) -> None:
    write_approximation(Folder(tmp_path), normal(1, 3, 4), IndexSettings(dense="int8", dense_width=100))
    assert Codes.open(tmp_path).compression == Compression("int8", 4)


def test_there_is_no_compression_to_nothing() -> None:
    with pytest.raises(ConfigError, match="0 components as 'int8'"):
        Compression("int8", 0)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_shortlist_finds_has_its_exact_score_and_all_of_it_is_exact_search(kind: Kind) -> None:
    matrix, queries = normal(1, 2000, 64), normal(2, 5, 64)
    store, ranges = store_of(matrix), everything(2000)
    exact = nearest(store, queries, ranges, 10)
    codes = Codes.of(matrix, Compression(kind, 64))
    for query, (rows, scores) in zip(queries, Approximation(codes, 4).nearest(store, queries, ranges, 10), strict=True):
        assert scores.tolist() == exact_scores(matrix, rows, query).tolist()
        assert len(set(rows.tolist())) == 10
    complete = Approximation(codes, 200).nearest(store, queries, ranges, 10)
    assert [rows.tolist() for rows, _ in complete] == [rows.tolist() for rows, _ in exact]


@pytest.mark.parametrize("kind", KINDS)
def test_a_longer_shortlist_and_a_greater_width_miss_no_more(kind: Kind) -> None:
    centres, random = normal(1, 40, 128), np.random.default_rng(2)
    matrix = centres[random.integers(0, 40, 3000)] + random.normal(scale=0.06, size=(3000, 128))
    matrix = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    store, ranges, queries = store_of(matrix), everything(3000), matrix[:100]
    exact = nearest(store, queries, ranges, 10)

    def recall(width: int, oversampling: int) -> float:
        by = Approximation(Codes.of(matrix, Compression(kind, width)), oversampling)
        results = by.nearest(store, queries, ranges, 10)
        return float(np.mean([len(np.intersect1d(a, b)) / 10 for (a, _), (b, _) in zip(results, exact, strict=True)]))

    by_width = [recall(width, 4) for width in (16, 32, 64, 128)]
    by_length = [recall(32, oversampling) for oversampling in (1, 2, 4, 8, 300)]
    assert by_width == sorted(by_width)
    assert by_length == sorted(by_length)
    assert by_length[-1] == 1


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS), st.sampled_from([0.1, 0.5, 0.9]))
def test_rows_of_others_change_no_bit_of_what_codes_find(seed: int, kind: Kind, share: float) -> None:
    matrix, queries = normal(seed, 400, 40), normal(seed + 1, 3, 40)
    rows = np.flatnonzero(np.random.default_rng(seed).random(400) < share)
    mask = np.zeros(400, np.bool_)
    mask[rows] = True
    compression, own = Compression(kind, 24), matrix[rows].copy()
    among = Approximation(Codes.of(matrix, compression), 2).nearest(store_of(matrix), queries, RowRanges.of(mask), 5)
    alone = Approximation(Codes.of(own, compression), 2).nearest(store_of(own), queries, everything(len(own)), 5)
    assert [(found.tolist(), scores.tolist()) for found, scores in among] == [
        (rows[found].tolist(), scores.tolist()) for found, scores in alone
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_zero_vectors_and_zero_prefixes_have_codes(kind: Kind) -> None:
    matrix = np.zeros((50, 8), np.float32)
    matrix[25:, 7] = 1
    codes, store = Codes.of(matrix, Compression(kind, 4)), store_of(matrix)
    (rows, scores), *_ = Approximation(codes, 2).nearest(store, matrix[30:31], everything(50), 10)
    assert rows.tolist() == list(range(10))  # no prefix tells them apart, so the shortlist goes by row
    assert scores.tolist() == [0] * 10
