"""Which terms does keyword search match? Words are folded, stop words dropped, the rest stemmed; identifiers are
kept whole and can be found by their parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from threading import Lock

import Stemmer

from evidex.analysis.identifiers import Identifier, identifier
from evidex.analysis.kernels.cutting import PLAIN, WORD
from evidex.analysis.stopwords import STOP_WORDS
from evidex.analysis.words import apart, clusters, folded, is_bigram_script, raw_words
from evidex.config import AnalysisSettings
from evidex.errors import ConfigError
from evidex.ports import Analyzer

NO_LANGUAGE = "none"
SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""The Snowball algorithm (Porter 2001) of each language code (ISO 639-1)."""

_VERSION = "unicode-words/1"
_LONGEST_KEPT = 64  # letters of a word whose terms are remembered
_MOST_KEPT = 500_000  # words whose terms are remembered
_ACRONYM = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)*[^\W_]*")
_FIGURE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")  # the commonest kind of number
_SEPARATORS = re.compile(r"[-._]+")
_CLITICS = frozenset({"d", "ll", "m", "re", "s", "ve"})
_NEGATED = {"ca": "can", "sha": "shall", "wo": "will"}


@dataclass(frozen=True, slots=True)
class TextAnalyzer:
    """Text into terms, for passages and questions alike.

    * Text is read in NFKC and compared case-folded; diacritics stay.
    * `company's` gives `company`, `don't` gives `do` and `not`, `U.S.` gives `us`, `1,000` gives `1000`.
    * An identifier gives its whole, unstemmed, and then its parts, none of which is dropped: `getUserById` gives
      `getuserbyid get user by id`, and `user by id` finds it.
    * Scripts without spaces (Han, Kana, Thai …) and Hangul give overlapping pairs of characters, or the one
      character that stands alone.
    * A text of stop words only gives no terms, as one of punctuation only does: passages do not hold stop words
      either, so keyword search has nothing to find and leaves the question to the other channels.

    The value may be shared between threads.
    """

    name: str
    _terms_of: _TermsOf = field(repr=False, compare=False)

    def terms(self, text: str) -> list[str]:
        """The terms of `text` in order, repeated as often as they occur."""
        return list(chain.from_iterable(map(self._terms_of.__getitem__, raw_words(text))))

    def terms_of_each(self, stretches: Sequence[str], kinds: Sequence[int]) -> tuple[list[str], list[int]]:
        """The terms of many stretches of text, one after another, and how many each has; for kinds see `cut`.

        Plain stretches come in small letters. Nothing is remembered.
        """
        return self._terms_of.each(stretches, kinds)


def make_analyzer(settings: AnalysisSettings) -> Analyzer:
    """The analyzer of a language. Raises `ConfigError` that lists the languages when there is no such one."""
    language = settings.language
    if language != NO_LANGUAGE and language not in languages():
        raise ConfigError(
            f"There is no stemming for language {language!r}.",
            f"Languages: {', '.join(languages())}; {NO_LANGUAGE!r} suits every other one.",
        )
    stop_words = STOP_WORDS.get(language, frozenset()) if settings.stop_words else frozenset()
    parts = (_VERSION, _stemming(language), "stop" if stop_words else "")
    return TextAnalyzer("+".join(filter(None, parts)), _TermsOf(_stemmer(language), stop_words))


def languages() -> tuple[str, ...]:
    """The language codes that the installed Snowball has algorithms for, sorted."""
    installed = frozenset(Stemmer.algorithms())
    return tuple(code for code, algorithm in sorted(SNOWBALL.items()) if algorithm in installed)


def _stemming(language: str) -> str:
    """The language with the release of Snowball, for another release may stem otherwise."""
    if language == NO_LANGUAGE:
        return ""
    major, minor, *_ = Stemmer.version().split(".")
    return f"{language}-snowball-{major}.{minor}"


def _stemmer(language: str) -> Callable[[list[str]], list[str]]:
    if language == NO_LANGUAGE:
        return list
    # The memory of `_TermsOf` does the stemmer's caching; its own would only be purged over and over.
    stems: Callable[[list[str]], list[str]] = Stemmer.Stemmer(SNOWBALL[language], 0).stemWords
    return stems


