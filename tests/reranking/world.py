"""Small real parts for the tests of this folder: chunks, queries, and an embedder of hashed words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evidex.analysis.analyzer import make_analyzer
from evidex.config import AnalysisSettings, RerankingSettings
from evidex.plugins import RerankingResources
from evidex.ports import Analyzer, Embedder, EmbedderContract, Embedding
from evidex.types import Chunk, ChunkId, DocumentId, DocumentKey, Principal, Query, Question, Term, Variant, Vectors
from tests.reranking.maxsim import maxsim

WIDTH = 64
ANALYZER: Analyzer = make_analyzer(AnalysisSettings())


def chunk(id: str, text: str, section: tuple[str, ...] = ()) -> Chunk:
    return Chunk(ChunkId(id), DocumentId(id), "1", DocumentKey(id), 0, len(text), text, section)


def query(text: str, idf: Mapping[str, float] | None = None) -> Query:
    """A query whose terms have the given idf, 1 where none is given."""
    terms = dict.fromkeys(ANALYZER.terms(text))
    weights = tuple(Term(term, (idf or {}).get(term, 1.0)) for term in terms)
    return Query(Question(text, Principal()), (Variant(text, "original", 1.0),), weights)


@dataclass(frozen=True)
class HashedWords:
    """Every word is one of 64 axes; a text is the normalised sum of its words."""

    has_token_vectors: bool = True
    contract: EmbedderContract = field(
        default=EmbedderContract("hashed-words", "1", "", "", "", "sum", True, WIDTH, 0, "cosine")
    )

    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding:
        tokens = tuple(self._tokens(text) for text in texts)
        sums = np.array([rows.sum(axis=0) for rows in tokens], np.float32).reshape(len(texts), WIDTH)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        vectors = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
        known = tuple(len(rows) for rows in tokens)
        return Embedding(vectors, known, (0,) * len(texts), (0,) * len(texts), tokens if token_vectors else ())

    def _tokens(self, text: str) -> Vectors:
        axes = [int(hashlib.sha256(term.encode()).hexdigest(), 16) % WIDTH for term in ANALYZER.terms(text)]
        rows = np.zeros((len(axes), WIDTH), np.float32)
        rows[np.arange(len(axes)), axes] = 1
        return rows


@dataclass(frozen=True)
class Stored:
    """Vectors and token vectors of chunks, from a real embedder; chunks in `without` have no token vectors."""

    vectors_of: Mapping[ChunkId, Vectors]
    tokens_of: Mapping[ChunkId, Vectors]
    without: frozenset[str] = frozenset()

    def vectors(self, ids: Sequence[ChunkId]) -> Vectors:
        return np.array([self.vectors_of[id] for id in ids], np.float32)

    def maxsim(self, query_tokens: Vectors, ids: Sequence[ChunkId]) -> NDArray[np.float32]:
        if not len(query_tokens):
            return np.zeros(len(ids), np.float32)
        means = {id: maxsim(query_tokens, self.tokens_of[id]) / len(query_tokens) for id in ids}
        return np.array([-1.0 if id in self.without else means[id] for id in ids], np.float32)


def resources(
    chunks: Sequence[Chunk], embedder: Embedder | None, *, without: frozenset[str] = frozenset()
) -> RerankingResources:
    found = (embedder or HashedWords()).embed([c.indexed_text for c in chunks], role="passage", token_vectors=True)
    ids = [c.id for c in chunks]
    tokens = found.token_vectors or tuple(np.zeros((0, WIDTH), np.float32) for _ in ids)
    store = Stored(dict(zip(ids, found.vectors, strict=True)), dict(zip(ids, tokens, strict=True)), without)
    return RerankingResources(RerankingSettings(), ANALYZER, embedder, store, store)
