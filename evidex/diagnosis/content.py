"""Do two texts say the same, as far as words and figures tell? Lexical and strict: what cannot be told is not said."""

from __future__ import annotations

import html
import re

from evidex.analysis.identifiers import identifier
from evidex.analysis.words import apart, folded, normalized, raw_words

SAME = 0.6
"""Share of the shorter text's terms from which two texts are about the same."""

_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_ISO_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def visible_words(text: str) -> list[str]:
    """The words that a reader sees, folded, in order: markup and punctuation between them do not matter."""
    return [folded(word) for word in _WORD.findall(normalized(html.unescape(_TAG.sub(" ", text))))]


def holds_words(text: str, quote: str) -> bool:
    """Whether the visible words of a quote stand in a text, one after another."""
    wanted = visible_words(quote)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(visible_words(text))} "


def foreign_figures(text: str, *known: str) -> tuple[str, ...]:
    """The numbers and identifiers with digits of a text that none of the known texts has, each once.

    `1,000` is 1000 and `45-day` has 45; `E1492` is not `A1492`. Dates in ISO 8601 are left out: they are how people
    write a date that the text spells.
    """
    wholes = {word for other in known for word in _with_digits(other)}
    runs = {run for word in wholes for run in _DIGITS.findall(word)}
    foreign = [
        word
        for word in _with_digits(_ISO_DATE.sub(" ", text))
        if word not in wholes and (_named(word) or not runs.issuperset(_DIGITS.findall(word)))
    ]
    return tuple(dict.fromkeys(foreign))


def figures(text: str) -> tuple[str, ...]:
    """The numbers and identifiers with digits of a text, each once."""
    return foreign_figures(text)


def share(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the smaller set of terms that the other has; 0 when either is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def _with_digits(text: str) -> list[str]:
    words = (piece for raw in raw_words(text) for piece in apart(raw))
    return [folded(word).replace(",", "") for word in words if _DIGITS.search(word)]


def _named(word: str) -> bool:
    return identifier(word) is not None and any(character.isalpha() for character in word)