class _TermsOf(dict[str, tuple[str, ...]]):
    """The terms of each raw word, worked out once."""

    def __init__(self, stems: Callable[[list[str]], list[str]], stop_words: frozenset[str]) -> None:
        super().__init__()
        self._stems = stems
        self._stop_words = stop_words
        self._lock = Lock()

    def __missing__(self, word: str) -> tuple[str, ...]:
        # A Snowball stemmer keeps state while it works and must not be entered by two threads.
        with self._lock:
            terms = tuple(self._terms(word))
            if len(self) >= _MOST_KEPT:
                self.clear()
            if len(word) <= _LONGEST_KEPT:
                self[word] = terms
        return terms

    def each(self, stretches: Sequence[str], kinds: Sequence[int]) -> tuple[list[str], list[int]]:
        plain = [word for word, kind in zip(stretches, kinds, strict=True) if kind == PLAIN]
        with self._lock:
            of_plain = iter(self._of_each_plain(plain))
            found = [
                next(of_plain) if kind == PLAIN else self._terms(stretch) if kind == WORD else self._anew(stretch)
                for stretch, kind in zip(stretches, kinds, strict=True)
            ]
        return list(chain.from_iterable(found)), list(map(len, found))

    def _of_each_plain(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The terms of words of ASCII letters and digits in small letters, all of which are stemmed in one call."""
        stop_words = self._stop_words
        stems = iter(self._stems([word for word in words if word.isalpha() and word not in stop_words]))
        return [() if word in stop_words else (next(stems),) if word.isalpha() else (word,) for word in words]

    def _anew(self, text: str) -> list[str]:
        return list(chain.from_iterable(map(self._terms, raw_words(text))))

    def _terms(self, word: str) -> list[str]:
        if is_bigram_script(word):
            return _bigrams(word)
        if _is_in_one_piece(word):
            return self._terms_of_piece(word)
        pieces = chain.from_iterable(map(_without_clitics, apart(word)))
        return list(chain.from_iterable(map(self._terms_of_piece, pieces)))

    def _terms_of_piece(self, piece: str) -> list[str]:
        if _is_simple(piece):
            return self._simple(piece)
        if _FIGURE.fullmatch(piece):
            return [piece.replace(",", "")]
        found = identifier(piece)
        if found is not None:
            return self._identifier(found)
        if _ACRONYM.fullmatch(piece):
            return self._word(piece.replace(".", ""))
        if _NUMBER.fullmatch(piece):
            return [folded(piece.replace(",", ""))]
        parts = [part for part in _SEPARATORS.split(piece) if part]
        if len(parts) > 1:
            return list(chain.from_iterable(map(self._terms_of_piece, parts)))
        return self._word(piece)

    def _simple(self, word: str) -> list[str]:
        word = word.lower()
        if not word.isalpha():
            return [word]
        return self._stems([word]) if word not in self._stop_words else []

    def _identifier(self, found: Identifier) -> list[str]:
        parts = self._stems([folded(part) for part in found.parts])
        if found.family != "camel":
            return [found.whole, *parts]
        # Typed in small letters it is a word like any other, and must be found as one.
        return [*dict.fromkeys((found.whole, *self._stems([found.whole]))), *parts]

    def _word(self, word: str) -> list[str]:
        word = folded(word)
        return self._stems([word]) if word and word not in self._stop_words else []


def _is_simple(word: str) -> bool:
    """Whether a word has nothing to take apart: letters and digits, and no capital after a small letter."""
    return word.isascii() and word.isalnum() and (word[1:].islower() or word.isupper() or word.isdecimal())


def _is_in_one_piece(word: str) -> bool:
    return not ("'" in word or "," in word or word[-1] in "+#")


def _bigrams(run: str) -> list[str]:
    chars = [folded(char) for char in clusters(run)]
    return [first + second for first, second in pairwise(chars)] or chars


def _without_clitics(word: str) -> list[str]:
    """The pieces of a word between apostrophes, English endings resolved: `it's`, `we'll`, `won't`."""
    if "'" not in word:
        return [word]
    *stems, ending = word.split("'")
    small = folded(ending)
    if small in _CLITICS:
        return stems
    if small == "t" and stems[-1][-1] in "nN":
        verb = stems[-1][:-1]
        return [*stems[:-1], *([_NEGATED.get(folded(verb), verb)] if verb else []), "not"]
    return [*stems, ending]
