"""A reranker without a model: six bounded features of question and passage, added up with fixed weights.

| feature     | weight | in [0, 1]                                                                                   |
|-------------|-------:|---------------------------------------------------------------------------------------------|
| frequency   |   1.00 | as coverage, each term counting tf / (tf + k), which BM25 (Robertson and Zaragoza 2009) also |
|             |        | does: k = 1.2 (0.25 + 0.75 length / 100), so that a long passage does not win by its length |
| identifiers |   1.00 | mean over the question's identifiers: 1 present, 1/2 absent, 0 absent while another of the  |
|             |        | same shape is present (E7710 where E1492 was asked); 0 for a question without identifiers   |
| coverage    |   0.50 | share of the question's terms that the passage has, each weighted by its idf                |
| cosine      |   0.50 | cosine of question and passage vectors, 0 when negative or without an embedder              |
| phrase      |   0.25 | share of the question's neighbouring term pairs that are neighbours in the passage          |
| exact       |   0.10 | share of the question's content words that the passage has in the very same form            |

The score is the weighted mean, in [0, 1]; no feature depends on the other candidates. A passage is read with its
breadcrumb and table header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evidex.analysis.identifiers import identifiers
from evidex.cosine import cosines
from evidex.plugins import RerankingResources
from evidex.ports import Analyzer, Embedder, VectorStore
from evidex.reranking.order import best_first, distinct
from evidex.types import Chunk, ChunkId, Query, Ranking

WEIGHTS = (1.0, 1.0, 0.5, 0.5, 0.25, 0.1)
"""In the order of `Features`; round values that did well on questions to encyclopedia passages."""

K1 = 1.2
B = 0.75
USUAL_LENGTH = 100
"""Terms of a passage that is neither long nor short; fixed, so that a score does not depend on other passages."""


@dataclass(frozen=True, slots=True)
class Features:
    """What speaks for one passage, each feature in [0, 1]."""

    frequency: float
    identifiers: float
    coverage: float
    cosine: float
    phrase: float
    exact: float

    @property
    def score(self) -> float:
        """The mean of the features, weighted by `WEIGHTS`."""
        parts = (self.frequency, self.identifiers, self.coverage, self.cosine, self.phrase, self.exact)
        return sum(weight * part for weight, part in zip(WEIGHTS, parts, strict=True)) / sum(WEIGHTS)


_ANALYSED_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class _Analysed:
    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    words: frozenset[str]


class FeatureReranker:
    """Reorders by the weighted mean of lexical and semantic features."""

    def __init__(self, analyzer: Analyzer, embedder: Embedder | None, vectors: VectorStore) -> None:
        self._analyzer = analyzer
        self._embedder = embedder
        self._vectors = vectors
        self._analysed: dict[ChunkId, _Analysed] = {}

    @property
    def name(self) -> str:
        return "features/1"

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        chunks = distinct(candidates)
        return best_first(chunks, [features.score for features in self.features(query, chunks)], limit)

    def features(self, query: Query, candidates: Sequence[Chunk]) -> tuple[Features, ...]:
        """The features of every candidate, in their order."""
        weights = {term.text: term.idf for term in query.terms}
        sequence = self._analyzer.terms(query.text)
        words = tuple(word for word in _words(query.text) if self._analyzer.terms(word))
        asked = identifiers(query.text)
        rows = []
        for chunk, cosine in zip(candidates, self._cosines(query, candidates), strict=True):
            passage = self._analyse(chunk)
            rows.append(
                Features(
                    frequency=frequency(weights, passage.terms),
                    identifiers=identifier_match(asked, passage.identifiers),
                    coverage=coverage(weights, frozenset(passage.terms)),
                    cosine=cosine,
                    phrase=phrase(sequence, passage.terms),
                    exact=_share(words, passage.words),
                )
            )
        return tuple(rows)

    def _analyse(self, chunk: Chunk) -> _Analysed:
        """What a passage consists of; remembered, for the same passages come up again and again."""
        found = self._analysed.get(chunk.id)
        if found is None:
            text = chunk.indexed_text
            terms = tuple(self._analyzer.terms(text))
            found = _Analysed(terms, identifiers(text), frozenset(_words(text)))
            if len(self._analysed) >= _ANALYSED_KEPT:
                self._analysed.clear()
            self._analysed[chunk.id] = found
        return found

    def _cosines(self, query: Query, candidates: Sequence[Chunk]) -> list[float]:
        if self._embedder is None or not candidates:
            return [0.0] * len(candidates)
        question = self._embedder.embed([query.text], role="query").vectors[0]
        passages = self._vectors.vectors([chunk.id for chunk in candidates])
        return [float(cosine) for cosine in cosines(question, passages).astype(np.float32)]


def coverage(weights: dict[str, float], terms: frozenset[str]) -> float:
    """Share of the weight of the question's terms that is among `terms`; 0 if the question has no weight at all."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in terms) / total if total > 0 else 0.0


def frequency(weights: dict[str, float], terms: Sequence[str]) -> float:
    """Coverage in which a term that occurs f times counts f / (f + k), k growing with the passage's length."""
    total = sum(weights.values())
    counts = Counter(terms)
    k = K1 * (1 - B + B * len(terms) / USUAL_LENGTH)
    return sum(w * counts[term] / (counts[term] + k) for term, w in weights.items()) / total if total > 0 else 0.0


def identifier_match(asked: Sequence[str], present: Sequence[str]) -> float:
    """Mean over the identifiers asked for: 1 present, 1/2 absent, 0 absent beside another of the same shape."""
    shapes = {_shape(identifier) for identifier in present}
    credits = [1.0 if id in present else 0.0 if _shape(id) in shapes else 0.5 for id in asked]
    return sum(credits) / len(credits) if credits else 0.0


def phrase(question: Sequence[str], passage: Sequence[str]) -> float:
    """Share of the question's pairs of neighbouring terms that are neighbours, in this order, in the passage."""
    pairs = frozenset(pairwise(question))
    return len(pairs & frozenset(pairwise(passage))) / len(pairs) if pairs else 0.0


def _share(wanted: Sequence[str], present: frozenset[str]) -> float:
    return sum(word in present for word in wanted) / len(wanted) if wanted else 0.0


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _shape(identifier: str) -> str:
    """`E1492` and `A77` are both a letter run and a digit run; `ERR-4012` has a hyphen between."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", identifier))


def make(resources: RerankingResources) -> FeatureReranker:
    """The reranker by features; without an embedder the cosine is 0 for all."""
    return FeatureReranker(resources.analyzer, resources.embedder, resources.vectors)
