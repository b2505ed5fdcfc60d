"""Collections with queries and judgments."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidex.errors import SourceError
from evidex.sources.beir import read_qrels, read_queries
from tests.sources.tree import found, write

HEADER = "query-id\tcorpus-id\tscore\n"


def test_a_folder_with_a_corpus_is_a_collection(tmp_path: Path) -> None:
    folder = write(tmp_path / "c", {"corpus.jsonl": '{"_id": "1", "title": "T", "text": "x"}\n', "notes.md": "no"})
    items, failures = found(folder)
    assert [(item.metadata.id, item.metadata.title, item.content) for item in items] == [("1", "T", b"x")]
    assert not failures


@pytest.mark.parametrize("name", ["qrels.tsv", "qrels/test.tsv"])
def test_queries_and_judgments_are_read(tmp_path: Path, name: str) -> None:
    folder = write(
        tmp_path,
        {"queries.jsonl": '{"_id": "q2", "text": "b"}\n{"_id": "q1", "text": "a"}\n', name: HEADER + "q1\td\t2\n"},
    )
    assert list(read_queries(folder).items()) == [("q2", "b"), ("q1", "a")]
    assert read_qrels(folder) == {"q1": {"d": 2}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q1\td\t2\n", "no header line"),
        ("", "no header line"),
        (HEADER + "q1\td\n", "line 2"),
        (HEADER + "q1\td\thigh\n", "line 2"),
        (HEADER + "q1\td\t1\nq1\td\t0\n", "line 3: 'd' is judged twice"),
    ],
)
def test_bad_judgments_are_an_error_with_their_line(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        read_qrels(write(tmp_path, {"qrels.tsv": text}))


@pytest.mark.parametrize(
    "line", ['{"_id": "q", "text": "again"}', '{"_id": "r"}', '{"_id": 1, "text": "x"}', "nonsense"]
)
def test_a_bad_query_is_an_error_with_its_line(tmp_path: Path, line: str) -> None:
    folder = write(tmp_path, {"queries.jsonl": f'{{"_id": "q", "text": "x"}}\n{line}\n'})
    with pytest.raises(SourceError, match="line 2"):
        read_queries(folder)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"queries\.jsonl"):
        read_queries(tmp_path)
    with pytest.raises(SourceError, match="no relevance judgments"):
        read_qrels(tmp_path)


def test_scifact_is_read_whole(shared: Path) -> None:
    folder = shared / "data" / "collections" / "scifact"
    items, failures = found(folder)
    assert (len(items), len(failures)) == (5_183, 0)
    assert (len(read_queries(folder)), sum(map(len, read_qrels(folder).values()))) == (300, 339)
