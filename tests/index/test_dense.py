from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from evidex.errors import ContractError, GenerationError, ProviderError
from evidex.index.dense import DenseIndex
from evidex.index.exact import exact_scores
from evidex.index.strings import Strings
from evidex.index.vectors import SealedVectors, write_vectors
from evidex.ports import EmbedderContract, Embedding
from evidex.storage import Folder
from evidex.types import ChunkId, Ranking, Scope, Vectors

UNIT = EmbedderContract("table", "1", "", "", "", "sum", True, 2, 0, "cosine")


class Table:
    """An embedder that looks the vectors of whole texts up; it does not know any other text."""

    has_token_vectors = False

    def __init__(self, contract: EmbedderContract, vectors: Mapping[str, Vectors]) -> None:
        self.contract = contract
        self._vectors = vectors

    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding:
        nothing = np.zeros(self.contract.width, np.float32)
        known = tuple(2 if text in self._vectors else 0 for text in texts)
        unknown = tuple(1 if text else 0 for text in texts)
        vectors = np.stack([self._vectors.get(text, nothing) for text in texts])
        return Embedding(vectors, known, unknown, (0,) * len(texts))


def vectors(*rows: Sequence[float]) -> Vectors:
    return np.array(rows, np.float32)


def numbered(count: int) -> Strings:
    return Strings.of(f"{row:04}" for row in range(count))


def everything(count: int) -> Scope:
    return Scope(np.ones(count, np.bool_))


def index(
    path: Path,
    matrix: Vectors,
    queries: Mapping[str, Vectors],
    *,
    contract: EmbedderContract = UNIT,
    ids: Strings | None = None,
) -> DenseIndex:
    fitting = replace(contract, width=matrix.shape[1])
    write_vectors(Folder(path), matrix, contract=fitting)
    return DenseIndex(SealedVectors.open(path, ids=ids or numbered(len(matrix))), Table(fitting, queries))


def scored(ranking: Ranking) -> list[tuple[str, float]]:
    return [(hit.chunk, hit.score) for hit in ranking.hits]


def normal(seed: int, rows: int, width: int) -> Vectors:
    drawn = np.random.default_rng(seed).normal(size=(rows, width))
    unit: Vectors = (drawn / np.sqrt((drawn * drawn).sum(axis=1, keepdims=True))).astype(np.float32)
    return unit


def test_the_nearest_comes_first_and_its_score_is_the_cosine(tmp_path: Path) -> None:
    compass = index(tmp_path, vectors((1, 0), (0.6, 0.8), (0, 1), (-1, 0)), {"east": vectors((1, 0))[0]})
    (ranking,) = compass.search(["east"], everything(4), 10)
    assert scored(ranking) == [("0000", 1.0), ("0001", pytest.approx(0.6)), ("0002", 0.0), ("0003", -1.0)]
    assert [hit.rank for hit in ranking.hits] == [1, 2, 3, 4]


def test_vectors_that_are_not_normalised_are_compared_by_angle_under_cosine_and_by_length_under_dot(
    tmp_path: Path,
) -> None:
    matrix, queries = vectors((3, 4), (10, 0), (0, 0.5)), {"east": vectors((2, 0))[0]}
    loose = replace(UNIT, normalized=False)
    (cosine,) = index(tmp_path / "cosine", matrix, queries, contract=loose).search(["east"], everything(3), 10)
    (dot,) = index(tmp_path / "dot", matrix, queries, contract=replace(loose, metric="dot")).search(
        ["east"], everything(3), 10
    )
    assert scored(cosine) == [("0001", 1.0), ("0000", pytest.approx(0.6)), ("0002", 0.0)]
    assert scored(dot) == [("0001", 20.0), ("0000", 6.0), ("0002", 0.0)]


def test_a_chunk_with_the_zero_vector_is_never_found(tmp_path: Path) -> None:
    compass = index(tmp_path, vectors((0, 0), (0, -1)), {"north": vectors((0, 1))[0]})
    assert scored(compass.search(["north"], everything(2), 10)[0]) == [("0001", -1.0)]


@pytest.mark.parametrize("query", ["", "what is this"])
def test_a_query_of_which_the_embedder_knows_nothing_finds_nothing(tmp_path: Path, query: str) -> None:
    compass = index(tmp_path, vectors((1, 0), (0, 1)), {"east": vectors((1, 0))[0], "nowhere": vectors((0, 0))[0]})
    unknown, zero, east = compass.search([query, "nowhere", "east"], everything(2), 10)
    assert unknown.hits == zero.hits == ()
    assert unknown.notes == (("effective_terms", 0), ("oov_rate", 1.0 if query else 0.0), ("truncated", 0))
    assert east.ids == ("0000", "0001")
    assert east.notes == (("effective_terms", 2), ("oov_rate", 1 / 3), ("truncated", 0))


