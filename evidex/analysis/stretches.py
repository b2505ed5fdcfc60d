"""How are texts analyzed fast? Each distinct stretch between two characters that no word contains is analyzed once.

No word, and no character of its normalised form, depends on what lies beyond such a character, so the terms of a text
are the terms of its stretches, one after another. Real text repeats itself: a stretch is mostly a word seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.kernels import lookup
from evidex.analysis.kernels.expansion import expand
from evidex.analysis.kernels.lookup import FORGOTTEN, KNOWN, LONGEST, PLAIN, TEXT, look_up

MOST_STRETCHES = 1 << 19
"""Stretches that are remembered; when there are more, all are forgotten."""
MOST_TERMS = 1 << 22
"""Terms of the remembered stretches, as `MOST_STRETCHES`."""
_AT_ONCE = 1 << 16  # stretches of a step

NumbersOf: TypeAlias = Callable[[Sequence[str], Sequence[bool]], tuple[Sequence[int], Sequence[int]]]
"""The numbers of some stretches, one after another, and how many each has. The second argument tells which of them are
plain: of small ASCII letters and digits only."""


class Stretches:
    """Turns texts into numbers by way of their stretches.

    `numbers_of` is asked for the numbers of stretches in the order in which they appear in the texts, and only once for
    each distinct one as long as it is remembered. Not to be shared between threads.
    """

    def __init__(self, numbers_of: NumbersOf, *, remembered: int = MOST_STRETCHES) -> None:
        self._numbers_of = numbers_of
        # At least twice the room, and a power of two: a search then ends within few slots.
        self._slots = np.zeros(2 << remembered.bit_length(), np.uint32)
        self._hashes = np.empty(remembered, np.uint64)
        self._letters = np.empty(remembered * (LONGEST + 1), np.uint8)
        self._letter_ends = np.zeros(remembered + 1, np.int64)
        self._sizes = np.zeros(remembered + 1, np.int32)
        self._starts = np.zeros(remembered + 1, np.int64)
        self._terms = np.empty(0, np.int32)
        self._known = 0
        self._found = np.empty(_AT_ONCE, np.int32)
        self._kinds = np.empty(_AT_ONCE, np.uint8)
        self._spans = np.empty((_AT_ONCE, 2), np.int64)

    def number(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of all texts, one after another, and how many each text has."""
        utf8 = [text.encode("utf-8", "replace") for text in texts]  # a lone surrogate is in no word, nor is a "?"
        ends = np.fromiter(accumulate(len(text) + 1 for text in utf8), np.int64, len(utf8)) - 1
        joined = b"\n".join([*utf8, b""])
        lengths = np.zeros(len(texts), np.int64)
        cursor = np.zeros(3, np.int64)
        numbers = [np.empty(0, np.int32)]
        while cursor[TEXT] < len(texts):
            numbers.append(self._step(joined, ends, cursor, lengths))
        return np.concatenate(numbers), lengths

    def _step(
        self, texts: bytes, ends: NDArray[np.int64], cursor: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        if self._known == len(self._hashes) or self._starts[self._known] > MOST_TERMS:
            self._slots[:] = 0
            self._known = 0
        text, cursor[KNOWN] = cursor[TEXT], self._known
        count = look_up(
            np.frombuffer(texts, np.uint8),
            ends,
            ROLES,
            self._slots,
            self._hashes,
            self._letters,
            self._letter_ends,
            cursor,
            self._found,
            self._kinds,
            self._spans,
        )
        self._learn(texts, int(cursor[KNOWN]))
        found = self._found[:count]
        numbers = np.empty(int(self._sizes[found].sum()), np.int32)  # END is -1, and the last of the sizes stays 0
        expand(found, self._starts, self._terms, numbers, lengths[text:])
        return numbers

    def _learn(self, texts: bytes, known: int) -> None:
        """Ask for the numbers of the stretches that are known from now on."""
        before, new = self._known, known - self._known
        kinds = self._kinds[:new]
        letters = self._letters[self._letter_ends[before] : self._letter_ends[known]]
        stretches = letters.tobytes().decode().split("\n")[:-1]
        for place in np.flatnonzero(kinds == FORGOTTEN).tolist():
            start, stop = self._spans[place].tolist()
            stretches[place] = texts[start:stop].decode()
        numbers, sizes = self._numbers_of(stretches, (kinds == PLAIN).tolist())
        self._sizes[before:known] = sizes
        self._starts[before + 1 : known + 1] = self._starts[before] + np.cumsum(sizes, dtype=np.int64)
        start, stop = int(self._starts[before]), int(self._starts[known])
        if stop > len(self._terms):
            self._terms = np.resize(self._terms, 2 * stop)
        self._terms[start:stop] = numbers
        self._known = known


def _roles() -> NDArray[np.uint8]:
    roles = np.full(256, lookup.BREAK, np.uint8)
    roles[ord("a") : ord("z") + 1] = lookup.SMALL
    roles[ord("A") : ord("Z") + 1] = lookup.CAPITAL
    roles[ord("0") : ord("9") + 1] = lookup.DIGIT
    roles[list(b"-,")] = lookup.CUT
    roles[list(b".'")] = lookup.JOINT
    roles[ord("_")] = lookup.UNDERSCORE
    roles[list(b"+#")] = lookup.SIGN
    roles[128:] = lookup.OTHER
    return roles


ROLES = _roles()
"""The role of each byte of UTF-8. Characters beyond ASCII are left to the analyzer, the punctuation too."""
