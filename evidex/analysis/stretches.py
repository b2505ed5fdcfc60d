"""How are texts analyzed fast? Each distinct stretch between two characters that no word contains is analyzed once.

No word, and no character of its normalised form, depends on what lies beyond such a character, so the terms of a text
are the terms of its stretches, one after another. Real text repeats itself: a stretch is mostly a word seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.kernels.cutting import KEY, TEXT, cut
from evidex.analysis.kernels.expansion import expand
from evidex.analysis.kernels.gathering import gather
from evidex.analysis.kernels.lookup import look_up, spread
from evidex.analysis.words import simplified

MOST_STRETCHES = 1 << 19
"""Stretches that are remembered; when there may be more, all are forgotten."""
MOST_TERMS = 1 << 22
"""Terms of the remembered stretches; when there are more, all are forgotten."""
STEP = 1 << 14
"""Stretches that are looked up at a time: few enough for a processor's cache."""

NumbersOf: TypeAlias = Callable[[Sequence[str], Sequence[int]], tuple[Sequence[int], Sequence[int]]]
"""Stretches, plain ones in small letters, and their kinds (see `cut`) into the numbers of their terms, one after
another, and how many each has."""


class Stretches:
    """Turns texts into numbers by way of their stretches.

    `numbers_of` is asked for the numbers of stretches in the order in which they appear in the texts, and only once
    for each distinct one as long as it is remembered. `remembered` of them can be, `step` are looked up at a time. Not
    to be shared between threads.
    """

    def __init__(self, numbers_of: NumbersOf, *, remembered: int = MOST_STRETCHES, step: int = STEP) -> None:
        self._numbers_of = numbers_of
        self._cuts = _Cuts.of(step)
        self._slots = np.zeros((2 << step.bit_length(), 2), np.uint64)
        self._hashes = np.empty(remembered, np.uint64)
        self._keys = np.empty(remembered * KEY, np.uint64)
        self._key_ends = np.zeros(remembered + 1, np.int64)
        self._starts = np.zeros(remembered + 1, np.int64)
        self._sizes = np.empty(remembered, np.int64)
        self._terms = np.zeros(1, np.int32)
        self._known = 0

    def number(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of all texts, one after another, and how many each text has."""
        # A lone surrogate, which UTF-8 cannot hold, is in no word, nor is the "?" in its place.
        utf8 = [simplified(text).encode("utf-8", "replace") for text in texts]
        ends = np.cumsum(np.fromiter(map(len, utf8), np.int64, len(utf8)) + 1) - 1
        joined = np.frombuffer(b"\n".join([*utf8, b""]), np.uint8)
        lengths = np.zeros(len(texts), np.int64)
        cursor = np.zeros(2, np.int64)
        numbers = [np.empty(0, np.int32)]
        while cursor[TEXT] < len(texts):
            numbers.append(self._advance(joined, ends, cursor, lengths))
        return np.concatenate(numbers), lengths

    def _advance(
        self, texts: NDArray[np.uint8], ends: NDArray[np.int64], cursor: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        if self._known + len(self._cuts.kinds) > len(self._sizes) or self._starts[self._known] > MOST_TERMS:
            self._slots[:] = 0
            self._known = 0
        if 2 * (self._known + len(self._cuts.kinds)) > len(self._slots):  # half of them empty: a search ends soon
            self._slots = np.zeros((2 * len(self._slots), 2), np.uint64)
            spread(self._keys, self._key_ends, self._hashes, self._known, self._slots)
        cuts, text = self._cuts, int(cursor[TEXT])
        count = cut(texts, ends, cursor, cuts.keys, cuts.key_ends, cuts.kinds, cuts.spans, cuts.counts)
        found = cuts.found[:count]
        known = look_up(
            cuts.keys,
            cuts.key_ends,
            self._slots,
            self._keys,
            self._key_ends,
            self._hashes,
            self._known,
            found,
            cuts.new,
        )
        self._learn(texts, known)
        numbers = np.empty(int(self._sizes[found].sum()) + 1, np.int32)
        counts = cuts.counts[: min(int(cursor[TEXT]) + 1, len(lengths)) - text]
        expand(found, counts, self._starts, self._terms, numbers, lengths[text:])
        return numbers[:-1]

    def _learn(self, texts: NDArray[np.uint8], known: int) -> None:
        """Ask for the numbers of the stretches that are known from now on."""
        before = self._known
        if known == before:
            return
        cuts, new = self._cuts, self._cuts.new[: known - before]
        starts, stops = cuts.spans[new].T
        said = np.empty(int((stops - starts).sum()) + len(new) - 1, np.uint8)
        gather(texts, cuts.spans, cuts.kinds, new, said)
        numbers, sizes = self._numbers_of(said.tobytes().decode().split("\n"), cuts.kinds[new].tolist())
        self._sizes[before:known] = np.fromiter(sizes, np.int64, len(sizes))
        self._starts[before + 1 : known + 1] = self._starts[before] + np.cumsum(sizes, dtype=np.int64)
        start, stop = int(self._starts[before]), int(self._starts[known])
        if stop >= len(self._terms):
            self._terms = np.resize(self._terms, 2 * stop + 1)
        self._terms[start:stop] = np.fromiter(numbers, np.int32, len(numbers))
        self._known = known


@dataclass(frozen=True, slots=True, eq=False)
class _Cuts:
    """Room for the stretches of a step, as `cut` and `look_up` write them."""

    keys: NDArray[np.uint64]
    key_ends: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    spans: NDArray[np.int64]
    counts: NDArray[np.int64]
    found: NDArray[np.int32]
    new: NDArray[np.int64]

    @classmethod
    def of(cls, step: int) -> _Cuts:
        return cls(
            np.empty(step * KEY, np.uint64),
            np.empty(step + 1, np.int64),
            np.empty(step, np.uint8),
            np.empty((step, 2), np.int64),
            np.empty(step, np.int64),
            np.empty(step, np.int32),
            np.empty(step, np.int64),
        )
