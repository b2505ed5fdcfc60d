"""Which characters need more than a space to tell words apart: scripts without spaces, Hangul, combining marks.

Each constant but the last is the inside of a regular-expression character class.
"""

from __future__ import annotations

import unicodedata
from functools import cache

SPACELESS = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0002fa1f\U00030000-\U000323af"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Kana
    "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u108f\u1780-\u17d3\uaa60-\uaa7f"  # Myanmar, Khmer
)
"""Letters and vowel signs of scripts that write sentences without spaces between words."""

HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7ff"
"""Korean syllables: words are spaced, but carry their particles with them."""

JOINERS = "\u00ad\u200c\u200d"
"""Soft hyphen and zero-width joiners: they stand inside words and are no part of their spelling."""


@cache
def marks() -> str:
    """Combining marks (Unicode categories Mn, Mc, Me), which Python's `\\w` leaves out, and the joiners."""
    found = (chr(code) for code in range(0x300, 0x1F000))
    return "".join(char for char in found if unicodedata.category(char) in {"Mn", "Mc", "Me"}) + JOINERS
