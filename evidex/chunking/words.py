"""How long is a span, in words? And where may it be cut when nothing better than a word offers itself?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from evidex.analysis.scripts import SPACELESS
from evidex.errors import ConfigError

MIN_WORDS = 8
_OPENING = r"(\[{“‘«「『（【《〈"
_WORD = re.compile(rf"[{SPACELESS}][^\w\s{_OPENING}]*|[^\s{SPACELESS}]{{1,64}}")


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

    def between(self, start: int, end: int) -> int:
        """The number of words that begin in `[start, end)`."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)

    def groups(self, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
        """Spans that cover `[start, end)` from its first word on, each of `size` words but the last."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        cuts = [*self.starts[first:last:size], end]
        return pairwise(cuts)


def checked(max_words: int) -> int:
    """`max_words`, when chunks can be that short. Raises `ConfigError` otherwise."""
    if max_words < MIN_WORDS:
        raise ConfigError(
            f"Setting 'chunking.max_words' is {max_words!r}.", f"Chunks need room for {MIN_WORDS} words or more."
        )
    return max_words
