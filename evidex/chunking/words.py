"""How long is a span, in words? And where may it be cut when nothing better than a word offers itself?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, pairwise

from evidex.analysis.budget import count_tokens
from evidex.analysis.scripts import SPACELESS
from evidex.errors import ConfigError

MIN_WORDS = 8
_SHORT = 9
_OPENING = r"(\[{“‘«「『（【《〈"
_WORD = re.compile(rf"[{SPACELESS}][^\w\s{_OPENING}]*|[^\s{SPACELESS}]{{1,64}}")


TOKENS_PER_WORD = 1.5
"""Tokens that an ordinary word of prose may take of a model; a word of more counts for several."""


class Words:
    """The words of a text by position.

    A word is what white space parts. Every character of a script without spaces (Han, Kana, Thai …) counts as a
    word, with the marks and closing punctuation behind it, and so does every 64 characters of an unbroken run: a cap
    in words then holds for any text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [match.start() for match in _WORD.finditer(text)]

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def _before(self) -> list[int]:
        """The size of the words before each, and of all of them last."""
        ends = [*self.starts[1:], len(self.text)]
        return [0, *accumulate(_size(self.text[a:b].rstrip()) for a, b in zip(self.starts, ends, strict=False))]

    @property
    def size(self) -> int:
        """How long the text is; see `between`."""
        return self._before[-1]

    def between(self, start: int, end: int) -> int:
        """How long `[start, end)` is: its words, where one that a model reads as many tokens (an address, a line of
        symbols, a figure) counts as the ordinary words that would take as many."""
        return self._before[bisect_left(self.starts, end)] - self._before[bisect_left(self.starts, start)]

    def groups(self, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
        """Spans that cover `[start, end)` from its first word on, each as long as `size` lets it be, or one word."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        cuts: list[int] = []
        while first < last:
            cuts.append(self.starts[first])
            first = max(first + 1, bisect_right(self._before, self._before[first] + size, hi=last + 1) - 1)
        return pairwise([*cuts, end])


def _size(word: str) -> int:
    return 1 if len(word) <= _SHORT and word.isalpha() else max(1, int(count_tokens(word) / TOKENS_PER_WORD))


def checked(max_words: int) -> int:
    """`max_words`, when chunks can be that short. Raises `ConfigError` otherwise."""
    if max_words < MIN_WORDS:
        raise ConfigError(
            f"Setting 'chunking.max_words' is {max_words!r}.", f"Chunks need room for {MIN_WORDS} words or more."
        )
    return max_words
