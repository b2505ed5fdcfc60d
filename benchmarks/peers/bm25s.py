"""bm25s (Lù 2024): BM25 scores of all postings computed beforehand, in a sparse matrix; every query scores them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import bm25s

from benchmarks.peers import K1, B


class Engine:
    settings = (
        "numba backend, method lucene, one call a query with its tokens split beforehand, n_threads=0; built by "
        "bm25s.tokenize without stop words and stemmer, saved, and loaded into memory"
    )

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        tokens = bm25s.tokenize(list(texts), stopwords=[], show_progress=False)
        index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numba")
        index.index(tokens, show_progress=False)
        index.save(folder, show_progress=False)

    def open(self, folder: Path) -> Search:
        return Search(bm25s.BM25.load(folder, show_progress=False, verbosity=0))


class Search:
    def __init__(self, index: Any) -> None:
        self._index = index

    def prepared(self, query: str) -> list[list[str]]:
        return [query.split()]

    def search(self, query: list[list[str]], k: int) -> Any:
        return self._index.retrieve(query, k=k, show_progress=False, n_threads=0)

    def search_batch(self, queries: Sequence[list[list[str]]], k: int) -> Any:
        together = [tokens for query in queries for tokens in query]
        return self._index.retrieve(together, k=k, show_progress=False, n_threads=0)

    def rows(self, found: Any) -> Sequence[int]:
        rows: list[int] = found.documents[0][found.scores[0] > 0].tolist()
        return rows


ENGINE = Engine()
