"""What does a text say, word for word? Its content terms, and among them its figures, identifiers and negations.

The terms are those of a language, not those of an index: a measure stays the same when an index is analyzed otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.identifiers import identifier
from evidex.analysis.words import apart, raw_words
from evidex.config import AnalysisSettings
from evidex.ports import Analyzer

NEGATIONS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "da": "aldrig ej ikke ingen ingenting intet uden",
        "de": "kein keine keinem keinen keiner keines nicht nichts nie niemals niemand ohne weder",
        "en": "cannot neither never no nobody none nor not nothing nowhere without",
        "es": "jamás nada nadie ni ninguna ninguno ningún no nunca sin",
        "fr": "aucun aucune jamais ni pas sans",
        "it": "mai nessun nessuna nessuno niente nulla né non senza",
        "nl": "geen niemand niet niets nooit zonder",
        "no": "aldri ikke ingen ingenting uten",
        "pt": "jamais nada nem nenhum nenhuma ninguém nunca não sem",
        "ru": "без не нет ни никогда никто ничего",
        "sv": "aldrig ej inga ingen inget ingenting inte utan",
    }.items()
}
"""Words that turn a statement into its opposite, by language (ISO 639-1), case-folded."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a text says: its content terms in order, repeated as often as they occur.

    `substance` are the terms that negate nothing, `exact` the figures and identifiers among them, for which no other
    can stand; `negations` counts the rest.
    """

    terms: tuple[str, ...]
    substance: frozenset[str]
    exact: frozenset[str]
    negations: int


def content(text: str, *, language: str = "en") -> Content:
    """The content of a text: stop words dropped, words stemmed, each identifier one term.

    Raises `ConfigError` for a language without stemming (see `analysis.analyzer.languages`); `none` has plain words.
    """
    found = tuple(_terms(text, _analyzer(language)))
    negative = _negative(language)
    terms = tuple(term for term, _ in found)
    return Content(
        terms=terms,
        substance=frozenset(terms) - negative,
        exact=frozenset(term for term, is_exact in found if is_exact),
        negations=sum(term in negative for term in terms),
    )


def _terms(text: str, analyzer: Analyzer) -> Iterator[tuple[str, bool]]:
    """Each term, and whether it is a figure or an identifier."""
    for word in (piece for raw in raw_words(text) for piece in apart(raw)):
        named = None if "'" in word else identifier(word)
        if named is not None and named.family != "camel":
            yield named.whole, True
            continue
        # A camel-case name is also written in small letters, so it is compared as a word.
        for term in analyzer.terms(word if named is None else named.whole):
            yield term, any(map(str.isdigit, term))


@cache
def _analyzer(language: str) -> Analyzer:
    return make_analyzer(AnalysisSettings(language=language))


@cache
def _negative(language: str) -> frozenset[str]:
    """The terms of a language's negations, and `not`, which every analyzer makes of `n't`."""
    words = sorted(NEGATIONS.get(language, frozenset()))
    return frozenset(term for word in words for term in _analyzer(language).terms(word)) | {"not"}
