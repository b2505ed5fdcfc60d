"""Where are the words? One pass of a regular expression over normalised text; what a word means comes later."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from evidex.analysis.scripts import HANGUL, JOINERS, SPACELESS, marks

_INSIDE, _BEHIND = r"(?:[-.,']|_+)", r"(?:\+\+|#)?"
_ASCII_WORDS = re.compile(rf"[A-Za-z0-9]+(?:{_INSIDE}[A-Za-z0-9]+)*{_BEHIND}")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_HYPHEN, _APOSTROPHE = "\u2010", "\u2019"
_ENDING = "\u00a0\u00b1\u00b7\u2013\u2014\u2018\u201c\u201d\u2212"
_COMMON = {**dict.fromkeys(_ENDING, " "), _HYPHEN: "-", _APOSTROPHE: "'"}
"""Characters that end a word, and those that join two as these do."""
_WITHOUT_JOINERS = str.maketrans("", "", JOINERS)


def normalized(text: str) -> str:
    """NFKC (Unicode Standard Annex 15), with typographic hyphens and apostrophes made plain ones."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).replace(_HYPHEN, "-").replace(_APOSTROPHE, "'")


def simplified(text: str) -> str:
    """A text of the same words in which the commonest punctuation beyond ASCII is ASCII, as all is in `normalized`."""
    if text.isascii():
        return text
    for character, plain in _COMMON.items():
        text = text.replace(character, plain)
    return text


def folded(word: str) -> str:
    """The form in which words are compared: full case folding, NFKC, no joiners inside."""
    if word.isascii():
        return word.lower()
    # Case folding leaves a dot on the Turkish capital (`İzmir`) that the small letter does not carry.
    small = word.translate(_WITHOUT_JOINERS).casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", small)


def raw_words(text: str) -> list[str]:
    """The words of a text as written, in order, in normalised form.

    Words stay joined across one of `. - , '` and across underscores, and keep `++` or `#` behind them, so that
    identifiers and numbers come in one piece (`ERR-4012`, `os.path`, `1,000`, `C++`); `apart` cuts the others.
    A run of a script without spaces, or of Hangul, is one word.
    """
    text = normalized(text)
    pattern = _ASCII_WORDS if text.isascii() else _unicode_words()
    return pattern.findall(text)


def apart(word: str) -> list[str]:
    """A raw word cut where its joints are mere punctuation: at commas but those of `1,000`, and before a `++` or
    `#` that does not name a programming language."""
    if word[-1] in "+#" and len(word.rstrip("+#")) > 1:
        word = word.rstrip("+#")
    return [word] if "," not in word or _GROUPED_NUMBER.fullmatch(word) else word.split(",")


def is_bigram_script(word: str) -> bool:
    """Whether a raw word is a run that is searched by overlapping pairs of characters."""
    return not word.isascii() and _bigram_start().match(word) is not None


def clusters(run: str) -> list[str]:
    """The characters of a run, each with the combining marks that follow it."""
    found: list[str] = []
    for char in run:
        if found and unicodedata.category(char).startswith("M"):
            found[-1] += char
        else:
            found.append(char)
    return found


@cache
def _bigram_start() -> re.Pattern[str]:
    return re.compile(f"[{SPACELESS}{HANGUL}]")


@cache
def _unicode_words() -> re.Pattern[str]:
    run = f"[{SPACELESS}{HANGUL}]" + f"[{SPACELESS}{HANGUL}{marks()}]*"
    letters = f"[^\\W_{SPACELESS}{HANGUL}]"
    word = f"{letters}+(?:[{marks()}]+{letters}*)*"
    return re.compile(f"{run}|{word}(?:{_INSIDE}{word})*{_BEHIND}")
