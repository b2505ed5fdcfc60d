from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.errors import ContractError, GenerationError
from evidex.index.late import CHANNEL, LateIndex
from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.strings import Strings
from evidex.index.token_pools import PART as POOLS
from evidex.index.token_pools import write_token_pools
from evidex.ports import EmbedderContract, Embedding
from evidex.storage import Folder
from evidex.types import ChunkId, Scope, Vectors
from tests.reranking.maxsim import maxsim

WIDTH = 4


@dataclass(frozen=True)
class Table:
    """An embedder that looks the token vectors of whole texts up; it does not know any other text."""

    tokens_of: Mapping[str, Vectors]
    has_token_vectors: bool = True
    contract: EmbedderContract = field(
        default=EmbedderContract("table", "1", "", "", "", "mean", True, WIDTH, 0, "cosine")
    )

    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding:
        assert role == "query"
        assert token_vectors
        nothing = np.zeros((0, WIDTH), np.float32)
        tokens = tuple(self.tokens_of.get(text, nothing) for text in texts)
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        unknown = tuple(0 if len(rows) else len(text.split()) for rows, text in zip(tokens, texts, strict=True))
        return Embedding(vectors, tuple(len(rows) for rows in tokens), unknown, (0,) * len(texts), tokens)


def unit(rows: NDArray[np.floating[Any]]) -> Vectors:
    unit_rows: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit_rows


def random_tokens(seed: int, lengths: Sequence[int]) -> list[Vectors]:
    values = np.random.default_rng(seed).standard_normal((sum(lengths), WIDTH)).astype(np.float32)
    return np.split(unit(values), np.cumsum(lengths)[:-1]) if lengths else []


def numbered(count: int) -> list[ChunkId]:
    return [ChunkId(f"{row:04}") for row in range(count)]


def everything(count: int) -> Scope:
    return Scope(np.ones(count, np.bool_))


def index(
    path: Path,
    chunks: Mapping[ChunkId, Vectors],
    queries: Mapping[str, Vectors],
    *,
    candidates: int = 1000,
    shard_bytes: int = 2**26,
) -> LateIndex:
    ids = Strings.of(chunks)
    write_token_vectors(Folder(path), chunks.values(), width=_width(chunks), shard_bytes=shard_bytes)
    tokens = SealedTokenVectors.open(path, ids=ids)
    write_token_pools(Folder(path), tokens)
    pools = SealedTokenVectors.open(path, ids=ids, part=POOLS)
    return LateIndex(tokens, pools, Table(queries), candidates)


def _width(chunks: Mapping[ChunkId, Vectors]) -> int:
    return next((tokens.shape[1] for tokens in chunks.values()), WIDTH)


LENGTHS = (3, 0, 20, 1, 9, 0, 40, 17)
CHUNKS = dict(zip(numbered(len(LENGTHS)), random_tokens(1, LENGTHS), strict=True))
QUERY = random_tokens(2, [3])[0]
FINDABLE = sum(length > 0 for length in LENGTHS)


def test_a_small_scope_is_ordered_by_mean_maxsim(tmp_path: Path) -> None:
    (ranking,) = index(tmp_path, CHUNKS, {"q": QUERY}).search(["q"], everything(len(CHUNKS)), 10)
    expected = {id: maxsim(QUERY, tokens) / len(QUERY) for id, tokens in CHUNKS.items() if len(tokens)}
    assert ranking.channel == CHANNEL
    assert {hit.chunk: hit.score for hit in ranking.hits} == pytest.approx(expected, abs=1 / 127)
    assert [hit.score for hit in ranking.hits] == sorted((hit.score for hit in ranking.hits), reverse=True)
    assert [hit.rank for hit in ranking.hits] == list(range(1, FINDABLE + 1))


def test_a_chunk_without_tokens_is_never_found_and_an_unknown_query_finds_nothing(tmp_path: Path) -> None:
    late = index(tmp_path, CHUNKS, {"q": QUERY})
    known, unknown, empty = late.search(["q", "so strange", ""], everything(len(CHUNKS)), 10)
    assert {id for id, tokens in CHUNKS.items() if not len(tokens)}.isdisjoint(known.ids)
    assert unknown.hits == empty.hits == ()
    assert dict(known.notes) == {"effective_terms": 3, "oov_rate": 0.0, "truncated": 0, "candidates": FINDABLE}
    assert dict(unknown.notes) == {"effective_terms": 0, "oov_rate": 1.0, "truncated": 0, "candidates": 0}
    assert dict(empty.notes)["oov_rate"] == 0.0


def test_no_queries_and_no_visible_chunks_give_nothing(tmp_path: Path) -> None:
    late = index(tmp_path, CHUNKS, {"q": QUERY})
    assert late.search([], everything(len(CHUNKS)), 10) == ()
    assert late.search(["q"], Scope(np.zeros(len(CHUNKS), np.bool_)), 10)[0].hits == ()
    assert late.search(["q"], everything(len(CHUNKS)), 0)[0].hits == ()


