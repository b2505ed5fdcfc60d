"""Which stretch of text is it, among those seen before? One pass over UTF-8, with a hash table that believes no hash.

A stretch is a run of bytes that may be in one word. It ends before a byte that is in no word, and before punctuation
that no letter follows. Words of ASCII letters are taken apart at hyphens and commas. A stretch is *plain* when it is of
ASCII letters and digits, and no capital stands behind a small letter or is mixed with them but at the start; then case
does not matter, and its capitals are made small.

Stretches are numbered from 0 in the order in which they first appear. A stretch is hashed with FNV-1a (Fowler, Noll and
Vo; 64 bits) while it is read, looked up by linear probing (Knuth, The Art of Computer Programming 3, section 6.4), and
is the same as another only if all its bytes are. What cannot be remembered gets a new number at each appearance: what is
longer than `LONGEST`, and what would lie more than `PROBES` slots behind its own, as words do that were made to collide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import kernel

LONGEST = 64
"""Bytes of a stretch that is remembered."""
PROBES = 64
"""Slots in which a stretch may lie."""
END = -1
"""Stands in `found` behind the stretches of a text."""

BREAK, SMALL, DIGIT, OTHER, CUT, CAPITAL, JOINT, UNDERSCORE, SIGN = 0, 1, 2, 4, 8, 32, 16, 64, 128
"""Roles of bytes, as bits: in no word; a small letter, a digit, anything beyond ASCII; hyphen and comma; a capital (32 is
the bit by which it differs from the small letter); full stop and apostrophe; underscore; `+` and `#`."""

TEXT, AT, KNOWN = 0, 1, 2
"""Places in `cursor`: the text and the byte at which to go on, and how many stretches have a number."""
STRANGE, PLAIN, FORGOTTEN = 0, 1, 2
"""Kinds of a new stretch: remembered, remembered and plain, not remembered."""

_BASIS, _PRIME = 0xCBF29CE484222325, 0x100000001B3
_LETTER = SMALL | CAPITAL
_START = _LETTER | DIGIT | OTHER
_NEWLINE = 10


@kernel
def look_up(
    texts: NDArray[np.uint8],
    ends: NDArray[np.int64],
    roles: NDArray[np.uint8],
    slots: NDArray[np.uint32],
    hashes: NDArray[np.uint64],
    letters: NDArray[np.uint8],
    letter_ends: NDArray[np.int64],
    cursor: NDArray[np.int64],
    found: NDArray[np.int32],
    kinds: NDArray[np.uint8],
    spans: NDArray[np.int64],
) -> int:
    """Write the number of each stretch to `found`, and `END` behind each text; returns how many were written.

    `texts` holds the UTF-8 of all texts, text i up to `ends[i]`, where a byte with the role `BREAK` stands; `roles` has
    the role of each of the 256 bytes. Reading begins at `cursor` and stops when `found` is full, when a new stretch
    would need a number that `hashes` has no room for, or when the texts are over; `cursor` then says where. The n-th
    stretch that got a number is of `kinds[n]` and lies in `texts` at `spans[n]`; there is room for as many as in `found`.

    The table: each of `slots`, a power of two of them, holds 1 + the number of a stretch, or 0. The bytes of stretch n
    begin at `letter_ends[n]` in `letters`, with a newline behind them, which ends before `letter_ends[n + 1]`; `letters`
    has room for `LONGEST + 1` of each.
    """
    one, known, new, count = np.uint64(1), np.uint64(cursor[KNOWN]), np.uint64(0), np.uint64(0)
    text, at, cut_to = np.uint64(cursor[TEXT]), np.uint64(cursor[AT]), np.uint64(0)
    room, full = np.uint64(hashes.size), np.uint64(found.size)
    while text < np.uint64(ends.size) and count < full:
        end = np.uint64(ends[text])
        while at < end and not roles[texts[at]] & _START:
            at += one
        if at == end:
            found[count] = END
            count += one
            text += one
            at = end + one
            continue
        if known == room:
            break
        start = at
        role = roles[texts[at]]
        first, inner, hash = role, np.uint8(0), np.uint64(_BASIS)
        while True:
            hash = (hash ^ np.uint64(texts[at] | role & CAPITAL)) * np.uint64(_PRIME)
            at += one
            role = roles[texts[at]]
            if not role & _START:
                if role == BREAK or (role != SIGN and not roles[texts[at + one]] & (_START | role & UNDERSCORE)):
                    break
                if role == CUT and at < cut_to:
                    break
            inner |= role
        seen = first | inner
        if seen & CUT and not seen & ~(_LETTER | CUT):
            cut_to, at = at, start
            continue
        plain = not (seen & ~(_LETTER | DIGIT) or (inner & CAPITAL and seen & SMALL))
        fold = np.uint8(CAPITAL) if plain else np.uint8(0)
        slot = _slot(texts, start, at, fold, hash, slots, hashes, letters, letter_ends)
        if slot >= 0 and slots[np.uint64(slot)] > 0:
            found[count] = slots[np.uint64(slot)] - np.uint32(1)
        else:
            spans[new, 0], spans[new, 1] = start, at
            kinds[new] = FORGOTTEN if slot < 0 else PLAIN if plain else STRANGE
            letter = np.uint64(letter_ends[known])
            if slot >= 0:
                slots[np.uint64(slot)] = known + one
                for place in range(start, at):
                    letters[letter] = texts[place] | fold
                    letter += one
            letters[letter] = _NEWLINE
            letter_ends[known + one] = letter + one
            hashes[known] = hash
            found[count] = known
            known += one
            new += one
        count += one
    cursor[TEXT], cursor[AT], cursor[KNOWN] = text, at, known
    return np.int64(count)


@kernel
def _slot(
    texts: NDArray[np.uint8],
    start: np.uint64,
    stop: np.uint64,
    fold: np.uint8,
    hash: np.uint64,
    slots: NDArray[np.uint32],
    hashes: NDArray[np.uint64],
    letters: NDArray[np.uint8],
    letter_ends: NDArray[np.int64],
) -> int:
    """The slot in which the stretch lies, or an empty one for it, or -1 when it cannot be remembered."""
    one, length = np.uint64(1), stop - start
    if length > np.uint64(LONGEST):
        return -1
    mask = np.uint64(slots.size) - one
    slot = (hash ^ (hash >> np.uint64(32))) & mask
    for _ in range(PROBES):
        if slots[slot] == 0:
            return np.int64(slot)
        number = np.uint64(slots[slot]) - one
        if hashes[number] == hash:
            letter = np.uint64(letter_ends[number])
            if np.uint64(letter_ends[number + one]) - letter == length + one:
                offset = np.uint64(0)
                while offset < length and letters[letter + offset] == texts[start + offset] | fold:
                    offset += one
                if offset == length:
                    return np.int64(slot)
        slot = (slot + one) & mask
    return -1
