"""Keyword search: postings, and BM25 over what the asker may see.

BM25 as in Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond", with the idf that
Lucene uses, which is never negative:

    score(q, d) = sum over terms t of q:  qtf(t) * idf(t) * f (k1 + 1) / (f + k1 (1 - b + b dl / avgdl))
    idf(t)      = ln(1 + (N - n + 0.5) / (n + 0.5))

f is how often t is in d, dl the length of d in terms, qtf how often t is in the query (a term asked twice counts twice,
as in the sum over query terms). N, n and avgdl are taken over the scope alone, so documents that the asker may not
read change no score.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidex.errors import ConfigError, GenerationError
from evidex.index.part import open_part, write_part
from evidex.index.strings import Strings
from evidex.index.top import best, hits, visible_rows
from evidex.ports import Analyzer
from evidex.storage import Folder
from evidex.types import Channel, Ranking, Scope, Term

PART = "sparse"
CHANNEL = "sparse"


def write_postings(
    folder: Folder, terms_per_chunk: Iterable[Sequence[str]], *, analyzer: str, k1: float, b: float
) -> tuple[int, int]:
    """Write the postings of chunks given in row order; a chunk that is not to be found has no terms.

    Returns the number of distinct terms and of all their occurrences. Raises `ConfigError` for k1 < 0 or b outside
    [0, 1].
    """
    if not (0 <= k1 < inf and 0 <= b <= 1):
        raise ConfigError(f"BM25 cannot use k1 = {k1} and b = {b}.", "Take k1 >= 0 and b from 0 to 1.")
    vocabulary, terms, lengths = _number_terms(terms_per_chunk)
    words = sorted(vocabulary)
    alphabetical = np.empty(len(words), np.int64)
    alphabetical[[vocabulary[word] for word in words]] = np.arange(len(words))
    rows = np.repeat(np.arange(len(lengths)), lengths)
    postings, frequencies = np.unique(alphabetical[terms] * max(1, len(lengths)) + rows, return_counts=True)
    posting_terms, posting_rows = np.divmod(postings, max(1, len(lengths)))
    arrays = {
        **Strings.of(words).arrays("vocabulary"),
        "offsets": np.searchsorted(posting_terms, np.arange(len(words) + 1)).astype(np.int64),
        "rows": posting_rows.astype(np.int32),
        "frequencies": frequencies.astype(np.int32),
        "lengths": lengths.astype(np.int32),
    }
    write_part(folder.child(PART), arrays, {"analyzer": analyzer, "k1": k1, "b": b})
    return len(words), len(terms)


def _number_terms(
    terms_per_chunk: Iterable[Sequence[str]],
) -> tuple[dict[str, int], NDArray[np.int32], NDArray[np.int64]]:
    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__
    numbers, lengths = array("i"), array("q")
    for terms in terms_per_chunk:
        numbers.extend(map(vocabulary.__getitem__, terms))
        lengths.append(len(terms))
    return vocabulary, np.frombuffer(numbers, np.int32), np.frombuffer(lengths, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class SparseIndex:
    """The `sparse` channel of an opened generation: exact BM25 with the statistics of the scope.

    Postings of term i are `rows` and `frequencies` from `offsets[i]` to `offsets[i + 1]`. The notes of a ranking are
    `terms` (distinct terms of the query), `known_terms` (those that occur in the scope) and `oov_rate` (the share that
    do not; 0 for a query without terms).
    """

    ids: Strings
    analyzer: Analyzer
    k1: float
    b: float
    vocabulary: Strings
    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]
    frequencies: NDArray[np.int32]
    lengths: NDArray[np.int32]

    @classmethod
    def open(cls, path: Path, analyzer: Analyzer, *, ids: Strings) -> SparseIndex:
        """Open the postings of the generation in `path`; `ids` are the ids of its chunks.

        Raises `GenerationError` naming a damaged file, or both analyzers if this is not the one it was built with.
        """
        part = open_part(path / PART)
        built_with = part.facts["analyzer"]
        if built_with != analyzer.name:
            raise GenerationError(
                f"The generation was built with analyzer {built_with!r}; the settings give {analyzer.name!r}.",
                "Rebuild with 'evidex build', or set the analysis settings back.",
            )
        return cls(
            ids=ids,
            analyzer=analyzer,
            k1=part.facts["k1"],
            b=part.facts["b"],
            vocabulary=part.strings("vocabulary"),
            offsets=part.arrays["offsets"],
            rows=part.arrays["rows"],
            frequencies=part.arrays["frequencies"],
            lengths=part.arrays["lengths"],
        )

    @property
    def channel(self) -> Channel:
        return CHANNEL

    def search(self, queries: Sequence[str], scope: Scope, limit: int) -> tuple[Ranking, ...]:
        """One ranking per query over the rows of `scope`; only chunks that share a term with the query are in it."""
        seen = _Seen.of(self, scope)
        return tuple(self._rank(query, seen, limit) for query in queries)

    def idf(self, terms: Sequence[str], scope: Scope) -> tuple[Term, ...]:
        """Inverse document frequencies of analysed terms within `scope`, in this order; 0 for those not in it."""
        seen = _Seen.of(self, scope)
        return tuple(Term(term, seen.idf(len(self._postings(term, seen)[0]))) for term in terms)

    def _rank(self, query: str, seen: _Seen, limit: int) -> Ranking:
        counts = Counter(self.analyzer.terms(query))
        scores = np.zeros(len(self.lengths), np.float64)
        known = 0
        for term in sorted(counts):  # one order of addition, so that equal queries have equal scores to the last bit
            rows, frequencies = self._postings(term, seen)
            if len(rows):
                known += 1
                scores[rows] += counts[term] * seen.idf(len(rows)) * self._saturation(rows, frequencies, seen)
        matched = np.flatnonzero(scores > 0)
        notes = (
            ("terms", len(counts)),
            ("known_terms", known),
            ("oov_rate", (len(counts) - known) / len(counts) if counts else 0.0),
        )
        return Ranking(CHANNEL, hits(*best(matched, scores[matched], limit), self.ids), notes)

    def _postings(self, term: str, seen: _Seen) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        position = self.vocabulary.find(term)
        if position < 0:
            return self.rows[:0], self.frequencies[:0]
        span = slice(self.offsets[position], self.offsets[position + 1])
        rows, frequencies = self.rows[span], self.frequencies[span]
        visible = seen.rows[rows]
        return rows[visible], frequencies[visible]

    def _saturation(self, rows: NDArray[np.int32], frequencies: NDArray[np.int32], seen: _Seen) -> NDArray[np.float64]:
        length = self.k1 * (1 - self.b + self.b * self.lengths[rows] / seen.average_length)
        saturated: NDArray[np.float64] = frequencies * (self.k1 + 1) / (frequencies + length)
        return saturated


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """The collection as one asker sees it."""

    rows: NDArray[np.bool_]
    chunks: int
    average_length: float

    @classmethod
    def of(cls, index: SparseIndex, scope: Scope) -> _Seen:
        rows = visible_rows(scope, len(index.lengths))
        total = int(index.lengths[rows].sum(dtype=np.int64))
        return cls(rows, scope.size, total / max(1, scope.size))

    def idf(self, containing: int) -> float:
        """The weight of a term that `containing` of the chunks contain."""
        return log1p((self.chunks - containing + 0.5) / (containing + 0.5)) if containing else 0.0
