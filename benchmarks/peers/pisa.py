"""PISA (Mallia and others 2019): compressed postings and dynamic pruning in C++, through pyterrier-pisa."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyterrier_pisa
from pyterrier_pisa import _pisathon

from benchmarks.peers import K1, B


class Engine:
    settings = (
        "block-max WAND over SIMD-BP128 postings, no stemmer, no stop list, one thread; asked below its data frames, "
        "which would take most of the time; answers are arrays of document names and scores. Its idf has no 1 inside "
        "the logarithm: words of the head weigh next to nothing, so its rankings of natural queries differ"
    )

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        rows = ({"docno": str(row), "text": text} for row, text in enumerate(texts))
        _index(folder).index(rows)
        _retriever(folder)  # the first one compresses the postings

    def open(self, folder: Path) -> Search:
        return Search(_retriever(folder)._ctxt)


def _index(folder: Path) -> Any:
    return pyterrier_pisa.PisaIndex(str(folder), text_field="text", stemmer="none", stops="none", threads=1)


def _retriever(folder: Path) -> Any:
    return _index(folder).bm25(k1=K1, b=B)


class Search:
    def __init__(self, context: Any) -> None:
        self._context = context

    def prepared(self, query: str) -> list[tuple[int, str]]:
        return [(0, query)]

    def search(self, query: list[tuple[int, str]], k: int) -> Any:
        names, scores = np.empty(k, object), np.empty(k, np.float32)
        found = _pisathon.retrieve(
            self._context,
            "block_max_wand",
            query,
            k=k,
            threads=1,
            query_weighted=0,
            pretokenised=False,
            result_qidxs=np.empty(k, np.int32),
            result_docnos=names,
            result_ranks=np.empty(k, np.int32),
            result_scores=scores,
        )
        return names[:found], scores[:found]

    def rows(self, found: Any) -> Sequence[int]:
        return [int(name) for name in found[0]]


ENGINE = Engine()
