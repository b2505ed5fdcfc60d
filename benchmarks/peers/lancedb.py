"""LanceDB: full-text search over a Lance table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import lancedb
import pyarrow

BATCH = 10_000


class Engine:
    settings = (
        "simple tokeniser, lower case, no stemming, stop words or positions; rows without a filter; answers are the "
        "Arrow tables of its query builder, and hold row numbers and scores"
    )

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        schema = pyarrow.schema({"row": pyarrow.int64(), "text": pyarrow.string()})
        table = lancedb.connect(folder).create_table("passages", _batches(iter(texts), schema), schema=schema)
        table.create_fts_index("text", stem=False, remove_stop_words=False, ascii_folding=False, with_position=False)

    def open(self, folder: Path) -> Search:
        return Search(lancedb.connect(folder).open_table("passages"))


def _batches(texts: Iterator[str], schema: Any) -> Iterator[Any]:
    row = 0
    while batch := list(islice(texts, BATCH)):
        yield pyarrow.record_batch([list(range(row, row + len(batch))), batch], schema=schema)
        row += len(batch)


class Search:
    def __init__(self, table: Any) -> None:
        self._table = table

    def prepared(self, query: str) -> str:
        return query

    def search(self, query: str, k: int) -> Any:
        return self._table.search(query, query_type="fts").select(["row", "_score"]).limit(k).to_arrow()

    def rows(self, found: Any) -> Sequence[int]:
        rows: list[int] = found["row"].to_pylist()
        return rows


ENGINE = Engine()
