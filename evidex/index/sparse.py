"""Keyword search: BM25 over what the asker may see.

BM25 as in Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond", with the idf that
Lucene uses, which is never negative:

    score(q, d) = sum over terms t of q:  qtf(t) * idf(t) * f (k1 + 1) / (f + k1 (1 - b + b dl / avgdl))
    idf(t)      = ln(1 + (N - n + 0.5) / (n + 0.5))

f is how often t is in d, dl the length of d in terms, qtf how often t is in the query (a term asked twice counts twice,
as in the sum over query terms). N, n and avgdl are taken over the scope alone, so documents that the asker may not
read change no score. Each term's part of a score is rounded to a grid that the query and the scope fix, so that neither
what is skipped nor the order of addition changes a bit (`kernels.contribution`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from evidex.errors import GenerationError
from evidex.index.bm25 import Found, best_of, best_of_each
from evidex.index.chunks import rows_of
from evidex.index.postings import Postings
from evidex.index.statistics import ScopeStatistics
from evidex.index.strings import Strings
from evidex.index.top import hits_of_each
from evidex.ports import Analyzer
from evidex.types import Channel, ChunkId, Ranking, Scope, Term

CHANNEL = "sparse"


@dataclass(frozen=True, slots=True, eq=False)
class SparseIndex:
    """The `sparse` channel of an opened generation: exact BM25 with the statistics of the scope.

    The notes of a ranking are `terms` (distinct terms of the query), `known_terms` (those that occur in the scope) and
    `oov_rate` (the share that do not; 0 for a query without terms).
    """

    ids: Strings
    analyzer: Analyzer
    postings: Postings
    _statistics: WeakKeyDictionary[Scope, ScopeStatistics] = field(default_factory=WeakKeyDictionary)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def open(cls, path: Path, analyzer: Analyzer, *, ids: Strings) -> SparseIndex:
        """Open the postings of the generation in `path`; `ids` are the ids of its chunks.

        Raises `GenerationError` naming a damaged file, or both analyzers if this is not the one it was built with.
        """
        postings = Postings.open(path)
        if postings.analyzer != analyzer.name:
            raise GenerationError(
                f"The generation was built with analyzer {postings.analyzer!r}; the settings give {analyzer.name!r}.",
                "Rebuild with 'evidex build', or set the analysis settings back.",
            )
        return cls(ids, analyzer, postings)

    @property
    def channel(self) -> Channel:
        return CHANNEL

    @property
    def lengths(self) -> NDArray[np.uint32]:
        """How many terms each chunk has."""
        return self.postings.chunk_lengths

    def search(
        self, queries: Sequence[str], scope: Scope, limit: int, *, among: Sequence[ChunkId] | None = None
    ) -> tuple[Ranking, ...]:
        """One ranking per query over the rows of `scope`; only chunks that share a term with the query are in it.

        Raises `GenerationError` for an id of `among` that the generation does not have.
        """
        statistics, asked = self._within(scope), [self.analyzer.terms(query) for query in queries]
        if among is None:
            found = best_of_each(asked, statistics, self.postings, limit)
        else:
            candidates = np.unique(rows_of(self.ids, among)).astype(np.uint32)
            found = [best_of(terms, statistics, self.postings, limit, among=candidates) for terms in asked]
        hits = hits_of_each([(one.rows, one.scores) for one in found], self.ids)
        return tuple(Ranking(CHANNEL, own, _notes(one)) for own, one in zip(hits, found, strict=True))

    def idf(self, terms: Sequence[str], scope: Scope) -> tuple[Term, ...]:
        """Inverse document frequencies of analysed terms within `scope`, in this order; 0 for those not in it."""
        statistics = self._within(scope)
        return tuple(Term(term, statistics.idf(term)) for term in terms)

    def best(self, terms: Sequence[str], scope: Scope, limit: int) -> Found:
        """The rows of the best `limit` chunks for analysed terms, and their scores: what `search` makes hits of."""
        return best_of(terms, self._within(scope), self.postings, limit)

    def best_of_each(self, queries: Sequence[Sequence[str]], scope: Scope, limit: int) -> list[Found]:
        """`best` for the analysed terms of many queries, in one call during which other threads run."""
        return best_of_each(queries, self._within(scope), self.postings, limit)

    def _within(self, scope: Scope) -> ScopeStatistics:
        with self._lock:
            statistics = self._statistics.get(scope)
            if statistics is None:
                statistics = self._statistics[scope] = ScopeStatistics(self.postings, scope)
        return statistics


def _notes(found: Found) -> tuple[tuple[str, int | float], ...]:
    return (
        ("terms", found.terms),
        ("known_terms", found.known_terms),
        ("oov_rate", (found.terms - found.known_terms) / max(1, found.terms)),
    )
