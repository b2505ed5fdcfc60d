from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.strings import Strings
from evidex.index.token_pools import PART, POOLED, pooled, write_token_pools
from evidex.storage import Folder, checksums
from evidex.types import ChunkId

WIDTH = 4
LENGTHS = (POOLED, 0, 1, 2 * POOLED + 1)
IDS = [ChunkId(id) for id in "abcd"]


def test_a_pool_is_the_sum_of_neighbouring_tokens() -> None:
    codes = np.arange(POOLED + 2, dtype=np.int8)[:, None] * np.array([1, -1], np.int8)
    first, rest = sum(range(POOLED)), POOLED + POOLED + 1
    assert pooled(codes).tolist() == [[first, -first], [rest, -rest]]


def test_sums_beyond_a_byte_are_kept() -> None:
    assert pooled(np.full((POOLED, 1), 127, np.int8)).tolist() == [[127 * POOLED]]


@pytest.mark.parametrize("shard_bytes", [1, 2**26])
def test_pools_are_written_chunk_by_chunk_and_are_the_same_bytes_whatever_the_shards(
    tmp_path: Path, shard_bytes: int
) -> None:
    values = np.random.default_rng(5).standard_normal((sum(LENGTHS), WIDTH)).astype(np.float32)
    chunks = np.split(values, np.cumsum(LENGTHS)[:-1])
    for name, size in (("whole", 2**26), ("cut", shard_bytes)):
        write_token_vectors(Folder(tmp_path / name), chunks, width=WIDTH, shard_bytes=size)
        tokens = SealedTokenVectors.open(tmp_path / name, ids=Strings.of(IDS))
        assert write_token_pools(Folder(tmp_path / name), tokens) == 1 + 0 + 1 + 3
    pools = SealedTokenVectors.open(tmp_path / "whole", ids=Strings.of(IDS), part=PART)
    assert [len(pools.codes_of_row(row)) for row in range(len(IDS))] == [1, 0, 1, 3]
    assert checksums(tmp_path / "whole" / PART) == checksums(tmp_path / "cut" / PART)


def test_without_any_token_there_is_no_pool(tmp_path: Path) -> None:
    assert write_token_pools(Folder(tmp_path), SealedTokenVectors.none(Strings.of(IDS))) == 0
