"""evidex, by the calls that its own query line and builds make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import K1, B, Vectors
from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.numbering import TermNumbering
from evidex.config import AnalysisSettings, IndexSettings
from evidex.index.approximate import open_approximation, write_approximation
from evidex.index.bm25 import Found
from evidex.index.dense import DenseIndex
from evidex.index.multivector import SealedTokenVectors, write_token_vectors
from evidex.index.postings import write_postings
from evidex.index.sparse import SparseIndex
from evidex.index.strings import Strings
from evidex.index.vectors import SealedVectors, write_vectors
from evidex.ports import Analyzer, EmbedderContract, Embedding
from evidex.query.combine import reciprocal_rank_fusion
from evidex.storage import Folder
from evidex.types import Ranking, Scope

BATCH = 10_000
K = 10
"""Hits of a near-exact search, by which its effort is told."""
Rows = NDArray[np.int64]


def plain_analyzer() -> Analyzer:
    """The analyzer of languages without stemming, with stop words kept."""
    return make_analyzer(AnalysisSettings(language="none", stop_words=False))


def numbered(count: int) -> Strings:
    """Ids that are row numbers."""
    return Strings.of(f"{row:09}" for row in range(count))


def everything(count: int) -> Scope:
    """The scope of someone who may see every row."""
    return Scope(np.ones(count, np.bool_))


def rows_of(ranking: Ranking) -> list[int]:
    return [int(hit.chunk) for hit in ranking.hits]


# --- keyword search ------------------------------------------------------------------------------------------------


class Engine:
    settings = (
        "exact, statistics of a scope that holds everything, memory-mapped files; one call a query with its tokens "
        "split beforehand, answers are arrays of rows and scores"
    )

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        analyzer = plain_analyzer()
        numbering = TermNumbering(analyzer)
        batches = (numbering.number(batch) for batch in batched(iter(texts)))
        write_postings(Folder(folder), batches, lambda: numbering.terms, analyzer=analyzer.name, k1=K1, b=B)

    def open(self, folder: Path) -> Search:
        return Search(folder)


def batched(texts: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(texts, BATCH)):
        yield batch


class Search:
    def __init__(self, folder: Path, visible: NDArray[np.bool_] | None = None) -> None:
        opened = SparseIndex.open(folder, plain_analyzer(), ids=Strings.of(()))
        passages = len(opened.lengths)
        self.index = SparseIndex(numbered(passages), opened.analyzer, opened.postings)
        self.scope = everything(passages) if visible is None else Scope(visible)

    def prepared(self, query: str) -> list[str]:
        return query.split()

    def search(self, query: list[str], k: int) -> Found:
        return self.index.best(query, self.scope, k)

    def search_batch(self, queries: Sequence[list[str]], k: int) -> Sequence[Found]:
        return self.index.best_of_each(queries, self.scope, k)

    def rows(self, found: Found) -> Sequence[int]:
        rows: list[int] = found.rows.tolist()
        return rows


class TextSearch:
    """The same index as the query line asks it: from the text of a query to a ranking of hits with ids."""

    settings = "the same index; the query is a text that is tokenised inside the timing, answers are hits with ids"

    def __init__(self, search: Search) -> None:
        self._search = search

    def prepared(self, query: str) -> str:
        return query

    def search(self, query: str, k: int) -> Ranking:
        return self._search.index.search([query], self._search.scope, k)[0]

    def search_batch(self, queries: Sequence[str], k: int) -> Sequence[Ranking]:
        return self._search.index.search(queries, self._search.scope, k)

    def rows(self, found: Ranking) -> Sequence[int]:
        return rows_of(found)


ENGINE = Engine()


# --- dense search --------------------------------------------------------------------------------------------------


class Table:
    """An embedder that looks its vectors up: the text of a query is its number."""

    has_token_vectors = False

    def __init__(self, width: int) -> None:
        self.contract = EmbedderContract("table", "1", "", "", "", "sum", True, width, 0, "cosine")
        self.vectors = np.zeros((0, width), np.float32)

    def embed(
        self,
        texts: Sequence[str],
        *,
        role: Literal["query", "passage"],  # noqa: ARG002  # the port's
        token_vectors: bool = False,  # noqa: ARG002
    ) -> Embedding:
        count = len(texts)
        vectors = self.vectors[np.fromiter(map(int, texts), np.intp, count)]
        return Embedding(vectors, (1,) * count, (0,) * count, (0,) * count)


class Dense:
    """Exact search over everything, or over the rows that are visible."""

    settings = "exact: int8 codes rule rows out, the rest is scored in float64; answers are rankings of hits with ids"

    def __init__(self, folder: Path, vectors: Vectors, visible: NDArray[np.bool_] | None = None) -> None:
        self.folder, self.table = folder, Table(vectors.shape[1])
        write_vectors(Folder(folder), vectors, contract=self.table.contract)
        self.index = DenseIndex(SealedVectors.open(folder, ids=numbered(len(vectors))), self.table)
        self.scope = everything(len(vectors)) if visible is None else Scope(visible)

    def rankings(self, queries: Vectors, k: int) -> tuple[Ranking, ...]:
        self.table.vectors = queries
        return self.index.search([str(number) for number in range(len(queries))], self.scope, k)

    def search(self, queries: Vectors, k: int) -> tuple[Ranking, ...]:
        return self.rankings(queries, k)

    def rows(self, found: tuple[Ranking, ...]) -> Rows:
        return np.array([rows_of(ranking) for ranking in found], np.int64)


class Binary(Dense):
    """Near-exact search: a shortlist by sign bits, as long as the effort, scored in float64."""

    settings = "one bit a component, the shortlist scored in float64; answers are rankings of hits with ids"
    kind: Literal["binary", "hnsw"] = "binary"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        super().__init__(folder, vectors)
        write_approximation(Folder(folder), vectors, IndexSettings(dense=self.kind))

    def set_effort(self, candidates: int) -> None:
        opened = open_approximation(self.folder, IndexSettings(dense=self.kind, oversampling=candidates // K))
        self.index = DenseIndex(self.index.store, self.table, opened)


class Graph(Binary):
    """The same with a shortlist by a graph."""

    settings = (
        "the HNSW of faiss, M = 16, efConstruction = 100, one thread; the shortlist scored in float64; hits with ids"
    )
    kind = "hnsw"


# --- both ----------------------------------------------------------------------------------------------------------


class Hybrid:
    """Keyword and dense search of 100 candidates each, fused by reciprocal ranks, over the rows that are visible."""

    settings = "BM25 and dense search over the rows that the filter passes, whose statistics BM25 takes; RRF"

    def __init__(self, search: Search, dense: Dense) -> None:
        self._search = search
        self._dense = dense

    def search(self, query: tuple[str, Vectors], scope: Scope, k: int) -> Ranking:
        text, vector = query
        self._dense.table.vectors = vector[None]
        (keyword,) = self._search.index.search([text], scope, max(100, k))
        (dense,) = self._dense.index.search(["0"], scope, max(100, k))
        return reciprocal_rank_fusion((keyword, dense), (1.0, 1.0))


# --- late interaction ----------------------------------------------------------------------------------------------


class Late:
    """Mean MaxSim over int8 codes of token vectors."""

    settings = "int8 codes, memory-mapped; the mean over the query's tokens, in the order of the rows asked for"

    def __init__(self, folder: Path, documents: Vectors) -> None:
        write_token_vectors(Folder(folder), iter(documents), width=documents.shape[2])
        self._store = SealedTokenVectors.open(folder, ids=numbered(len(documents)))
        self._rows = np.arange(len(documents))

    def scores(self, query: Vectors) -> NDArray[np.float32]:
        return self._store.maxsim_of_rows(query, self._rows)
