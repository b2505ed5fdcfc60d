from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidex.errors import GenerationError
from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.strings import Strings
from evidex.storage import Folder, checksums
from evidex.types import ChunkId, Vectors

WIDTH = 3
IDS = [ChunkId(id) for id in "abcdef"]
TOKENS = (2, 0, 5, 1, 0, 3)


def passages() -> list[Vectors]:
    """Token vectors whose values float16 holds exactly."""
    values = np.arange(sum(TOKENS) * WIDTH, dtype=np.float32).reshape(-1, WIDTH) / 64
    return np.split(values, np.cumsum(TOKENS)[:-1])


@pytest.mark.parametrize("shard_bytes", [1, 2 * WIDTH * 4, 2**26])
def test_token_vectors_come_back_however_they_were_cut_into_shards(tmp_path: Path, shard_bytes: int) -> None:
    written = write_token_vectors(Folder(tmp_path), iter(passages()), width=WIDTH, shard_bytes=shard_bytes)
    store = SealedTokenVectors.open(tmp_path, ids=Strings.of(IDS))
    assert written == sum(TOKENS)
    for expected, found in zip(passages(), store.token_vectors(IDS), strict=True):
        assert found.dtype == np.float32
        assert found.shape == expected.shape
        assert np.array_equal(found, expected)


def test_they_are_given_in_the_order_asked_for(tmp_path: Path) -> None:
    write_token_vectors(Folder(tmp_path), passages(), width=WIDTH)
    store = SealedTokenVectors.open(tmp_path, ids=Strings.of(IDS))
    assert [len(tokens) for tokens in store.token_vectors([IDS[5], IDS[0], IDS[5]])] == [3, 2, 3]
    with pytest.raises(GenerationError, match="'zz'"):
        store.token_vectors([ChunkId("zz")])


def test_values_are_rounded_to_steps_of_a_2048th(tmp_path: Path) -> None:
    write_token_vectors(Folder(tmp_path), [np.array([[1 / 3]], np.float32)], width=1)
    store = SealedTokenVectors.open(tmp_path, ids=Strings.of("a"))
    assert store.token_vectors([ChunkId("a")])[0].tolist() == [[round(2048 / 3) / 2048]]


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_token_vectors(Folder(tmp_path / name), passages(), width=WIDTH, shard_bytes=20)
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")


@pytest.mark.parametrize("count", [0, 2])
def test_chunks_without_tokens_have_empty_vectors(tmp_path: Path, count: int) -> None:
    empty = [np.zeros((0, 0), np.float32)] * count
    assert write_token_vectors(Folder(tmp_path), empty, width=WIDTH) == 0
    store = SealedTokenVectors.open(tmp_path, ids=Strings.of(IDS[:count]))
    assert [tokens.shape for tokens in store.token_vectors(IDS[:count])] == [(0, WIDTH)] * count


def test_without_sealed_token_vectors_every_chunk_has_none() -> None:
    store = SealedTokenVectors.none(Strings.of(IDS))
    assert [tokens.shape for tokens in store.token_vectors(IDS)] == [(0, 0)] * len(IDS)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 70_000.0])
def test_a_value_that_float16_cannot_hold_is_refused_with_its_row(tmp_path: Path, value: float) -> None:
    good, bad = np.ones((1, 1), np.float32), np.full((1, 1), value, np.float32)
    with pytest.raises(GenerationError, match="row 1 hold a value"):
        write_token_vectors(Folder(tmp_path), [good, bad], width=1)


def test_another_width_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="row 0 are 2 wide, not 3"):
        write_token_vectors(Folder(tmp_path), [np.ones((1, 2), np.float32)], width=3)


def test_a_shard_ends_with_the_chunk_that_fills_it(tmp_path: Path) -> None:
    # Every chunk has 3 · 2 bytes, so the second one of each shard fills 7 of them and no chunk more goes in.
    chunks = [np.ones((1, WIDTH), np.float32)] * 5
    write_token_vectors(Folder(tmp_path), chunks, width=WIDTH, shard_bytes=7)
    store = SealedTokenVectors.open(tmp_path, ids=Strings.of(IDS[:5]))
    assert store.shard_rows.tolist() == [0, 2, 4]
    assert [len(shard) for shard in store.shards] == [2, 2, 1]
