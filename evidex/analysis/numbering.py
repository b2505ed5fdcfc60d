"""Texts into numbers of terms, as postings are built from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.analyzer import TextAnalyzer
from evidex.analysis.stretches import Stretches
from evidex.ports import Analyzer


class TermNumbering:
    """Numbers the terms of texts in the order in which they first appear.

    Of our own analyzer's texts, each distinct stretch between two characters that no word contains is analyzed once;
    other analyzers are asked for the terms of each text. Not to be shared between threads.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._numbers: dict[str, int] = {}
        self._stretches: Stretches | None = None
        if isinstance(analyzer, TextAnalyzer):
            self._stretches = Stretches(partial(self._numbers_of, analyzer))

    @property
    def terms(self) -> list[str]:
        """Every term so far; a term's number is its position."""
        return list(self._numbers)

    def number(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of the terms of all texts, one after another, and how many each text has."""
        if self._stretches is not None:
            return self._stretches.number(texts)
        found = [self._analyzer.terms(text) for text in texts]
        numbers = self._number(chain.from_iterable(found))
        return np.array(numbers, np.int32), np.array([len(terms) for terms in found], np.int64)

    def _numbers_of(
        self, analyzer: TextAnalyzer, stretches: Sequence[str], kinds: Sequence[int]
    ) -> tuple[list[int], list[int]]:
        terms, sizes = analyzer.terms_of_each(stretches, kinds)
        return self._number(terms), sizes

    def _number(self, terms: Iterable[str]) -> list[int]:
        number, given = self._numbers.setdefault, self._numbers.__len__
        return [number(term, given()) for term in terms]
