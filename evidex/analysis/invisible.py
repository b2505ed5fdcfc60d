"""Which characters does nobody see? Controls, formats (zero width, bidirectional marks, tags) and non-characters."""

from __future__ import annotations

import unicodedata

CATEGORIES = ("Cc", "Cf", "Cn", "Cs")
"""The Unicode categories of what is not seen; some of the controls are white space all the same."""


def is_invisible(character: str) -> bool:
    """Whether a character is neither seen nor space."""
    return not character.isspace() and unicodedata.category(character) in CATEGORIES
