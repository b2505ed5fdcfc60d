from __future__ import annotations

import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from evidex.errors import ConfigError
from evidex.evaluation.golden import GoldenSet, read_golden, select, write_golden
from evidex.storage import Folder
from evidex.types import Case
from tests.evaluation.test_cases import cases

ROW = '{"id": "%s", "question": "What?"}\n'


def golden_sets() -> st.SearchStrategy[list[Case]]:
    return st.lists(cases(), min_size=1, max_size=4, unique_by=lambda case: case.id)


def without_lines(golden: GoldenSet) -> list[Case]:
    return [Case(**{**{name: getattr(case, name) for name in Case.__slots__}, "line": 0}) for case in golden.cases]


# --- what is read


@given(golden_sets())
@hypothesis_settings(max_examples=25)
def test_a_golden_set_that_is_written_is_read_again_and_written_alike(written: list[Case]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "golden.jsonl")
        write_golden(path, written)
        golden = read_golden(path)
        assert without_lines(golden) == sorted(written, key=lambda case: case.id)
        before = path.read_bytes()
        write_golden(path, sorted(golden.cases, key=lambda case: case.line))
        assert path.read_bytes() == before


@given(golden_sets(), st.randoms(use_true_random=False))
@hypothesis_settings(max_examples=25)
def test_neither_the_order_of_rows_and_keys_nor_white_space_changes_the_digest(
    written: list[Case], chance: random.Random
) -> None:
    with TemporaryDirectory() as folder:
        one, other = Path(folder, "one.jsonl"), Path(folder, "other.jsonl")
        write_golden(one, written)
        rows = [json.loads(line) for line in one.read_bytes().split(b"\n") if line]
        chance.shuffle(rows)
        shuffled = [dict(chance.sample(list(row.items()), len(row))) for row in rows]
        other.write_text("\n\n".join(json.dumps(row, separators=(" , ", " : ")) for row in shuffled), "utf-8")
        assert read_golden(one).digest == read_golden(other).digest


def test_any_change_of_what_a_case_says_changes_the_digest(tmp_path: Path) -> None:
    rows = [ROW % "a", '{"id": "a", "question": "What??"}\n', '{"id": "a", "question": "What?", "answer": "x"}\n']
    digests = set()
    for row in rows:
        (tmp_path / "golden.jsonl").write_text(row, "utf-8")
        digests.add(read_golden(tmp_path / "golden.jsonl").digest)
    assert len(digests) == len(rows)


def test_a_folder_is_one_golden_set_without_what_is_only_proposed(tmp_path: Path) -> None:
    folder = tmp_path / "golden"
    folder.mkdir()
    (folder / "dev.jsonl").write_text(ROW % "b" + ROW % "c", "utf-8")
    (folder / "test.jsonl").write_text(ROW % "a", "utf-8")
    (folder / "test.proposed.jsonl").write_text(ROW % "d", "utf-8")
    golden = read_golden(folder)
    assert (golden.name, [case.id for case in golden.cases]) == ("golden", ["a", "b", "c"])


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_no_part_of_a_case(tmp_path: Path) -> None:
    plain, windows = tmp_path / "plain.jsonl", tmp_path / "windows.jsonl"
    plain.write_text(ROW % "a" + ROW % "b", "utf-8")
    windows.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes().replace(b"\n", b"\r\n"))
    assert read_golden(plain).digest == read_golden(windows).digest


def test_a_case_knows_its_line(tmp_path: Path) -> None:
    (tmp_path / "golden.jsonl").write_text("\n" + ROW % "b" + "\n" + ROW % "a", "utf-8")
    assert [(case.id, case.line) for case in read_golden(tmp_path / "golden.jsonl").cases] == [("a", 4), ("b", 2)]


# --- what is refused


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (b"{", "line 2 is not JSON"),
        (b"\xff\xfe", "line 2 is not JSON"),
        (b"[1]", "line 2 is not a JSON object but list"),
        (b"7", "line 2 is not a JSON object but int"),
        (b"[" * 100_000, "line 2 is not JSON"),
        (b'{"evidence": ' * 100_000, "line 2 is not JSON"),
        (b'{"id": "b", "id": "c", "question": "What?"}', "line 2 is not JSON: key 'id' is given twice"),
        (b'{"id": "b", "question": NaN}', "line 2, case 'b' has 'question' nan"),
        (b'{"id": "b", "question": "\\ud800"}', "line 2, case 'b' has half a surrogate pair"),
        (b'{"id": "\\ud800", "question": "What?"}', "has half a surrogate pair in 'id'"),
        (b'{"id": "b", "question": "' + b"x" * 2_000_000 + b'", "no": 1}', "line 2, case 'b' has the unknown key 'no'"),
        (b'{"id": "b", "question": ' + b"9" * 10_000 + b"}", "line 2 is not JSON"),
        (b'{"id": "a", "question": "Again?"}', "line 2, case 'a' has the id of line 1 of"),
        (b'{"id": "b"}', "line 2, case 'b' has no 'question'"),
    ],
)
def test_a_bad_row_is_named_by_file_line_and_id(tmp_path: Path, row: bytes, problem: str) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_bytes((ROW % "a").encode() + row + b"\n")
    with pytest.raises(ConfigError) as refusal:
        read_golden(path)
    assert str(refusal.value).startswith(f"{str(path)!r}, line 2")
    assert problem in str(refusal.value)
    assert len(str(refusal.value)) < 600


