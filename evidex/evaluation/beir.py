"""Which questions does a collection in the layout of BEIR ask? Judged queries, whose evidence is whole documents.

BEIR (Thakur et al. 2021) keeps queries in queries.jsonl and judgments in qrels.tsv or qrels/<split>.tsv; those of TREC
stand in qrels.txt: topic, iteration, document, grade. A grade below 0, which TREC gives to junk, counts as 0.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evidex.errors import ConfigError, SourceError
from evidex.evaluation.cases import Entry, entry
from evidex.evaluation.trec import read_qrels
from evidex.sources.jsonl import rows
from evidex.types import DocumentId, Evidence

QUERIES = "queries.jsonl"
_HEADER = ("query-id", "corpus-id", "score")


@dataclass(frozen=True, slots=True)
class _Judgment:
    file: Path
    line: int
    query: str
    document: str
    grade: int
    split: str


def beir_entries(folder: Path) -> Iterator[Entry]:
    """The judged queries of a collection, in the order of queries.jsonl, and what is wrong with queries and judgments.

    Queries that nobody judged are left out: each file of judgments covers a part of them. The split of a case is the
    name of the file below qrels/. Raises `ConfigError` where there are no judgments.
    """
    judgments: dict[str, list[_Judgment]] = {}
    for file, split in _files(folder):
        for found in _judgments(file, split):
            if isinstance(found, Entry):
                yield found
            else:
                judgments.setdefault(found.query, []).append(found)
    queries = folder / QUERIES
    asked: set[str] = set()
    for number, row in rows(queries, max_bytes=sys.maxsize - 1):
        if isinstance(row, SourceError):
            yield Entry(queries, number, "", problem=f"is {row.problem.removesuffix('.')}")
            continue
        query = entry(_plain(row), queries, number)
        asked.add(query.id)
        if query.case is None or query.id in judgments:
            yield _judged(query, judgments.get(query.id, []))
    for id, (first, *_) in judgments.items():
        if id not in asked:
            yield Entry(first.file, first.line, id, problem=f"is judged but not asked in {QUERIES}")


def _plain(row: Mapping[str, object]) -> Mapping[str, object]:
    return {key: row.get(key) for key in ("_id", "text")}


def _judged(query: Entry, judgments: list[_Judgment]) -> Entry:
    if query.case is None:
        return query
    split = judgments[0].split
    documents: set[str] = set()
    for judgment in judgments:
        if judgment.split != split:
            return replace(query, case=None, problem=f"is judged in the splits {split!r} and {judgment.split!r}")
        if judgment.document in documents:
            problem = f"has two judgments of {judgment.document!r}"
            return Entry(judgment.file, judgment.line, query.id, problem=problem)
        documents.add(judgment.document)
    evidence = tuple(Evidence(DocumentId(one.document), max(0, one.grade)) for one in judgments)
    return replace(query, case=replace(query.case, evidence=evidence, split=split))


def _files(folder: Path) -> list[tuple[Path, str]]:
    """The files of judgments with the splits that they are for."""
    splits = [(file, file.stem) for file in sorted((folder / "qrels").glob("*.tsv"))]
    whole = [(folder / name, "") for name in ("qrels.tsv", "qrels.txt") if (folder / name).is_file()]
    if not splits and not whole:
        raise ConfigError(
            f"The collection {str(folder)!r} has no judgments.",
            "Put them into qrels.tsv, qrels/<split>.tsv, or in the form of TREC into qrels.txt.",
        )
    if len(whole) + bool(splits) > 1:
        names = [file.relative_to(folder).as_posix() for file, _ in (*whole, *splits)]
        raise ConfigError(f"The collection {str(folder)!r} has {names[0]} and {names[1]}.", "Keep one of the two.")
    return splits or whole


def _judgments(file: Path, split: str) -> Iterator[_Judgment | Entry]:
    if file.suffix == ".txt":
        for query, graded in read_qrels(file).items():
            yield from (_Judgment(file, 0, query, document, grade, split) for document, grade in graded.items())
        return
    try:
        lines = file.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        yield Entry(file, 1, "", problem=f"begins a file that is not UTF-8: {error}")
        return
    if tuple(lines[0].rstrip("\r").split("\t")) != _HEADER:
        yield Entry(file, 1, "", problem=f"is not the header {', '.join(_HEADER)} between tabs")
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            yield _judgment(line.rstrip("\r").split("\t"), file, number, split)


def _judgment(fields: list[str], file: Path, number: int, split: str) -> _Judgment | Entry:
    if len(fields) != len(_HEADER) or not all(fields):
        return Entry(file, number, "", problem=f"has no {len(_HEADER)} columns with something in each")
    query, document, grade = fields
    try:
        return _Judgment(file, number, query, document, int(grade), split)
    except ValueError:
        return Entry(file, number, query, problem=f"has the grade {grade!r:.60}, which is not a whole number")