def test_a_batch_of_queries_is_ranked_as_one_by_one(tmp_path: Path) -> None:
    queries = {str(number): vector for number, vector in enumerate(normal(1, 7, 24))}
    plain = index(tmp_path, normal(2, 900, 24), queries)
    together = plain.search(list(queries), everything(900), 20)
    assert together == tuple(plain.search([query], everything(900), 20)[0] for query in queries)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 9), st.integers(1, 45))
def test_the_ranking_is_that_of_exact_arithmetic_on_the_stored_values(
    tmp_path_factory: pytest.TempPathFactory, seed: int, rows: int, width: int, limit: int
) -> None:
    matrix, query = normal(seed, rows, width), normal(seed + 1, 1, width)[0]
    matrix[np.random.default_rng(seed).random(rows) < 0.3] = matrix[0]  # ties
    exact = [
        np.float32(float(sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(row, query, strict=True))))
        for row in matrix
    ]
    order = sorted(range(rows), key=lambda row: (-exact[row], row))[:limit]
    (ranking,) = index(tmp_path_factory.mktemp("dense"), matrix, {"q": query}).search(["q"], everything(rows), limit)
    assert scored(ranking) == [(f"{row:04}", float(exact[row])) for row in order]


def test_the_shortlist_keeps_what_rounding_could_have_moved(tmp_path: Path) -> None:
    query = normal(3, 1, 384)[0]
    noise = np.random.default_rng(3).normal(scale=1e-8, size=(5000, 384)).astype(np.float32)
    crowd = (query + noise).astype(np.float32)
    everyone = np.arange(len(crowd), dtype=np.uint32)
    exact = exact_scores(crowd, everyone, query)
    order = np.lexsort((everyone, -exact))[:50]
    (ranking,) = index(tmp_path, crowd, {"q": query}).search(["q"], everything(len(crowd)), 50)
    assert scored(ranking) == [(f"{row:04}", float(exact[row])) for row in order]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.data())
def test_what_is_not_visible_changes_no_bit_of_what_is(
    tmp_path_factory: pytest.TempPathFactory, seed: int, data: st.DataObject
) -> None:
    folder, matrix, query = tmp_path_factory.mktemp("dense"), normal(seed, 60, 33), {"q": normal(seed + 1, 1, 33)[0]}
    visible = np.array(data.draw(st.lists(st.booleans(), min_size=60, max_size=60)), np.bool_)
    matrix[~visible] = 0.999 * matrix[~visible] + 0.001 * matrix[0]  # others' vectors may be anything near unit length
    matrix /= np.sqrt((matrix * matrix).sum(axis=1, keepdims=True))
    ids = Strings.of(f"{row:04}" for row in np.flatnonzero(visible))
    among_others = index(folder / "all", matrix, query).search(["q"], Scope(visible), 10)
    alone = index(folder / "own", matrix[visible], query, ids=ids).search(["q"], everything(int(visible.sum())), 10)
    assert among_others == alone


@pytest.mark.parametrize("share", [0.02, 0.4, 0.6, 0.98])
def test_a_scope_with_many_gaps_or_few_is_ranked_as_exact_scores_rank_it(tmp_path: Path, share: float) -> None:
    matrix, query = normal(8, 9000, 256), normal(9, 1, 256)[0]
    visible = np.random.default_rng(10).random(9000) < share
    rows = np.flatnonzero(visible).astype(np.uint32)
    exact = exact_scores(matrix, rows, query)
    order = np.lexsort((rows, -exact))[:20]
    (ranking,) = index(tmp_path, matrix, {"q": query}).search(["q"], Scope(visible), 20)
    assert scored(ranking) == [(f"{rows[place]:04}", float(exact[place])) for place in order]


def test_a_row_has_the_same_score_alone_as_among_others() -> None:
    for width in (1, 2, 7, 8, 64, 127, 128, 129, 384, 1024):
        matrix, query = normal(width, 300, width), normal(width + 1, 1, width)[0]
        together = exact_scores(matrix, np.arange(300, dtype=np.uint32), query)
        alone = [exact_scores(matrix[row : row + 1], np.arange(1, dtype=np.uint32), query)[0] for row in range(300)]
        shifted = exact_scores(matrix[1:].copy(), np.arange(299, dtype=np.uint32), query)
        assert together.tolist() == [float(score) for score in alone]
        assert together[1:].tolist() == shifted.tolist()


