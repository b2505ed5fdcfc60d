"""One bit a component: how far apart are the signs of vectors, and which rows are nearest by that?

Bit j is 1 where component j is at least 0: zero counts as positive, and the centre is the origin, so a row's bits
depend on no other row. The share of differing bits grows with the angle between two vectors (Charikar 2002,
"Similarity Estimation Techniques from Rounding Algorithms"). Distances are small integers, so the nearest are found
by counting how many rows have each, without sorting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel
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
def hamming_distances(
    codes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.uint64],
    distances: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """Write the distance of every row of some ranges from `query`, in their order, and count each distance.

    `codes` is what `in_groups` gave; `counts` has room for every distance and comes as zeros.
    """
    flat, size = codes.reshape(codes.size), np.uint64(GROUP)
    stride, found, before = size * np.uint64(codes.shape[1]), np.empty(GROUP, np.uint64), np.uint64(0)
    for number in range(starts.size):
        first, stop = np.uint64(starts[number]), np.uint64(stops[number])
        if first == stop:
            continue
        first_group = first // size
        groups = (stop - np.uint64(1)) // size + np.uint64(1) - first_group
        for position in range(groups):
            group = first_group + place_in_streams(position, groups)
            group_distances(flat, group * stride, query, found)
            for row in range(max(first, group * size), min(stop, (group + np.uint64(1)) * size)):
                distance = found[row - group * size]
                distances[before + row - first] = distance
                counts[distance] += 1
        before += stop - first


def hamming_distances_in_numpy(
    codes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    query: NDArray[np.uint64],
    distances: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """`hamming_distances`."""
    rows: NDArray[Any] = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    plain = codes.transpose(0, 2, 1).reshape(-1, codes.shape[1])
    distances[:] = np.bitwise_count(plain[rows] ^ query).sum(axis=1)
    counts += np.bincount(distances, minlength=len(counts))


@kernel
def nearest_by_count(distances: NDArray[np.uint16], counts: NDArray[np.int64], places: NDArray[np.uint32]) -> None:
    """The first `places.size` places by distance, equal ones by place, in ascending order of places.

    `counts` holds how many of `distances` are 0, 1, 2 …
    """
    farthest, before = np.uint64(0), np.int64(0)
    while before + counts[farthest] < places.size:
        before += counts[farthest]
        farthest += np.uint64(1)
    left = places.size - before
    found = np.uint64(0)
    for place in range(np.uint64(distances.size)):
        distance = np.uint64(distances[place])
        if distance > farthest or (distance == farthest and left == 0):
            continue
        if distance == farthest:
            left -= 1
        places[found] = place
        found += np.uint64(1)


def nearest_by_count_in_numpy(
    distances: NDArray[np.uint16],
    counts: NDArray[np.int64],  # noqa: ARG001  # what the kernel needs to sort nothing
    places: NDArray[np.uint32],
) -> None:
    """`nearest_by_count`."""
    places[:] = np.sort(np.argsort(distances, kind="stable")[: len(places)])
