"""The two published knowledge bases in evidex's own engine, set up as their figures were made.

Nothing of the engine is changed; what differs from its defaults is said here. Words are not stemmed. Every rewritten
wording counts as much as the original. Chunks are named `source:ordinal`, so that equal scores fall as published.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

import numpy as np

from evidex.analysis.numbering import TermNumbering
from evidex.chunking.windows import WindowChunker
from evidex.config import EmbeddingSettings, UnderstandingSettings
from evidex.embedding.lsa import LsaEmbedder, LsaTrainer, read_model
from evidex.index.dense import DenseIndex
from evidex.index.postings import write_postings
from evidex.index.sparse import SparseIndex
from evidex.index.strings import Strings
from evidex.index.vectors import SealedVectors, write_vectors
from evidex.parsing.text import TextParser
from evidex.ports import Embedder, Embedding, Index
from evidex.query.combine import reciprocal_rank_fusion
from evidex.query.retrieve import retrieve
from evidex.query.understand import Synonyms, understand
from evidex.storage import Folder, digest
from evidex.types import (
    Chunk,
    ChunkId,
    Document,
    DocumentId,
    DocumentKey,
    Metadata,
    Principal,
    Query,
    Question,
    Ranking,
    Scope,
    SourceItem,
    ranked,
)

CANDIDATES = 12
"""Hits that are taken from each channel and wording, and fused chunks that are reranked."""
EXPANSIONS = {
    "money back": "refund",
    "money": "refund",
    "overseas": "international",
    "yearly": "annual",
    "membership": "subscription",
    "parcel": "package",
    "settled bills": "invoices",
    "laptop": "computer",
    "erased": "deleted",
    "recovery link": "reset link",
    "severity-one": "priority",
}
_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CODE = re.compile(r"\b[a-z]\d{3,}\b")


@dataclass(frozen=True, slots=True)
class HyphenatedWords:
    """Lower-case words with their hyphens, as they are, without stop words."""

    stop_words: frozenset[str] = frozenset()
    name: str = "hyphenated-words/1"

    def terms(self, text: str) -> list[str]:
        return [word for word in _WORD.findall(text.lower()) if word not in self.stop_words]


def spelled(text: str) -> str:
    """Every word as a code. The words that LSA sees are stemmed and lose stop words; codes are kept as they are."""
    return " ".join(f"w{word.encode().hex()}" for word in HyphenatedWords().terms(text))


class SpelledEmbedder:
    """An embedder that is handed spelled texts."""

    has_token_vectors = False

    def __init__(self, embedder: Embedder) -> None:
        self.contract = embedder.contract
        self._embedder = embedder

    def embed(
        self, texts: Sequence[str], *, role: Literal["query", "passage"], token_vectors: bool = False
    ) -> Embedding:
        return self._embedder.embed([spelled(text) for text in texts], role=role, token_vectors=token_vectors)


@dataclass(frozen=True, slots=True)
class OverlapReranker:
    """2 · shared content words + 6 · shared codes + 1.5 · cosine, over all wordings of the question.

    Words and codes are those of title and text, the cosine is that of the text alone.
    """

    embedder: Embedder
    stop_words: frozenset[str]
    name: str = "overlap/1"

    def rerank(self, query: Query, candidates: Sequence[Chunk], limit: int) -> Ranking:
        asked = " ".join(variant.text for variant in query.variants)
        (question,) = self.embedder.embed([asked], role="query").vectors
        passages = self.embedder.embed([chunk.text for chunk in candidates], role="passage").vectors
        content = HyphenatedWords(self.stop_words)
        words, codes = frozenset(content.terms(asked)), frozenset(_CODE.findall(asked.lower()))
        scored = [
            (
                chunk.id,
                2 * len(words.intersection(content.terms(chunk.indexed_text)))
                + 6 * len(codes.intersection(_CODE.findall(chunk.indexed_text.lower())))
                + 1.5 * float(passage @ question),
            )
            for chunk, passage in zip(candidates, passages, strict=True)
        ]
        return ranked("reranked", scored, limit)


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """Chunks by name, and the two channels over them."""

    chunks: Mapping[ChunkId, Chunk]
    sparse: SparseIndex
    dense: DenseIndex

    @property
    def scope(self) -> Scope:
        return Scope(np.ones(len(self.chunks), np.bool_))

    def search(self, channel: Index, text: str) -> Ranking:
        (ranking,) = channel.search([text], self.scope, CANDIDATES)
        return ranking

    def fused(self, query: Query) -> Ranking:
        routes = retrieve(query, (self.sparse, self.dense), self.scope, CANDIDATES)
        return reciprocal_rank_fusion([route.ranking for route in routes], [route.variant.weight for route in routes])

    def reranked(self, query: Query, stop_words: frozenset[str]) -> Ranking:
        candidates = [self.chunks[id] for id in self.fused(query).ids[:CANDIDATES]]
        return OverlapReranker(self.dense.embedder, stop_words).rerank(query, candidates, 5)

    def sources(self, ranking: Ranking) -> list[str]:
        """The sources of ranked chunks, each once, at its best rank."""
        return list(dict.fromkeys(self.chunks[id].document for id in ranking.ids))


def rows(file: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def documents(file: Path) -> list[Document]:
    """The documents of a published corpus by id, the retired ones too."""
    parser, found = TextParser(), []
    for row in rows(file):
        id, content = row.get("source_id") or row["id"], row["text"].encode()
        retired = not row.get("active", True)
        metadata = Metadata(DocumentId(id), row.get("version", "1"), title=row["title"], retired=retired)
        parsed = parser.parse(SourceItem(id, "text", content, metadata))
        found.append(Document(DocumentKey(digest(content)), metadata, parser.name, parsed))
    return sorted(found, key=lambda document: document.id)


def knowledge_base(
    folder: Path,
    corpus: Sequence[Document],
    *,
    size: int = 48,
    overlap: int = 9,
    width: int = 32,
    k1: float = 1.2,
    stop_words: frozenset[str] = frozenset(),
) -> KnowledgeBase:
    """Chunk and index in `folder` what is in force of a corpus; titles are indexed with every chunk."""
    chunker, analyzer = WindowChunker(size, overlap), HyphenatedWords(stop_words)
    named = sorted(
        (f"{document.id}:{ordinal}", chunk)
        for document in corpus
        if document.metadata.in_force(date.max)
        for ordinal, chunk in enumerate(chunker.chunk(document))
    )
    ids, texts = Strings.of(name for name, _ in named), [chunk.indexed_text for _, chunk in named]
    target = Folder(folder)
    numbering = TermNumbering(analyzer)
    numbers = [numbering.number(texts)]
    write_postings(target, numbers, lambda: numbering.terms, analyzer=analyzer.name, k1=k1, b=0.75)
    LsaTrainer(width)([spelled(text) for text in texts], target.child("embedder").path)
    embedder = SpelledEmbedder(LsaEmbedder(read_model(folder / "embedder"), EmbeddingSettings()))
    write_vectors(target, embedder.embed(texts, role="passage").vectors, contract=embedder.contract)
    return KnowledgeBase(
        chunks={ChunkId(name): replace(chunk, id=ChunkId(name)) for name, chunk in named},
        sparse=SparseIndex.open(folder, analyzer, ids=ids),
        dense=DenseIndex(SealedVectors.open(folder, ids=ids), embedder),
    )


def worded(row: Mapping[str, Any], expansions: Mapping[str, str]) -> Query:
    """A labelled question and at most one other wording of it, both of the same weight.

    The published rewriting replaces substrings one after another, and has one fixed sentence for the follow-up. Whole
    words and the longest phrase, as here, give the same wordings; the follow-up gets the turn before it in front.
    """
    history = (row["history"],) if "history" in row else ()
    question = Question(row["query"], Principal(), history)
    settings = UnderstandingSettings(max_variants=2, variant_weight=1.0)
    return understand(question, Synonyms.of("published", expansions), settings)
