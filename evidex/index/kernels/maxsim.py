"""How well does each chunk answer each token of a query? Mean MaxSim over int8 codes (Khattab and Zaharia 2020, eq. 3).

    score(q, d) = 1/|q| * sum over query tokens i of  max over chunk tokens t of  cos(q_i, d_t)

Cosines are those of the codes: an integer dot product, which no order of addition changes, over their lengths. The rest
is one IEEE operation after another, so a score is the same to the last bit on any machine and beside any other chunk.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel
from evidex.index.kernels.maxsim_tile import LANES, TILE, tile_products


def in_lanes(queries: NDArray[np.int16]) -> NDArray[np.int16]:
    """Query codes, shape (tokens, width), as the kernel reads them: (blocks, pairs, LANES, 2), filled up with zeros."""
    tokens, width = queries.shape
    filled = np.zeros((-(-tokens // LANES) * LANES, width + width % 2), np.int16)
    filled[:tokens, :width] = queries
    pairs = filled.reshape(-1, LANES, filled.shape[1] // 2, 2)
    return np.ascontiguousarray(pairs.transpose(0, 2, 1, 3))


@kernel
def mean_maxsim(
    codes: NDArray[np.int8],
    first: NDArray[np.uint64],
    last: NDArray[np.uint64],
    queries: NDArray[np.int16],
    inverse_lengths: NDArray[np.float64],
    scores: NDArray[np.float32],
) -> None:
    """Score every chunk, whose tokens are `codes[first:last]` (at least one), into `scores`.

    `queries` is what `in_lanes` gave, and `inverse_lengths` holds one over the Euclidean length of each query token's
    codes, 0 for the zero vector. A dot product of codes must fit into int32.
    """
    blocks, pairs, width = queries.shape[0], queries.shape[1], codes.shape[1]
    rows = np.zeros((TILE, 2 * pairs), np.int16)
    inverses = np.empty(TILE, np.float32)
    products = np.empty((TILE, LANES), np.int32)
    best = np.empty((blocks, LANES), np.float32)
    for chunk in range(len(first)):
        best[:] = np.float32(-np.inf)
        for start in range(first[chunk], last[chunk], np.uint64(TILE)):
            for row in range(TILE):
                token = min(start + np.uint64(row), last[chunk] - np.uint64(1))  # the last one fills the tile
                squares = np.int32(0)
                for column in range(width):
                    code = np.int16(codes[token, column])
                    rows[row, column] = code
                    squares = np.int32(squares + np.int32(code) * np.int32(code))
                inverses[row] = np.float32(1 / np.sqrt(np.float64(squares))) if squares else np.float32(0)
            for block in range(blocks):
                tile_products(rows, queries[block], products)
                for row in range(TILE):
                    for lane in range(LANES):
                        scaled = np.float32(products[row, lane]) * inverses[row]
                        if scaled > best[block, lane]:
                            best[block, lane] = scaled
        total = 0.0
        for token in range(len(inverse_lengths)):
            cosine = best[token // LANES, token % LANES] * inverse_lengths[token]
            total += min(1.0, max(-1.0, cosine))
        scores[chunk] = np.float32(total / len(inverse_lengths))


def mean_maxsim_in_numpy(
    codes: NDArray[np.int8],
    first: NDArray[np.uint64],
    last: NDArray[np.uint64],
    queries: NDArray[np.int16],
    inverse_lengths: NDArray[np.float64],
    scores: NDArray[np.float32],
) -> None:
    """`mean_maxsim`, by matrix products of int64."""
    tokens, width = len(inverse_lengths), codes.shape[1]
    asked = queries.transpose(0, 2, 1, 3).reshape(-1, 2 * queries.shape[1])[:tokens, :width].astype(np.int64)
    for chunk, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        wide = codes[begin:end].astype(np.int64)
        lengths = np.sqrt(np.square(wide).sum(axis=1).astype(np.float64))
        inverses = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0).astype(np.float32)
        best = ((wide @ asked.T).astype(np.float32) * inverses[:, None]).max(axis=0)
        cosines = np.clip(best * inverse_lengths, -1, 1)
        scores[chunk] = np.float32(sum(cosines.tolist()) / tokens)
