"""One document a line."""

from __future__ import annotations

import json
import tracemalloc
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.sources.jsonl import rows
from tests.sources.tree import found, only, write


def test_a_row_is_an_item_on_its_line(tmp_path: Path) -> None:
    row = (
        '{"id": "a", "text": "Zwölf\\nDays", "title": "T", "version": 2, "acl": ["hr"], "tenant": "x",'
        ' "effective_from": "2025-01-01", "active": false, "format": "markdown", "other": {"b": 1}}'
    )
    file = write(tmp_path, {"rows.jsonl": f"\ufeff\n{row}\n\n"}) / "rows.jsonl"
    item = only(file)
    assert item.locator == f"{file.resolve().as_posix()}#a;tenant=x"
    assert (item.content.decode(), item.format, item.first_line) == ("Zwölf\nDays", "markdown", 2)
    said = item.metadata
    assert (said.id, said.family, said.title, said.version, said.tenant) == ("a", "a", "T", "2", "x")
    assert (said.readers, said.effective_from, said.retired) == (frozenset({"hr"}), date(2025, 1, 1), True)


@pytest.mark.parametrize("key", ["id", "_id", "source_id"])
def test_the_id_has_three_names(tmp_path: Path, key: str) -> None:
    file = write(tmp_path, {"rows.jsonl": f'{{"{key}": 7, "text": ""}}'}) / "rows.jsonl"
    assert only(file).metadata.id == "7"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object but list"),
        ('{"text": "x"}', "no id"),
        ('{"id": "", "text": "x"}', "no id"),
        ('{"id": "b"}', "text is None"),
        ('{"id": "b", "text": 1}', "text is 1"),
        ('{"id": "b", "text": "\\ud800"}', "half a surrogate pair"),
        ('{"id": "\\ud800", "text": "x"}', "'id'"),
        ('{"id": "a", "text": "again"}', "the id 'a', version '1', is already that of line 1"),
        ('{"id": "b", "text": "x", "readers": []}', "'readers'"),
        ('{"id": "b", "text": "x", "reader": "hr"}', "Write 'readers'"),
        ('{"id": "b", "text": "x", "readers": ["a"], "acl": ["b"]}', "both 'readers' and 'acl'"),
        ('{"id": "b", "text": "x", "readers": ["a"], "readers": ["b"]}', "key 'readers' is given twice"),
        ('{"id": "b", "text": "x", "effective_to": 2025}', "'effective_to'"),
        ('{"id": "b", "text": "x", "format": 1}', "format is 1"),
        ("[" * 100_000, "not JSON"),
        ('{"id": "b", "text": "x", "n": ' + "9" * 5_000 + "}", "not JSON"),
    ],
)
def test_a_bad_line_is_a_failure_with_its_number_and_the_rest_goes_on(tmp_path: Path, line: str, why: str) -> None:
    good = '{"id": "a", "text": "x"}'
    file = write(tmp_path, {"rows.jsonl": f"{good}\n\n{line}\n{good.replace('a', 'c', 1)}\n"}) / "rows.jsonl"
    items, (failure,) = found(file)
    assert [item.metadata.id for item in items] == ["a", "c"]
    assert failure.reason.startswith("line 3: ") and why in failure.reason
    assert failure.locator == f"{file.resolve().as_posix()}:3"


def test_a_line_that_is_not_utf_8_is_a_failure(tmp_path: Path) -> None:
    _, (failure,) = found(write(tmp_path, {"rows.jsonl": b'{"id": "caf\xe9", "text": "x"}'}) / "rows.jsonl")
    assert failure.reason.startswith("line 1: not JSON")


def test_a_line_that_is_too_long_is_a_failure_with_both_numbers(tmp_path: Path) -> None:
    _, (failure,) = found(write(tmp_path, {"rows.jsonl": '{"id": "a", "text": "xxx"}\n'}) / "rows.jsonl", max_bytes=20)
    assert "27 bytes, more than the 20 " in failure.reason


def test_a_sidecar_and_a_mapping_hold_for_every_row(tmp_path: Path) -> None:
    lines = '{"id": "a", "text": "x"}\n{"id": "b", "text": "x", "readers": ["all"]}\n'
    file = write(tmp_path, {"rows.jsonl": lines, "rows.jsonl.meta.yaml": "readers: [hr]\n"}) / "rows.jsonl"
    items, _ = found(file, mappings=[{"path": "rows.jsonl", "language": "de"}])
    assert [(sorted(item.metadata.readers), item.metadata.language) for item in items] == [
        (["hr"], "de"),
        (["all"], "de"),
    ]


def locators(folder: Path, *rows: dict[str, str]) -> list[str]:
    """What stands behind `<path>#` in the locators of these rows."""
    file = write(folder, {"rows.jsonl": "".join(json.dumps({"text": "x"} | row) + "\n" for row in rows)}) / "rows.jsonl"
    items, failures = found(file)
    assert not failures
    return [item.locator.removeprefix(f"{file.resolve().as_posix()}#") for item in items]


def test_one_id_in_two_tenants_is_two_documents(tmp_path: Path) -> None:
    said = ({"id": "a"}, {"id": "a", "tenant": "b"}, {"id": "a", "tenant": "c"}, {"id": "d", "tenant": "default"})
    assert locators(tmp_path, *said) == ["a", "a;tenant=b", "a;tenant=c", "d"]


def test_further_versions_of_a_document_are_documents_of_their_own(tmp_path: Path) -> None:
    said = ({"id": "a"}, {"id": "a", "version": "2"}, {"id": "a", "version": "2", "tenant": "b"})
    assert locators(tmp_path, *said) == ["a", "a;version=2", "a;tenant=b"]


def test_a_row_whose_version_is_raised_stays_the_same_item(tmp_path: Path) -> None:
    assert locators(tmp_path, {"id": "a", "version": "1"}) == locators(tmp_path, {"id": "a", "version": "2"})


@given(st.lists(st.tuples(*[st.text("a;#%=2tenvrsio", min_size=1, max_size=12)] * 3), unique=True, max_size=6))
def test_no_two_rows_share_a_locator(
    tmp_path_factory: pytest.TempPathFactory, names: list[tuple[str, str, str]]
) -> None:
    said = [{"id": id, "tenant": tenant, "version": version} for id, tenant, version in names]
    told = locators(tmp_path_factory.mktemp("rows"), *said)
    assert len(set(told)) == len(names)
    assert not any("#" in locator for locator in told)


@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_no_more_of_a_line_is_held_than_may_be_read(tmp_path: Path, ending: str) -> None:
    long, good = "x" * 3_000_000, '{"id": "a", "text": "x"}\n'
    path = write(tmp_path, {"rows.jsonl": f"{good}{long}{ending}"}) / "rows.jsonl"
    tracemalloc.start()
    try:
        (first, _), (second, error) = rows(path, max_bytes=100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (first, second) == (1, 2)
    assert f"{len(long) + bool(ending)} bytes, more than the 100" in str(error)
    assert peak < len(long)


def test_the_lines_behind_one_that_is_too_long_keep_their_numbers(tmp_path: Path) -> None:
    text = '{"id": "a", "text": "x"}\n' + "y" * 200 + "\n\n" + '{"id": "b", "text": "x"}'
    items, (failure,) = found(write(tmp_path, {"rows.jsonl": text}) / "rows.jsonl", max_bytes=100)
    assert [(item.metadata.id, item.first_line) for item in items] == [("a", 1), ("b", 4)]
    assert failure.locator.endswith(":2")
