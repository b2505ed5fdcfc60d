"""tantivy: an engine in Rust after Lucene's design, through its Python binding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tantivy


class Engine:
    settings = (
        "one writer thread, default tokeniser, frequencies without positions, merged into one segment; query objects "
        "made beforehand; k1 = 1.2 and b = 0.75 are built in, lengths are kept in one byte"
    )

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        schema = tantivy.SchemaBuilder().add_text_field("text", index_option="freq").build()
        index = tantivy.Index(schema, path=str(folder))
        writer = index.writer(heap_size=1_000_000_000, num_threads=1)
        for text in texts:
            writer.add_document(tantivy.Document(text=text))
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder: Path) -> Search:
        return Search(tantivy.Index.open(str(folder)))


class Search:
    def __init__(self, index: Any) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        if self._searcher.num_segments > 1:
            raise RuntimeError(f"tantivy left {self._searcher.num_segments} segments, so rows cannot be told")

    def prepared(self, query: str) -> Any:
        terms = [tantivy.Query.term_query(self._schema, "text", word) for word in query.split()]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])

    def search(self, query: Any, k: int) -> Any:
        return self._searcher.search(query, limit=k, count=False)

    def rows(self, found: Any) -> Sequence[int]:
        return [address.doc for _, address in found.hits]


ENGINE = Engine()
