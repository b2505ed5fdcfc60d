"""Collections in the layout of BEIR (Thakur et al. 2021): corpus.jsonl, queries.jsonl and relevance judgments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evidex.config import AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.sources.jsonl import JsonLinesSource, rows

CORPUS = "corpus.jsonl"
_QUERIES = "queries.jsonl"
_QRELS = (Path("qrels.tsv"), Path("qrels", "test.tsv"))
_QRELS_HEADER = ["query-id", "corpus-id", "score"]


def corpus(folder: Path, *, workspace: Path, sources: SourcesSettings, access: AccessSettings) -> JsonLinesSource:
    """The documents of a collection."""
    return JsonLinesSource(folder / CORPUS, workspace=workspace, sources=sources, access=access)


def read_queries(folder: Path) -> Mapping[str, str]:
    """The queries of a collection by id, in the order of the file. Raises `SourceError` naming a bad line."""
    path = folder / _QUERIES
    queries: dict[str, str] = {}
    for number, row in rows(path, max_bytes=SourcesSettings().max_bytes):
        if isinstance(row, SourceError):
            raise SourceError(f"{str(path)!r}, line {number}: {row.problem}", row.remedy)
        id, text = row.get("_id"), row.get("text")
        if not isinstance(id, str) or not isinstance(text, str) or id in queries:
            raise SourceError(
                f"{str(path)!r}, line {number}: no '_id' of its own or no 'text'.", "Give each query both, as strings."
            )
        queries[id] = text
    return queries


def read_qrels(folder: Path) -> Mapping[str, Mapping[str, int]]:
    """Relevance by query id and document id, from qrels.tsv or qrels/test.tsv.

    Raises `SourceError` where neither is, where the header is not `query-id corpus-id score`, and naming a bad line.
    """
    path = next((folder / name for name in _QRELS if (folder / name).is_file()), None)
    if path is None:
        raise SourceError(f"{str(folder)!r} has no relevance judgments.", f"Put them into {_QRELS[0]}.")
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{str(path)!r} cannot be read: {error}.", "Check it.") from None
    if not lines or lines[0].split("\t") != _QRELS_HEADER:
        raise SourceError(f"{str(path)!r} has no header line.", f"Begin it with {chr(9).join(_QRELS_HEADER)!r}.")
    qrels: dict[str, dict[str, int]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            query, document, score = _judgment(line, f"{str(path)!r}, line {number}")
            if document in qrels.setdefault(query, {}):
                raise SourceError(f"{str(path)!r}, line {number}: {document!r} is judged twice.", "Keep one judgment.")
            qrels[query][document] = score
    return qrels


def _judgment(line: str, where: str) -> tuple[str, str, int]:
    try:
        query, document, score = line.split("\t")
        return query, document, int(score)
    except ValueError:
        raise SourceError(f"{where}: {line!r:.80} is no judgment.", "Write query id, document id, number.") from None
