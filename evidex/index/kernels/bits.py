"""One bit a component: how far apart are the signs of vectors, and which rows are nearest by that?

Bit j is 1 where component j is at least 0: zero counts as positive, and the centre is the origin, so a row's bits
depend on no other row. The share of differing bits grows with the angle between two vectors (Charikar 2002,
"Similarity Estimation Techniques from Rounding Algorithms"). Distances are small integers, so counting how many rows
have each tells at any time how near a row must be to be among the nearest; few are written down, and none is sorted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel
from evidex.index.kernels.popcount import GROUP, group_distances
from evidex.index.kernels.streams import place_in_streams

WORD = 64
"""Bits of one word of a code."""


def pack_signs(matrix: NDArray[np.float32]) -> NDArray[np.uint64]:
    """The sign bits of rows, shape (rows, words); component j is bit j mod 64 of word j // 64, and the rest is 0."""
    rows, width = matrix.shape
    packed = np.zeros((rows, -(-width // WORD) * WORD // 8), np.uint8)
    packed[:, : -(-width // 8)] = np.packbits(matrix >= 0, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def in_groups(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Codes, shape (rows, words), as they are searched: (groups, words, GROUP), the last group filled up with zeros."""
    rows, words = codes.shape
    filled = np.zeros((-(-rows // GROUP) * GROUP, words), np.uint64)
    filled[:rows] = codes
    return np.ascontiguousarray(filled.reshape(-1, GROUP, words).transpose(0, 2, 1))


@kernel
def rows_by_signs(
    codes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.uint64],
    wanted: Whole,
    counts: NDArray[np.int64],
    places: NDArray[np.uint32],
    distances: NDArray[np.uint16],
) -> tuple[Whole, Whole]:
    """Write the places of rows that may be among the `wanted` nearest, with their distances, in no order.

    Returns how many there are, and the greatest distance of the nearest: of the `wanted` nearest, each is as near or
    nearer, and all that are nearer are among them. Places count the rows of some ranges, which hold `wanted` or more.
    `codes` is what `in_groups` gave; `counts` has room for every distance and comes as zeros; `places` and
    `distances` have room for all rows of the ranges.
    """
    flat, size = codes.reshape(codes.size), np.uint64(GROUP)
    stride, found, before = size * np.uint64(codes.shape[1]), np.empty(GROUP, np.uint64), np.uint64(0)
    farthest, within, kept = np.uint64(counts.size - 1), np.int64(0), np.uint64(0)
    for number in range(starts.size):
        first, stop = np.uint64(starts[number]), np.uint64(stops[number])
        if first == stop:
            continue
        first_group = first // size
        groups = (stop - np.uint64(1)) // size + np.uint64(1) - first_group
        for position in range(groups):
            group = first_group + place_in_streams(position, groups)
            group_distances(flat, group * stride, query, found)
            nearest = found[0]
            for lane in range(1, GROUP):
                nearest = min(nearest, found[lane])
            if nearest > farthest:
                continue
            for row in range(max(first, group * size), min(stop, (group + np.uint64(1)) * size)):
                distance = found[row - group * size]
                if distance > farthest:
                    continue
                places[kept], distances[kept] = before + row - first, distance
                kept += np.uint64(1)
                counts[distance] += 1
                within += 1
                while within - counts[farthest] >= wanted:
                    within -= counts[farthest]
                    farthest -= np.uint64(1)
        before += stop - first
    return kept, farthest


def rows_by_signs_in_numpy(
    codes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.uint64],
    wanted: int,
    counts: NDArray[np.int64],  # noqa: ARG001  # by which the kernel knows how near is near enough
    places: NDArray[np.uint32],
    distances: NDArray[np.uint16],
) -> tuple[int, int]:
    """`rows_by_signs`, which may keep some more of those that are too far."""
    rows: NDArray[Any] = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    plain = codes.transpose(0, 2, 1).reshape(-1, codes.shape[1])
    apart = np.bitwise_count(plain[rows] ^ query).sum(axis=1)
    farthest = int(np.sort(apart)[wanted - 1])
    near = np.flatnonzero(apart <= farthest)
    places[: len(near)], distances[: len(near)] = near, apart[near]
    return len(near), farthest
