"""Which words are names of exact things: error codes, rule numbers, functions, files? Told by their shape alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from evidex.analysis.words import apart, folded, is_bigram_script, raw_words

Family: TypeAlias = Literal["cve", "code", "number", "version", "dotted", "snake", "camel", "language"]
"""`CVE-2024-1234`, `ERR-4012` or `E1492`, `03-2387`, `v1.2.3`, `os.path.join`, `snake_case`, `camelCase`, `C++`."""

_MIN_DIGITS = 5  # of a number with dashes: `03-2387` names something, `10-20` is a range

_CVE = re.compile(r"cve-\d{4}-\d{4,}", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}|v\d+(?:\.\d+)+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:-\d+)+")
_LETTER_FIRST_CODE = re.compile(r"[^\W\d_][^\W_]*\d[^\W_]*")
_LETTERS_THEN_DIGITS = re.compile(r"[^\W\d_](?:.*[^\W\d_])?-\d+(?:-|$)")
_DOTTED = re.compile(r"[^\W\d_][^.]*(?:\.[^\W\d][^.]*)+")
_SEPARATORS = re.compile(r"[-._]+")
# What `_starts_part` tells of other letters.
_ASCII_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?![^a-z]{2})[^A-Z]{2})")
_DIGIT = re.compile(r"\d")


class Identifier(NamedTuple):
    """One identifier: its folded whole, its family, and the words inside it, as written."""

    whole: str
    family: Family
    parts: tuple[str, ...]


def identifiers(text: str) -> tuple[str, ...]:
    """The identifiers of a text, folded, each once, in order of first appearance."""
    found = (_remembered(piece) for raw in raw_words(text) for word in apart(raw) for piece in word.split("'"))
    return tuple(dict.fromkeys(known.whole for known in found if known is not None))


def identifier(word: str) -> Identifier | None:
    """The identifier that a word without commas and apostrophes is, or None for an ordinary word or number.

    Case decides only for `camelCase`, so `err-4012` is the same identifier as `ERR-4012`.
    """
    family = _family(word)
    if family is None:
        return None
    if family == "version":
        parts: tuple[str, ...] = (word[1:],) if word[0] in "vV" else ()
    elif family == "language":
        parts = (word[0],)
    elif word.islower():
        parts = tuple(_SEPARATORS.split(word))
    else:
        parts = tuple([part for piece in _SEPARATORS.split(word) for part in _with_camel_parts(piece)])
    whole = folded(word)
    return Identifier(whole, family, tuple([part for part in parts if folded(part) != whole]))


_remembered = lru_cache(maxsize=1 << 16)(identifier)


def _family(word: str) -> Family | None:
    if word[-1] in "+#":
        return "language"
    if word.isalpha():
        return "camel" if len(camel_parts(word)) > 1 and not is_bigram_script(word) else None
    if "_" in word:
        return "snake"
    if "." in word:
        return _dotted_family(word)
    if not _DIGIT.search(word):
        return None
    if _CVE.fullmatch(word):
        return "cve"
    if _NUMBER.fullmatch(word):
        return "number" if sum(map(str.isdigit, word)) >= _MIN_DIGITS else None
    return "code" if _is_code(word) else None


def _dotted_family(word: str) -> Family | None:
    if _VERSION.fullmatch(word):
        return "version"
    named = _DOTTED.fullmatch(word) and any(len(part) > 1 for part in word.split("."))
    return "dotted" if named else None


def _is_code(word: str) -> bool:
    pieces = word.split("-")
    return any(map(_LETTER_FIRST_CODE.fullmatch, pieces)) or _LETTERS_THEN_DIGITS.match(word) is not None


def camel_parts(word: str) -> list[str]:
    """The words of a `camelCase` or `HTTPServer` name; the name alone when it has one part."""
    if word[1:].islower() or word.isupper() or word.isdecimal():
        return [word]
    if word.isascii():
        return _ASCII_PARTS.split(word)
    cuts = [at for at in range(1, len(word)) if _starts_part(word, at)]
    return [word[start:end] for start, end in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def _starts_part(word: str, at: int) -> bool:
    if not word[at].isupper():
        return False
    before, after = word[at - 1], word[at + 1 : at + 3]
    # Two small letters after a run of capitals start a word (`HTTPServer`); one is a plural (`PDFs`).
    return before.islower() or (before.isupper() and len(after) == 2 and after.islower())


def _with_camel_parts(piece: str) -> list[str]:
    parts = camel_parts(piece)
    if len(parts) == 1:
        return parts
    # A single letter (`iPhone`, `xAxis`) says nothing by itself.
    return [piece, *(part for part in parts if len(part) > 1)]
