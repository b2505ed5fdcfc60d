"""Which few vectors stand for a chunk's tokens? The sum of each run of neighbouring tokens, where they point together.

MaxSim over these costs an eighth, and finds the chunks that are worth comparing token by token. A pool is made of its
own chunk alone: nothing is learned from a corpus, so what is beside a chunk cannot change it. (Clavié, Chaffin and
Adams 2024, "Reducing the Footprint of Multi-Vector Retrieval with Minimal Performance Impact via Token Pooling", where
pooling by position is one of the methods compared. On MiniLM's tokens it found more of the best chunks than
fixed-dimension encodings of the same size: Dhulipala et al. 2024, "MUVERA".)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.index.multivector import SHARD_BYTES, SealedTokenVectors, write_token_vectors
from evidex.storage import Folder
from evidex.types import Vectors

PART = "token-pools"
POOLED = 8
"""Tokens to a pool; the last pool of a chunk may have fewer."""


def write_token_pools(folder: Folder, tokens: SealedTokenVectors, *, shard_bytes: int = SHARD_BYTES) -> int:
    """Write the pools of sealed token vectors, to be opened as `SealedTokenVectors` too; returns how many."""
    chunks = range(len(tokens.offsets) - 1)
    pools = (pooled(tokens.codes_of_row(row)) for row in chunks)
    return write_token_vectors(folder, pools, width=tokens.width, part=PART, shard_bytes=shard_bytes)


def pooled(codes: NDArray[np.int8]) -> Vectors:
    """The pools of one chunk, float32 of shape (tokens / POOLED rounded up, width): sums of whole numbers, so exact."""
    if not len(codes):
        return np.zeros((0, codes.shape[1]), np.float32)
    sums: Vectors = np.add.reduceat(codes, np.arange(0, len(codes), POOLED), axis=0, dtype=np.int32).astype(np.float32)
    return sums