def test_values_nested_almost_too_deeply_are_refused_like_others(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    nested = (b"[" * depth + b"]" * depth for depth in range(500, 1100, 5))
    path.write_bytes(b"".join(b'{"id": "b", "question": ' + value + b"}\n" for value in nested))
    with pytest.raises(ConfigError, match=r"line 1, case 'b' has 'question' .*and 119 more"):
        read_golden(path)


@given(st.binary(max_size=60))
@hypothesis_settings(max_examples=60)
def test_whatever_stands_in_a_file_it_is_read_or_refused(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        for name in ("golden.jsonl", "golden.csv"):
            path = Path(folder, name)
            path.write_bytes(content)
            with pytest.raises(ConfigError):
                read_golden(path)


def test_the_first_bad_row_is_told_and_how_many_more_there_are(tmp_path: Path) -> None:
    (tmp_path / "golden.jsonl").write_text("{\n[]\n" + ROW % "a" + ROW % "a", "utf-8")
    with pytest.raises(ConfigError, match=r"line 1 is not JSON.*and 2 more"):
        read_golden(tmp_path / "golden.jsonl")


def test_an_id_is_given_once_in_a_whole_folder(tmp_path: Path) -> None:
    for name in ("dev", "test"):
        (tmp_path / f"{name}.jsonl").write_text(ROW % "a", "utf-8")
    with pytest.raises(ConfigError, match=r"test\.jsonl', line 1, case 'a' has the id of line 1 of .*dev\.jsonl"):
        read_golden(tmp_path)


def test_a_golden_set_that_is_absent_or_empty_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no golden set"):
        read_golden(tmp_path / "golden.jsonl")
    with pytest.raises(ConfigError, match="holds no case"):
        read_golden(tmp_path)
    (tmp_path / "golden.jsonl").touch()
    with pytest.raises(ConfigError, match="holds no case"):
        read_golden(tmp_path / "golden.jsonl")


# --- what is chosen

CHOICE = GoldenSet(
    "kb",
    (
        Case("a", "A?", split="dev", category="table"),
        Case("b", "B?", split="dev", category="access"),
        Case("c", "C?", split="test", category="table"),
    ),
)


def chosen(golden: GoldenSet) -> str:
    return "".join(case.id for case in golden.cases)


def test_cases_are_chosen_by_split_category_and_id_together() -> None:
    assert CHOICE.splits == ("dev", "test")
    assert chosen(select(CHOICE)) == "abc"
    assert chosen(select(CHOICE, "dev")) == "ab"
    assert chosen(select(CHOICE, category="table")) == "ac"
    assert chosen(select(CHOICE, "dev", category="table")) == "a"
    assert chosen(select(CHOICE, "dev", ids=("b", "c"))) == "b"


def test_a_choice_has_a_digest_of_its_own() -> None:
    assert select(CHOICE).digest == CHOICE.digest
    assert select(CHOICE, "dev").digest != CHOICE.digest


def test_an_empty_choice_is_refused_with_what_there_is() -> None:
    with pytest.raises(ConfigError, match=r"no case of the split 'tset'. There is dev, test"):
        select(CHOICE, "tset")
    with pytest.raises(ConfigError, match=r"no case of the category 'tables'. There is access, table"):
        select(CHOICE, category="tables")
    with pytest.raises(ConfigError, match="no case 'd'"):
        select(CHOICE, ids=("a", "d"))
    with pytest.raises(ConfigError, match="all that was chosen"):
        select(CHOICE, "test", category="access")
    with pytest.raises(ConfigError, match="None of its cases names a split"):
        select(GoldenSet("kb", (Case("a", "A?"),)), "dev")


# --- what is written


def test_nothing_is_written_where_one_case_could_not_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    write_golden(path, [Case("a", "A?")])
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="Case 'b' is answerable but has no evidence"):
        write_golden(path, [Case("a", "A!"), Case("b", "B?", answerable=True)])
    assert path.read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "golden.jsonl"
    write_golden(path, [Case("a", "A?")])

    def full(self: Path, target: Path) -> Path:
        raise OSError("no space")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="no space"):
        patch.setattr(Path, "replace", full)
        write_golden(path, [Case("b", "B?")])
    assert path.read_bytes() == (ROW % "a").replace("What?", "A?").encode()
    assert [found.name for found in Folder(tmp_path).path.iterdir()] == ["golden.jsonl"]
