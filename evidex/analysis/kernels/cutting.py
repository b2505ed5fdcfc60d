"""Which stretches is a text made of? One pass over UTF-8.

A stretch is a run of bytes that may be in one word. It begins with a letter, a digit or anything beyond ASCII, and
ends before a byte that is in no word, and before punctuation that none of these follows. Stretches of ASCII letters
are taken apart at hyphens and commas. A stretch is plain when it is of ASCII letters and digits and has no capital
behind or among small letters but at its start; case does not matter then.

The key of a stretch is its bytes, 8 to a word and the first one lowest, with zeros to fill the last word; capitals of
plain stretches are made small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidex.compiled import Whole, kernel

LONGEST = 64
"""Bytes of a stretch that has a key."""
KEY = LONGEST // 8
"""Words of the longest key."""

PLAIN, WORD, MIXED, LONG = 0, 1, 2, 3
"""Kinds of stretches: plain; another word of ASCII letters, digits and punctuation; not ASCII, or with a `+` or `#`;
longer than `LONGEST`, of whatever kind, and without a key."""

TEXT, AT = 0, 1
"""Places in `cursor`: the text and the byte at which to go on."""

_BREAK, _SMALL, _DIGIT, _OTHER, _CUT, _JOINT, _CAPITAL, _UNDERSCORE, _SIGN = 0, 1, 2, 4, 8, 16, 32, 64, 128
_LETTER = _SMALL | _CAPITAL  # a capital's role is the bit by which it differs from its small letter
_START = _LETTER | _DIGIT | _OTHER


def _roles() -> NDArray[np.uint8]:
    roles = np.full(256, _BREAK, np.uint8)
    roles[ord("a") : ord("z") + 1] = _SMALL
    roles[ord("A") : ord("Z") + 1] = _CAPITAL
    roles[ord("0") : ord("9") + 1] = _DIGIT
    roles[list(b"-,")] = _CUT
    roles[list(b".'")] = _JOINT
    roles[ord("_")] = _UNDERSCORE
    roles[list(b"+#")] = _SIGN
    roles[128:] = _OTHER
    return roles


_ROLES = _roles()


@kernel
def cut(  # noqa: C901  # one state machine over bytes: a call each would cost more than the byte
    texts: NDArray[np.uint8],
    ends: NDArray[np.int64],
    cursor: NDArray[np.int64],
    keys: NDArray[np.uint64],
    key_ends: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    spans: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> Whole:
    """Write the stretches of some texts; returns how many there are.

    `texts` holds the UTF-8 of all texts, text i up to `ends[i]`, where a newline stands. Reading begins at `cursor` and
    stops when `kinds` or `counts` is full or the texts are over; `cursor` then says where.

    The key of stretch n becomes `keys[key_ends[n] : key_ends[n + 1]]`; its kind `kinds[n]`; it lies in `texts` at
    `spans[n]`. `keys` and `key_ends` have room for as many as `kinds` and `spans`. `counts[i]` becomes the number of
    stretches in the i-th text from where reading began.
    """
    one, eight, wide, word_size = np.uint64(1), np.uint64(8), np.uint64(64), np.uint64(LONGEST)
    first_text, text, at = np.uint64(cursor[TEXT]), np.uint64(cursor[TEXT]), np.uint64(cursor[AT])
    count, cut_to, key_end = np.uint64(0), np.uint64(0), np.uint64(0)
    capitals = np.empty(KEY, np.uint64)
    counts[0] = key_ends[0] = 0
    while count < np.uint64(kinds.size):
        end = np.uint64(ends[text])
        while at < end and not _ROLES[texts[at]] & _START:
            at += one
        if at == end:
            text += one
            at += one
            if text == np.uint64(ends.size) or text - first_text == np.uint64(counts.size):
                break
            counts[text - first_text] = 0
            continue
        start, words, shift = at, np.uint64(0), np.uint64(0)
        word = capital = np.uint64(0)
        role = _ROLES[texts[at]]
        first, inner = role, np.uint8(0)
        while True:
            word |= np.uint64(texts[at]) << shift
            capital |= np.uint64(role & _CAPITAL) << shift
            shift += eight
            at += one
            if shift == wide:
                if at - start <= word_size:
                    keys[key_end + words], capitals[words] = word, capital
                    words += one
                word = capital = shift = np.uint64(0)
            before, role = role, _ROLES[texts[at]]
            if not role & _START:
                if role == _BREAK or (role == _CUT and at < cut_to):
                    break
                if role != _SIGN and role & before != _UNDERSCORE and not _leads_on(texts, at):
                    break
            inner |= role
        seen = first | inner
        if seen & _CUT and not seen & ~(_LETTER | _CUT):
            cut_to, at = at, start
            continue
        spans[count, 0], spans[count, 1] = start, at
        if at - start > word_size:
            kinds[count], words = LONG, np.uint64(0)
        else:
            if shift > 0:
                keys[key_end + words], capitals[words] = word, capital
                words += one
            kinds[count] = MIXED if seen & (_OTHER | _SIGN) else WORD
            if not (seen & ~(_LETTER | _DIGIT) or (inner & _CAPITAL and seen & _SMALL)):
                kinds[count] = PLAIN
                for place in range(words):
                    keys[key_end + place] |= capitals[place]
        key_end += words
        count += one
        key_ends[count] = key_end
        counts[text - first_text] += 1
    cursor[TEXT], cursor[AT] = text, at
    return np.int64(count)


@kernel
def _leads_on(texts: NDArray[np.uint8], at: np.uint64) -> Any:
    """Whether a letter or the like follows the punctuation, or the run of underscores, that begins here."""
    one = np.uint64(1)
    underscore = _ROLES[texts[at]] & _UNDERSCORE
    at += one
    while _ROLES[texts[at]] & underscore:
        at += one
    return _ROLES[texts[at]] & _START != 0


def cut_in_numpy(text: bytes) -> Iterator[tuple[bytes, int, int]]:
    """What `cut` finds in one text: the bytes of each stretch, those of plain ones in small letters, kind and start."""
    for run in _STRETCH.finditer(text):
        pieces = _PIECE.finditer(text, *run.span()) if _COMPOUND.fullmatch(run[0]) else [run]
        for piece in pieces:
            plain = _PLAIN.fullmatch(piece[0]) is not None
            kind = PLAIN if plain else WORD if _WORD.fullmatch(piece[0]) else MIXED
            bytes = piece[0].lower() if plain else piece[0]
            yield bytes, LONG if len(bytes) > LONGEST else kind, piece.start()


_STRETCH = re.compile(rb"[A-Za-z0-9\x80-\xff](?:[A-Za-z0-9\x80-\xff+#]|(?:[-,.']|_+)(?=[A-Za-z0-9\x80-\xff]))*")
_COMPOUND = re.compile(rb"[A-Za-z,-]+")
_PIECE = re.compile(rb"[A-Za-z]+")
_PLAIN = re.compile(rb"[A-Za-z0-9][a-z0-9]*|[A-Z0-9]+")
_WORD = re.compile(rb"[A-Za-z0-9,.'_-]+")
