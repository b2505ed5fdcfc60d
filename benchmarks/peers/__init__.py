"""The engines that are compared: one adapter a file, with the same three steps for everybody.

Keyword engines index the same passages, of which every tokeniser makes the same tokens (corpus.py), with k1 = 1.2 and
b = 0.75, stop words included, without stemming and without positions, on one thread, and are opened from their files.
`settings` says the rest in a sentence, which is printed with the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.75
CONNECTIVITY, CONSTRUCTION = 16, 100
"""Of every graph: neighbours of a node, and candidates that are kept while it is built."""
KEYWORD = ("evidex", "bm25s", "tantivy", "lucene", "pisa", "lancedb")
"""Engines of keyword search, ours first."""

Vectors = NDArray[np.float32]


class KeywordEngine(Protocol):
    """An index that is built from passages and opened for search."""

    settings: str

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        """From text to an index in `folder` that can be opened."""

    def open(self, folder: Path) -> KeywordSearch: ...


class KeywordSearch(Protocol):
    """Search is timed; `prepared`, whatever may be done to a query before, and `rows` are not."""

    def prepared(self, query: str) -> Any: ...
    def search(self, query: Any, k: int) -> Any: ...
    def rows(self, found: Any) -> Sequence[int]: ...


class DenseSearch(Protocol):
    """Nearest neighbours by dot product. Search is timed, `rows`, of shape (queries, k), is not."""

    def search(self, queries: Vectors, k: int) -> Any: ...
    def rows(self, found: Any) -> NDArray[Any]: ...


class GraphSearch(DenseSearch, Protocol):
    """One that finds more of them with more effort: candidates that are kept during a search."""

    def set_effort(self, candidates: int) -> None: ...


def keyword_engine(name: str) -> KeywordEngine:
    """The adapter of this name. Raises whatever its libraries raise where they are missing."""
    return cast(KeywordEngine, import_module(f"{__name__}.{name}").ENGINE)