def test_among_some_chunks_each_has_the_score_that_it_has_among_all(tmp_path: Path) -> None:
    queries = {str(number): vector for number, vector in enumerate(normal(11, 3, 40))}
    plain, scope = index(tmp_path, normal(12, 700, 40), queries), everything(700)
    for query, ranking in zip(queries, plain.search(list(queries), scope, 700), strict=True):
        (some,) = plain.search([query], scope, 5, among=list(ranking.ids[100:3:-7]))
        assert scored(some) == scored(ranking)[9:101:7][:5]
    assert plain.search(["0"], scope, 5, among=[])[0].hits == ()


def test_the_number_of_threads_changes_no_bit(tmp_path: Path) -> None:
    queries = {str(number): vector for number, vector in enumerate(normal(5, 40, 256))}
    large = index(tmp_path, normal(6, 6000, 256), queries)
    scope = Scope(np.random.default_rng(7).random(6000) < 0.7)
    found = []
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            found.append(large.search(list(queries), scope, 30))
    assert found[0] == found[1] == found[2]


def test_more_hits_than_rows_are_no_error_and_none_are_none(tmp_path: Path) -> None:
    compass = index(tmp_path, vectors((1, 0), (0, 1)), {"east": vectors((1, 0))[0]})
    assert len(compass.search(["east"], everything(2), 10**6)[0].hits) == 2
    assert compass.search(["east"], everything(2), 0)[0].hits == ()
    assert compass.search(["east"], Scope(np.zeros(2, np.bool_)), 10)[0].hits == ()
    assert compass.search([], everything(2), 10) == ()


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    void = index(tmp_path, np.zeros((0, 2), np.float32), {"east": vectors((1, 0))[0]})
    assert void.search(["east"], everything(0), 10)[0].hits == ()


def test_vectors_are_given_in_the_order_asked_for(tmp_path: Path) -> None:
    store = index(tmp_path, vectors((1, 0), (0, 1)), {}).store
    assert store.vectors([ChunkId("0001"), ChunkId("0000"), ChunkId("0001")]).tolist() == [[0, 1], [1, 0], [0, 1]]
    assert store.vectors([]).shape == (0, 2)
    with pytest.raises(GenerationError, match="'zz'"):
        store.vectors([ChunkId("zz")])


def test_without_sealed_vectors_every_vector_is_empty() -> None:
    assert SealedVectors.none(numbered(3)).vectors([ChunkId("0002")]).shape == (1, 0)


def test_the_matrix_is_mapped_read_only(tmp_path: Path) -> None:
    assert not index(tmp_path, vectors((1, 0)), {}).store.matrix.flags.writeable


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30])
def test_a_vector_that_is_not_finite_is_refused_with_its_row(tmp_path: Path, value: float) -> None:
    with pytest.raises(GenerationError, match="row 1 has length"):
        write_vectors(Folder(tmp_path), vectors((1, 0), (value, 0)), contract=replace(UNIT, normalized=False))


def test_a_vector_that_is_not_normalised_as_promised_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match=r"row 2 has length 0\.5.*normalised"):
        write_vectors(Folder(tmp_path), vectors((1, 0), (0, 0), (0.5, 0)), contract=UNIT)


def test_another_width_is_refused_on_both_sides(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="width 2; the settings give 3"):
        write_vectors(Folder(tmp_path), vectors((1, 0, 0)), contract=UNIT)
    narrow = index(tmp_path, vectors((1, 0)), {})
    with pytest.raises(ContractError, match="width 2; the settings give 3"):
        replace(narrow, embedder=Table(replace(UNIT, width=3), {})).search(["q"], everything(1), 1)


def test_a_query_vector_that_is_not_finite_is_the_fault_of_the_embedder(tmp_path: Path) -> None:
    broken = index(tmp_path, vectors((1, 0)), {"q": vectors((float("nan"), 0))[0]})
    with pytest.raises(ProviderError, match="'table' gave a query vector of length nan"):
        broken.search(["q"], everything(1), 1)


def test_the_scope_of_another_generation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="over 4 chunks, the generation holds 1"):
        index(tmp_path, vectors((1, 0)), {}).search(["q"], everything(4), 10)
