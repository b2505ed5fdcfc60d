from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.golden import GoldenSet, read_golden
from evidex.types import Case, DocumentId, Evidence


@pytest.fixture
def read(tmp_path: Path):  # type: ignore[no-untyped-def]
    def from_text(text: str) -> GoldenSet:
        (tmp_path / "golden.csv").write_text(text, "utf-8", newline="")
        return read_golden(tmp_path / "golden.csv")

    return from_text


def test_a_row_is_a_case_and_further_rows_of_its_id_are_further_evidence(read) -> None:  # type: ignore[no-untyped-def]
    golden = read(
        "id,question,answerable,document,grade,quote,as_of\n"
        'a,"Which, and why?",TRUE,d1,3,"so it ""is""",2024-05-05\n'
        "b,None?,false,,,,\n"
        "a,,,d2,,,\n"
    )
    assert golden.cases == (
        Case(
            "a",
            "Which, and why?",
            (Evidence(DocumentId("d1"), 3, quote='so it "is"'), Evidence(DocumentId("d2"))),
            answerable=True,
            as_of=date(2024, 5, 5),
            line=2,
        ),
        Case("b", "None?", answerable=False, line=3),
    )


def test_lists_have_one_entry_a_line_and_a_span_two_columns(read) -> None:  # type: ignore[no-untyped-def]
    golden = read('id,question,history,withheld,document,start,end\na,What?,"One?\nTwo?",x,d,3,7\nb,Next?,,,,,\n')
    a, b = golden.cases
    assert (a.history, a.withheld, a.evidence) == (("One?", "Two?"), ("x",), (Evidence(DocumentId("d"), span=(3, 7)),))
    assert (a.line, b.line) == (2, 4)


def test_what_spreadsheets_add_is_no_part_of_a_case(read) -> None:  # type: ignore[no-untyped-def]
    plain = read("id,question,split\na,What?,dev\n")
    assert read("\ufeffid,question,split\r\na,What?,dev\r\n,,\r\n\r\n").digest == plain.digest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id;question\na;What?\n", "line 1 has the unknown column 'id;question'"),
        ("question\nWhat?\n", "line 1 has no column 'id'"),
        ("id,question,id\na,What?,b\n", "line 1 names the column 'id' twice"),
        ("id,question,notes\na,What?,x\n", "line 1 has the unknown column 'notes'"),
        ("id,question\na,What?,more\n", "line 2, case 'a' has 3 cells under 2 columns"),
        ("id,question\n,What?\n", "line 2 has no 'id'"),
        ("id,question\na,What?\na,Which?\n", "line 3, case 'a' has another 'question' than line 2"),
        ("id,question\na,\n", "line 2, case 'a' has no 'question'"),
        ("id,question,answerable\na,What?,maybe\n", "line 2, case 'a' has 'answerable' 'maybe'"),
        ("id,question,document,grade\na,What?,d,high\n", "line 2, case 'a' has 'grade' 'high'"),
        ("id,question,document,grade\na,What?,d,1.5\n", r"line 2, case 'a' has 'grade' '1\.5'"),
        ("id,question,document,start\na,What?,d,4\n", "line 2, case 'a' has 'span'"),
        ("id,question,quote\na,What?,words\n", "line 2, case 'a' has no 'document'"),
        ('id,question\na,"What?\n', "line 2 is not CSV"),
        ("id,question\na," + "x" * 200_000 + "\n", "line 2 is not CSV"),
    ],
)
def test_a_bad_row_is_named_by_line_and_id(read, text: str, problem: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError, match=problem):
        read(text)


def test_a_table_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "golden.csv").write_bytes(b"id,question\na,Gr\xfc\xdfe?\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_golden(tmp_path / "golden.csv")
