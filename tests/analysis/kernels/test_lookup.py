from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidex.analysis.kernels.lookup import PROBES, look_up, look_up_in_numpy, spread

ROOM = 1_000
Key = tuple[int, ...]


@dataclass
class Table:
    slots: NDArray[np.uint64] = field(default_factory=lambda: np.zeros((2048, 2), np.uint64))
    keys: NDArray[np.uint64] = field(default_factory=lambda: np.empty(8 * ROOM, np.uint64))
    ends: NDArray[np.int64] = field(default_factory=lambda: np.zeros(ROOM + 1, np.int64))
    hashes: NDArray[np.uint64] = field(default_factory=lambda: np.empty(ROOM, np.uint64))
    known: int = 0

    def numbers(self, keys: list[Key]) -> list[int]:
        found, new = np.empty(len(keys), np.int32), np.empty(len(keys), np.int64)
        words, ends = flat(keys)
        before = self.known
        self.known = look_up(words, ends, self.slots, self.keys, self.ends, self.hashes, before, found, new)
        assert found[new[: self.known - before]].tolist() == list(range(before, self.known))
        return found.tolist()


def flat(keys: list[Key]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    return np.array([word for key in keys for word in key], np.uint64), np.cumsum([0, *map(len, keys)])


def colliding(number: int) -> list[Key]:
    """Keys of one word whose hashes are 1, 2, 3 …: the upper halves, which choose the slot, are all 0."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    return [(place * inverse % (1 << 64),) for place in range(1, number + 1)]


keys_of_text = st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple), min_size=1, max_size=60)


@given(keys_of_text, keys_of_text)
def test_equal_keys_have_equal_numbers_in_order_of_first_appearance(first: list[Key], second: list[Key]) -> None:
    table = Table()

    found = table.numbers(first) + table.numbers(second)

    assert found == look_up_in_numpy(*flat(first + second)).tolist()


def test_keys_with_the_same_hash_are_told_apart_by_their_words() -> None:
    keys = colliding(PROBES)
    assert Table().numbers(keys * 2) == [*range(PROBES), *range(PROBES)]


def test_keys_that_find_no_slot_and_empty_ones_get_a_number_at_each_appearance() -> None:
    table = Table()
    *remembered, excess = colliding(PROBES + 1)
    table.numbers(remembered)

    assert table.numbers([excess, (), excess, (), remembered[-1]]) == [*range(PROBES, PROBES + 4), PROBES - 1]


@given(keys_of_text)
def test_keys_are_found_after_a_table_has_grown(keys: list[Key]) -> None:
    table = Table()
    before = table.numbers([*keys, ()])[:-1]
    table.slots = np.zeros((4096, 2), np.uint64)
    spread(table.keys, table.ends, table.hashes, table.known, table.slots)

    assert table.numbers(keys) == before
