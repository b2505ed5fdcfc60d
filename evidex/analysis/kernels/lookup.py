"""Which number has a key, in order of first appearance? A hash table that believes no hash.

A key is a few words of 64 bits. It is hashed by multiplication and looked up by linear probing (Knuth, The Art of
Computer Programming 3, section 6.4), and is the same as another only if all its words are. A key that would lie
`PROBES` slots or more behind its own, as keys do that were made to collide, gets a new number at each appearance, as
empty keys do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel

PROBES = 64
"""Slots in which a key may lie."""

_FACTOR = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio
_SHIFT, _WORDS = 8, 0xFF  # a slot holds the number and, in its lowest bits, the words of a key


@kernel
def look_up(  # noqa: C901  # one loop over keys: a call each would cost more than most keys
    keys: NDArray[np.uint64],
    key_ends: NDArray[np.int64],
    slots: NDArray[np.uint64],
    known_keys: NDArray[np.uint64],
    known_ends: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    known: int,
    numbers: NDArray[np.int32],
    new: NDArray[np.int64],
) -> Whole:
    """Write the number of each key; returns how many numbers have been given from the beginning, `known` before.

    Key n is `keys[key_ends[n] : key_ends[n + 1]]`, of at most 255 words, and none for an empty key; it gets
    `numbers[n]`. The keys that got a new number are listed in `new`, which has room for all.

    The table: `slots`, shape (a power of two, 2), hold the first word of a key, and 0 or 256 * (1 + its number) + its
    words. The key with number m is `known_keys[known_ends[m] : known_ends[m + 1]]`, and its hash `hashes[m]`. There is
    room for the new ones.
    """
    one, last, given = np.uint64(1), np.uint64(known), np.uint64(0)
    mask, probes = np.uint64(len(slots) - 1), np.uint64(PROBES)
    for place in range(np.uint64(numbers.size)):
        start, end = np.uint64(key_ends[place]), np.uint64(key_ends[place + one])
        words, hash = end - start, np.uint64(0)
        for part in range(start, end):
            hash = (hash ^ (hash >> np.uint64(32)) ^ keys[part]) * np.uint64(_FACTOR)
        slot, probe, same = (hash >> np.uint64(32)) & mask, np.uint64(0), False
        while words > 0 and probe < probes and slots[slot, 1] > 0:
            if slots[slot, 0] == keys[start] and slots[slot, 1] & np.uint64(_WORDS) == words:
                same = words == one
                if not same:
                    word, other = start + one, np.uint64(known_ends[(slots[slot, 1] >> np.uint64(_SHIFT)) - one]) + one
                    while word < end and keys[word] == known_keys[other]:
                        word += one
                        other += one
                    same = word == end
                if same:
                    break
            slot = (slot + one) & mask
            probe += one
        if same:
            numbers[place] = (slots[slot, 1] >> np.uint64(_SHIFT)) - one
            continue
        numbers[place], new[given] = last, place
        given += one
        if words > 0 and probe < probes:
            slots[slot, 0], slots[slot, 1] = keys[start], (last + one) << np.uint64(_SHIFT) | words
        other = np.uint64(known_ends[last])
        for part in range(start, end):
            known_keys[other] = keys[part]
            other += one
        hashes[last] = hash
        last += one
        known_ends[last] = other
    return np.int64(last)


@kernel
def spread(
    known_keys: NDArray[np.uint64],
    known_ends: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    known: int,
    slots: NDArray[np.uint64],
) -> None:
    """Write the first `known` keys of a table to other slots, which are all 0."""
    one, mask, probes = np.uint64(1), np.uint64(len(slots) - 1), np.uint64(PROBES)
    for number in range(np.uint64(known)):
        start, end = np.uint64(known_ends[number]), np.uint64(known_ends[number + one])
        slot, probe = (hashes[number] >> np.uint64(32)) & mask, np.uint64(0)
        while probe < probes and slots[slot, 1] > 0:
            slot = (slot + one) & mask
            probe += one
        if start < end and probe < probes:
            slots[slot, 0], slots[slot, 1] = known_keys[start], (number + one) << np.uint64(_SHIFT) | (end - start)


def look_up_in_numpy(keys: NDArray[np.uint64], key_ends: NDArray[np.int64]) -> NDArray[np.int32]:
    """The numbers that `look_up` gives to keys, of which none is empty, from an empty table."""
    numbers: dict[bytes, int] = {}
    found = [key.tobytes() for key in np.split(keys, key_ends[1:-1])]
    return np.array([numbers.setdefault(key, len(numbers)) for key in found], np.int32)
