"""Small real parts for the tests of this folder: contexts, queries, and an embedder of hashed words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from evidex.analysis.analyzer import make_analyzer
from evidex.config import AnalysisSettings
from evidex.ports import Analyzer, EmbedderContract, Embedding
from evidex.types import (
    Chunk,
    ChunkId,
    Context,
    DocumentId,
    DocumentKey,
    Passage,
    Principal,
    Query,
    Question,
    Term,
    Variant,
)

WIDTH = 256
ANALYZER: Analyzer = make_analyzer(AnalysisSettings())


def passage(text: str, *, id: str = "c1", title: str = "", section: tuple[str, ...] = (), header: str = "") -> Passage:
    chunk = Chunk(ChunkId(id), DocumentId(id), "1", DocumentKey(id), 0, len(text), text, section, header)
    return Passage(chunk, title, 10)


def context(*passages: Passage) -> Context:
    return Context(passages, 10 * len(passages), 1000)


def query(text: str, idf: Mapping[str, float] | None = None) -> Query:
    """A query whose terms have the given idf, 1 where none is given."""
    terms = tuple(Term(term, (idf or {}).get(term, 1.0)) for term in dict.fromkeys(ANALYZER.terms(text)))
    return Query(Question(text, Principal()), (Variant(text, "original", 1.0),), terms)


@dataclass(frozen=True)
class HashedWords:
    """Every word is one of 256 axes; a text is the normalised sum of its words. Counts the calls made of it."""

    contract: EmbedderContract = field(
        default=EmbedderContract("hashed-words", "1", "", "", "", "sum", True, WIDTH, 0, "cosine")
    )
    has_token_vectors: bool = False
    calls: list[int] = field(default_factory=list)

    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding:
        self.calls.append(len(texts))
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        words = [ANALYZER.terms(text) for text in texts]
        for row, terms in zip(vectors, words, strict=True):
            for term in terms:
                row[int(hashlib.sha256(term.encode()).hexdigest(), 16) % WIDTH] += 1
            row /= max(1e-9, float(np.linalg.norm(row)))
        none = (0,) * len(texts)
        return Embedding(vectors, tuple(map(len, words)), none, none)
