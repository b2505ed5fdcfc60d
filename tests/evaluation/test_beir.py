from __future__ import annotations

from pathlib import Path

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.golden import read_golden
from evidex.types import Case, DocumentId, Evidence

QUERIES = (
    '{"_id": "q1", "text": "One?", "metadata": {}}\n{"_id": "q2", "text": "Two?"}\n{"_id": "q3", "text": "Three?"}\n'
)
HEADER = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "queries.jsonl").write_text(QUERIES, "utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "no case"}\n', "utf-8")
    (tmp_path / "qa.jsonl").write_text("not read\n", "utf-8")
    return tmp_path


def test_judged_queries_are_cases_whose_evidence_is_whole_documents_and_nobody_says_if_they_can_be_answered(
    folder: Path,
) -> None:
    (folder / "qrels.tsv").write_text(HEADER + "q2\td1\t2\nq1\td 2\t1\r\nq2\td3\t0\n", "utf-8")
    assert read_golden(folder).cases == (
        Case("q1", "One?", (Evidence(DocumentId("d 2")),), line=1),
        Case("q2", "Two?", (Evidence(DocumentId("d1"), 2), Evidence(DocumentId("d3"), 0)), line=2),
    )


def test_files_below_qrels_name_splits(folder: Path) -> None:
    (folder / "qrels").mkdir()
    (folder / "qrels" / "dev.tsv").write_text(HEADER + "q1\td1\t1\n", "utf-8")
    (folder / "qrels" / "test.tsv").write_text(HEADER + "q3\td1\t1\n", "utf-8")
    assert [(case.id, case.split) for case in read_golden(folder).cases] == [("q1", "dev"), ("q3", "test")]


def test_judgments_of_trec_are_read_and_junk_counts_as_not_relevant(folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 2\nq1 0 d2 -2\nq2\t0\td3\t1\n", "utf-8")
    assert [[(e.document, e.grade) for e in case.evidence] for case in read_golden(folder).cases] == [
        [("d1", 2), ("d2", 0)],
        [("d3", 1)],
    ]


def test_it_is_the_same_golden_set_as_the_rows_would_be(folder: Path, tmp_path: Path) -> None:
    (folder / "qrels.tsv").write_text(HEADER + "q1\td1\t1\n", "utf-8")
    (tmp_path / "rows.jsonl").write_text(
        '{"id": "q1", "question": "One?", "evidence": [{"document": "d1"}]}\n', "utf-8"
    )
    assert read_golden(folder).digest == read_golden(tmp_path / "rows.jsonl").digest


@pytest.mark.parametrize(
    ("qrels", "problem"),
    [
        ("q1\td1\t1\n", "line 1 is not the header query-id, corpus-id, score"),
        (HEADER + "q1\td1\n", "line 2 has no 3 columns"),
        (HEADER + "q1\t\t1\n", "line 2 has no 3 columns"),
        (HEADER + "q1\td1\thigh\n", "line 2, case 'q1' has the grade 'high'"),
        (HEADER + "q1\td1\t1\nq1\td1\t2\n", "line 3, case 'q1' has two judgments of 'd1'"),
        (HEADER + "q9\td1\t1\n", "line 2, case 'q9' is judged but not asked"),
    ],
)
def test_a_bad_judgment_is_named_by_file_and_line(folder: Path, qrels: str, problem: str) -> None:
    (folder / "qrels.tsv").write_text(qrels, "utf-8")
    with pytest.raises(ConfigError) as refusal:
        read_golden(folder)
    assert f"{str(folder / 'qrels.tsv')!r}, {problem}" in str(refusal.value)


def test_a_bad_query_is_named_by_file_and_line(folder: Path) -> None:
    (folder / "qrels.tsv").write_text(HEADER + "q1\td1\t1\n", "utf-8")
    (folder / "queries.jsonl").write_text(QUERIES + '{"text": "Four?"}\n', "utf-8")
    with pytest.raises(ConfigError, match=r"queries\.jsonl', line 4 has no 'id'"):
        read_golden(folder)


def test_a_query_is_in_one_split(folder: Path) -> None:
    (folder / "qrels").mkdir()
    for split in ("dev", "test"):
        (folder / "qrels" / f"{split}.tsv").write_text(HEADER + "q1\td1\t1\n", "utf-8")
    with pytest.raises(ConfigError, match="case 'q1' is judged in the splits 'dev' and 'test'"):
        read_golden(folder)


def test_judgments_are_there_once(folder: Path) -> None:
    with pytest.raises(ConfigError, match="has no judgments"):
        read_golden(folder)
    (folder / "qrels.tsv").write_text(HEADER + "q1\td1\t1\n", "utf-8")
    (folder / "qrels.txt").write_text("q1 0 d1 1\n", "utf-8")
    with pytest.raises(ConfigError, match=r"has qrels\.tsv and qrels\.txt"):
        read_golden(folder)


def test_judgments_that_are_not_utf_8_are_refused(folder: Path) -> None:
    (folder / "qrels.tsv").write_bytes(HEADER.encode() + b"q1\t\xff\t1\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_golden(folder)
