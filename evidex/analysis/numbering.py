"""Texts into numbers of terms, as postings are built from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidex.ports import Analyzer


class TermNumbering:
    """Numbers the terms of texts in the order in which they first appear."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__

    @property
    def terms(self) -> list[str]:
        """Every term so far; a term's number is its position."""
        return list(self._numbers)

    def number(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of the terms of all texts, one after another, and how many each text has."""
        found = [self._analyzer.terms(text) for text in texts]
        numbers = [self._numbers[term] for terms in found for term in terms]
        return np.array(numbers, np.int32), np.array([len(terms) for terms in found], np.int64)
