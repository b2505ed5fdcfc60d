from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidex.analysis.kernels.cutting import KEY, LONG, LONGEST, MIXED, PLAIN, TEXT, WORD, cut, cut_in_numpy

Found = list[list[tuple[bytes, int, int]]]


def cuts(texts: Sequence[bytes], *, room: int) -> Found:
    """The key, kind and start of each stretch of each text, cut with room for so many at a time."""
    keys, key_ends = np.empty(room * KEY, np.uint64), np.empty(room + 1, np.int64)
    kinds, spans, counts = np.empty(room, np.uint8), np.empty((room, 2), np.int64), np.empty(room, np.int64)
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    joined = np.frombuffer(b"\n".join([*texts, b""]), np.uint8)
    cursor = np.zeros(2, np.int64)
    found: Found = [[] for _ in texts]
    while cursor[TEXT] < len(texts):
        first = int(cursor[TEXT])
        number = cut(joined, ends, cursor, keys, key_ends, kinds, spans, counts)
        begun = min(int(cursor[TEXT]) + 1, len(texts), first + room) - first
        of_text = np.repeat(np.arange(first, first + begun), counts[:begun]).tolist()
        assert len(of_text) == number
        for stretch, text in enumerate(of_text):
            start, stop = spans[stretch].tolist()
            begin = int(ends[text]) - len(texts[text])
            words = keys[key_ends[stretch] : key_ends[stretch + 1]]
            key = words.astype("<u8").tobytes().rstrip(b"\0") or joined[start:stop].tobytes()
            assert len(words) == (0 if kinds[stretch] == LONG else -(-(stop - start) // 8))
            found[text].append((key, int(kinds[stretch]), start - begin))
    return found


@given(st.lists(st.text("abSX09-.,'_+# \x00éα中", max_size=30).map(str.encode), max_size=6), st.integers(1, 9))
@example([b"a__b a__.b a_-b __a__"], 3)
@example([b"x" * LONGEST, b"X" * (LONGEST + 1), b"a-" * 40 + b"b"], 2)
def test_stretches_are_those_of_the_twin(texts: list[bytes], room: int) -> None:
    found = [
        [(b"" if kind == LONG else key, kind, start) for key, kind, start in text] for text in cuts(texts, room=room)
    ]
    twin = [[(b"" if kind == LONG else key, kind, start) for key, kind, start in cut_in_numpy(text)] for text in texts]

    assert found == twin


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("The cat", [(b"the", PLAIN), (b"cat", PLAIN)]),
        ("USA IL16 90s", [(b"usa", PLAIN), (b"il16", PLAIN), (b"90s", PLAIN)]),
        ("getUser PDFs", [(b"getUser", WORD), (b"PDFs", WORD)]),
        ("Well-known,too", [(b"well", PLAIN), (b"known", PLAIN), (b"too", PLAIN)]),
        ("ERR-4012, 1,000.", [(b"ERR-4012", WORD), (b"1,000", WORD)]),
        ("don't. os.path", [(b"don't", WORD), (b"os.path", WORD)]),
        ("a__b __init__.py", [(b"a__b", WORD), (b"init", PLAIN), (b"py", PLAIN)]),
        ("C++ #tag naïve", [(b"C++", MIXED), (b"tag", PLAIN), ("naïve".encode(), MIXED)]),
    ],
)
def test_a_stretch_ends_where_no_letter_follows_and_letters_are_cut_at_hyphens(
    text: str, stretches: list[tuple[bytes, int]]
) -> None:
    assert [(key, kind) for key, kind, _ in cuts([text.encode()], room=10)[0]] == stretches
