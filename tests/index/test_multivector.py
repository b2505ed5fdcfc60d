from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidex.errors import ContractError, GenerationError, ProviderError
from evidex.index.multivector import WITHOUT_VECTORS, SealedTokenVectors, write_token_vectors
from evidex.index.strings import Strings
from evidex.storage import Folder, checksums
from evidex.types import ChunkId, Vectors
from tests.reranking.maxsim import maxsim

WIDTH = 3
IDS = [ChunkId(id) for id in "abcdef"]
TOKENS = (2, 0, 5, 1, 0, 3)
SHARDINGS = (1, 2 * WIDTH + 1, 2**26)
QUERY = np.array([[1, 0, 0], [0.6, 0, 0.8]], np.float32)


def passages() -> list[Vectors]:
    values = np.random.default_rng(3).standard_normal((sum(TOKENS), WIDTH)).astype(np.float32)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    return np.split(values, np.cumsum(TOKENS)[:-1])


def stored(path: Path, chunks: list[Vectors], *, shard_bytes: int = 2**26) -> SealedTokenVectors:
    write_token_vectors(Folder(path), chunks, width=WIDTH, shard_bytes=shard_bytes)
    return SealedTokenVectors.open(path, ids=Strings.of(IDS[: len(chunks)]))


@pytest.mark.parametrize("shard_bytes", SHARDINGS)
def test_scores_are_the_mean_maxsim_however_the_chunks_were_cut_into_shards(tmp_path: Path, shard_bytes: int) -> None:
    found = stored(tmp_path, passages(), shard_bytes=shard_bytes).maxsim(QUERY, IDS)
    assert found.dtype == np.float32
    for score, tokens in zip(found.tolist(), passages(), strict=True):
        expected = maxsim(QUERY, tokens) / len(QUERY) if len(tokens) else WITHOUT_VECTORS
        assert score == pytest.approx(expected, abs=1 / 127)


def test_a_score_depends_on_the_query_and_its_chunk_alone(tmp_path: Path) -> None:
    stores = [stored(tmp_path / str(size), passages(), shard_bytes=size) for size in SHARDINGS]
    alone = {id: stores[0].maxsim(QUERY, [id]).tolist() for id in IDS}
    for store in stores:
        for asked in (IDS, IDS[::-1], [IDS[5], IDS[0], IDS[5]]):
            assert store.maxsim(QUERY, asked).tolist() == [score for id in asked for score in alone[id]]


def test_a_chunk_without_tokens_scores_least_and_a_query_without_tokens_scores_nothing(tmp_path: Path) -> None:
    store = stored(tmp_path, passages())
    assert store.maxsim(QUERY, [IDS[1], IDS[4]]).tolist() == [WITHOUT_VECTORS] * 2
    assert store.maxsim(np.zeros((0, WIDTH), np.float32), IDS).tolist() == [0.0] * len(IDS)
    assert store.maxsim(QUERY, []).tolist() == []


def test_without_sealed_token_vectors_every_chunk_has_none() -> None:
    assert SealedTokenVectors.none(Strings.of(IDS)).maxsim(QUERY, IDS).tolist() == [WITHOUT_VECTORS] * len(IDS)


@pytest.mark.parametrize("count", [0, 2])
def test_chunks_that_all_lack_tokens_can_be_written(tmp_path: Path, count: int) -> None:
    store = stored(tmp_path, [np.zeros((0, 0), np.float32)] * count)
    assert store.maxsim(QUERY, IDS[:count]).tolist() == [WITHOUT_VECTORS] * count


def test_what_cannot_be_asked_is_refused_by_name(tmp_path: Path) -> None:
    store = stored(tmp_path, passages())
    with pytest.raises(GenerationError, match="'zz'"):
        store.maxsim(QUERY, [ChunkId("zz")])
    with pytest.raises(ContractError, match="width 3; the settings give 2"):
        store.maxsim(QUERY[:, :2], IDS)
    with pytest.raises(ProviderError, match="not finite"):
        store.maxsim(QUERY * np.float32("nan"), IDS)


def test_a_token_takes_one_byte_a_component(tmp_path: Path) -> None:
    stored(tmp_path, passages())
    assert sum(file.stat().st_size for file in (tmp_path / "tokens").glob("codes-*")) == sum(TOKENS) * WIDTH


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        stored(tmp_path / name, passages(), shard_bytes=7)
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")


@pytest.mark.parametrize("shard_bytes", SHARDINGS)
def test_the_codes_are_the_same_bytes_whatever_the_size_of_shards(tmp_path: Path, shard_bytes: int) -> None:
    whole, cut = stored(tmp_path / "1", passages()), stored(tmp_path / "2", passages(), shard_bytes=shard_bytes)
    assert b"".join(shard.tobytes() for shard in cut.shards) == b"".join(shard.tobytes() for shard in whole.shards)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_value_that_is_not_finite_is_refused_with_its_row(tmp_path: Path, value: float) -> None:
    good, bad = np.ones((1, 1), np.float32), np.full((1, 1), value, np.float32)
    with pytest.raises(GenerationError, match="row 1 hold a value"):
        write_token_vectors(Folder(tmp_path), [good, bad], width=1)


def test_another_width_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="row 0 are 2 wide, not 3"):
        write_token_vectors(Folder(tmp_path), [np.ones((1, 2), np.float32)], width=3)


def test_a_shard_ends_with_the_chunk_that_fills_it(tmp_path: Path) -> None:
    # Every chunk has 3 bytes, so the second one of each shard fills 4 of them and no chunk more goes in.
    store = stored(tmp_path, [np.ones((1, WIDTH), np.float32)] * 5, shard_bytes=4)
    assert store.shard_rows.tolist() == [0, 2, 4]
    assert [len(shard) for shard in store.shards] == [2, 2, 1]


def test_a_shard_that_was_cut_short_is_named(tmp_path: Path) -> None:
    stored(tmp_path, passages())
    file = tmp_path / "tokens" / "codes-00000.bin"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(GenerationError, match=r"codes-00000\.bin' has 32 bytes instead of 33"):
        SealedTokenVectors.open(tmp_path, ids=Strings.of(IDS))