def test_an_index_without_chunks_finds_nothing(tmp_path: Path) -> None:
    assert index(tmp_path, {}, {"q": QUERY}).search(["q"], everything(0), 10)[0].hits == ()


def test_equal_scores_are_ordered_by_id(tmp_path: Path) -> None:
    same = dict.fromkeys(numbered(6), CHUNKS[ChunkId("0000")])
    (ranking,) = index(tmp_path, same, {"q": QUERY}, candidates=4).search(["q"], everything(6), 3)
    assert ranking.ids == ("0000", "0001", "0002")
    assert len({hit.score for hit in ranking.hits}) == 1


def test_a_large_scope_scores_only_the_candidates_and_each_as_an_exact_search_does(tmp_path: Path) -> None:
    exact = index(tmp_path / "exact", CHUNKS, {"q": QUERY}).search(["q"], everything(len(CHUNKS)), 10)[0]
    (ranking,) = index(tmp_path / "few", CHUNKS, {"q": QUERY}, candidates=2).search(["q"], everything(len(CHUNKS)), 2)
    assert dict(ranking.notes)["candidates"] == 2
    scores = {hit.chunk: hit.score for hit in exact.hits}
    assert [hit.score for hit in ranking.hits] == [scores[id] for id in ranking.ids]
    (whole,) = index(tmp_path / "all", CHUNKS, {"q": QUERY}, candidates=2).search(["q"], everything(len(CHUNKS)), 100)
    assert whole == exact


def test_among_some_chunks_each_has_the_score_that_it_has_without(tmp_path: Path) -> None:
    late = index(tmp_path, CHUNKS, {"q": QUERY}, candidates=1)
    scope = everything(len(CHUNKS))
    scores = {hit.chunk: hit.score for hit in late.search(["q"], scope, 10)[0].hits}
    among = [ChunkId(id) for id in ("0006", "0001", "0003", "0006")]
    (ranking,) = late.search(["q"], scope, 10, among=among)
    assert {hit.chunk: hit.score for hit in ranking.hits} == {id: scores[ChunkId(id)] for id in ("0003", "0006")}
    assert len(late.search(["q"], scope, 1, among=among)[0].hits) == 1
    assert late.search(["q"], scope, 10, among=[])[0].hits == ()


def test_what_does_not_fit_is_refused_by_name(tmp_path: Path) -> None:
    late = index(tmp_path, CHUNKS, {"q": QUERY, "narrow": np.ones((1, 3), np.float32)})
    with pytest.raises(GenerationError, match="over 3 chunks, the generation holds 8"):
        late.search(["q"], everything(3), 10)
    with pytest.raises(GenerationError, match="'zz'"):
        late.search(["q"], everything(len(CHUNKS)), 10, among=[ChunkId("zz")])
    with pytest.raises(ContractError, match="width"):
        late.search(["narrow"], everything(len(CHUNKS)), 10)


@settings(max_examples=25, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 20), min_size=1, max_size=12),
    seed=st.integers(0, 2**16),
    candidates=st.integers(1, 6),
    limit=st.integers(1, 8),
    data=st.data(),
)
def test_what_is_not_visible_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    lengths: list[int],
    seed: int,
    candidates: int,
    limit: int,
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("late")
    chunks = dict(zip(numbered(len(lengths)), random_tokens(seed, lengths), strict=True))
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(lengths), max_size=len(lengths))))
    seen = {id: tokens for visible, (id, tokens) in zip(mask, chunks.items(), strict=True) if visible}
    queries = {"q": random_tokens(seed + 1, [5])[0]}
    within = index(folder / "whole", chunks, queries, candidates=candidates, shard_bytes=50)
    alone = index(folder / "seen", seen, queries, candidates=candidates)
    assert within.search(["q"], Scope(mask), limit) == alone.search(["q"], everything(len(seen)), limit)


def test_pools_find_nearly_all_of_the_best_among_many(tmp_path: Path) -> None:
    """Recall@100 of 300 candidates of 2,000, of questions about one chunk; neighbouring tokens are alike, as in texts."""
    random, width = np.random.default_rng(11), 32
    wandering = np.cumsum(random.standard_normal((2000, 24, width)), axis=1)
    tokens = [unit(rows) for rows in random.standard_normal((2000, 1, width)) + wandering / 3]
    queries = {
        f"q{row}": unit(tokens[row][::4] + random.standard_normal((6, width)) / 6) for row in range(0, 2000, 100)
    }
    chunks = dict(zip(numbered(2000), tokens, strict=True))
    exact = index(tmp_path / "exact", chunks, queries, candidates=2000).search(list(queries), everything(2000), 100)
    found = index(tmp_path / "found", chunks, queries, candidates=300).search(list(queries), everything(2000), 100)
    shares = [len({*one.ids} & {*other.ids}) / 100 for one, other in zip(found, exact, strict=True)]
    assert sum(shares) / len(shares) >= 0.95
