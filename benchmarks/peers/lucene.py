"""Apache Lucene 10.5.2 with the Java 25 runtime of the package arcadedb-embedded, called through JPype."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import arcadedb_embedded
import jpype

from benchmarks.peers import K1, B

OPTIONS = (
    *(
        "-Xmx6g",
        "-XX:+UseSerialGC",
        "-Xbatch",
        "--add-modules=jdk.incubator.vector",
        "--enable-native-access=ALL-UNNAMED",
    ),
    "-Djava.util.logging.config.file=/dev/null",
)


class Engine:
    settings = (
        "StandardAnalyzer, frequencies without positions, one segment, memory-mapped, vector module on; query objects "
        "made beforehand, no query cache, hits are not counted, so that pruning begins at once; answers are TopDocs, "
        "whose documents are not fetched. Building calls Java once a passage; the JVM's own threads are counted"
    )

    def build(self, folder: Path, texts: Iterable[str]) -> None:
        lucene = _lucene()
        config = lucene.index.IndexWriterConfig(lucene.analysis.standard.StandardAnalyzer())
        config.setRAMBufferSizeMB(1000.0).setSimilarity(lucene.search.similarities.BM25Similarity(K1, B))
        kind = lucene.document.FieldType()
        kind.setIndexOptions(lucene.index.IndexOptions.DOCS_AND_FREQS)
        kind.setTokenized(True)
        field = lucene.document.Field("text", "", kind)
        document = lucene.document.Document()
        document.add(field)
        writer = lucene.index.IndexWriter(_directory(lucene, folder), config)
        for text in texts:
            field.setStringValue(text)
            writer.addDocument(document)
        writer.forceMerge(1)
        writer.close()

    def open(self, folder: Path) -> Search:
        lucene = _lucene()
        searcher = lucene.search.IndexSearcher(lucene.index.DirectoryReader.open(_directory(lucene, folder)))
        searcher.setSimilarity(lucene.search.similarities.BM25Similarity(K1, B))
        searcher.setQueryCache(None)
        return Search(lucene, searcher)


def _lucene() -> Any:
    """The package org.apache.lucene; the JVM starts at the first call and ends with the process."""
    home = Path(arcadedb_embedded.__file__).parent
    if not jpype.isJVMStarted():
        jars = sorted(str(path) for path in (home / "jars").glob("lucene-*.jar"))
        jpype.startJVM(str(home / "jre" / "lib" / "server" / "libjvm.so"), *OPTIONS, classpath=jars)
    return jpype.JPackage("org").apache.lucene


def _directory(lucene: Any, folder: Path) -> Any:
    return lucene.store.MMapDirectory(jpype.JClass("java.nio.file.Path").of(str(folder)))


class Search:
    def __init__(self, lucene: Any, searcher: Any) -> None:
        self._lucene = lucene
        self._searcher = searcher
        self._top = lucene.search.TopScoreDocCollectorManager

    def prepared(self, query: str) -> Any:
        search = self._lucene.search
        builder = search.BooleanQuery.Builder()
        for word in query.split():
            term = search.TermQuery(self._lucene.index.Term("text", word))
            builder.add(term, search.BooleanClause.Occur.SHOULD)
        return builder.build()

    def search(self, query: Any, k: int) -> Any:
        return self._searcher.search(query, self._top(k, 1))

    def rows(self, found: Any) -> Sequence[int]:
        return [int(hit.doc) for hit in found.scoreDocs]


ENGINE = Engine()
