"""With what does a list item begin? Parts of regular expressions; the white space that follows is for their user."""

from __future__ import annotations

BULLETS = "-*+•‣–"
"""The inside of a character class."""

NUMBER = r"\(?\d{1,3}[.)]"
"""`1.`, `1)` and `(1)`; no year ends in an item."""
