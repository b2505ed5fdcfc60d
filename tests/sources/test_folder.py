"""Files and folders as documents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evidex.config import AccessSettings, SourcesSettings
from evidex.errors import SourceError
from evidex.sources.folder import FolderSource
from evidex.sources.open import open_source
from evidex.types import SourceItem
from tests.sources.tree import found, only, reason, write


def test_files_come_in_the_order_of_their_names_and_hidden_ones_do_not_come(tmp_path: Path) -> None:
    docs = write(
        tmp_path / "docs",
        {
            "b.md": "b",
            "a/z.HTML": "<p>z",
            "a/c.rst": "c",
            "d.pdf": b"%PDF",
            "d.pdf.meta.yaml": "version: 2\n",
            ".hidden.md": "no",
            ".git/x.md": "no",
            "evidex.toml": "",
            "empty.txt": "",
        },
    )
    items, failures = found(docs)
    assert [(item.metadata.id, item.format) for item in items] == [
        ("docs/b.md", "markdown"),
        ("docs/d.pdf", "pdf"),
        ("docs/empty.txt", "text"),
        ("docs/a/c.rst", "restructured"),
        ("docs/a/z.HTML", "html"),
    ]
    assert not failures


def test_a_file_of_no_known_format_is_a_failure_that_says_where_to_map_it(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.PNG": b"\x89PNG"})
    assert reason(docs) == "not a document format evidex reads: '.png'; map the ending under sources.formats"


def test_an_ending_can_be_mapped(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.LOG": "x", "b.md": "y"})
    items, _ = found(docs, formats={".log": "text", "md": "text"})
    assert [item.format for item in items] == ["text", "text"]


def test_the_default_id_is_the_path_in_the_workspace_or_the_whole_path_whatever_root_was_named(tmp_path: Path) -> None:
    inside = write(tmp_path / "kb", {"docs/x/a.md": "a"})
    outside = write(tmp_path / "other" / "manuals", {"x/b.md": "b"})
    assert only(inside / "docs" / "x", workspace=inside).metadata.id == "docs/x/a.md"
    whole = (outside / "x" / "b.md").resolve().as_posix()
    for root in (outside, outside / "x", outside / "x" / "b.md"):
        assert only(root, workspace=inside).metadata.id == whole


def test_a_locator_is_the_same_from_whichever_root_and_a_file_comes_once(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"x/a.md": "a"})
    file = docs / "x" / "a.md"
    roots = [docs, docs / "x" / ".." / "x", file]
    source = FolderSource(roots, workspace=tmp_path, sources=SourcesSettings(), access=AccessSettings())
    assert [row.locator for row in source.documents()] == [file.resolve().as_posix()]


def test_two_files_with_one_id_are_an_item_and_a_failure_naming_both(tmp_path: Path) -> None:
    same = "---\nid: same\n---\n"
    other_tenant = "---\nid: same\ntenant: other\n---\n"
    docs = write(tmp_path / "docs", {"a.md": same, "b.md": same, "c.md": other_tenant})
    items, (failure,) = found(docs)
    assert [Path(item.locator).name for item in items] == ["a.md", "c.md"]
    assert Path(failure.locator).name == "b.md"
    assert items[0].locator in failure.reason and failure.locator in failure.reason and "'same'" in failure.reason


def test_two_versions_of_one_id_are_two_items(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {f"{at}.md": f"---\nid: same\nversion: {at}\n---\n" for at in (1, 2)})
    items, failures = found(docs)
    assert [(item.metadata.id, item.metadata.version) for item in items] == [("same", "1"), ("same", "2")]
    assert not failures


def test_a_file_that_is_too_long_is_a_failure_with_both_numbers(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.md": "x" * 11, "b.md": "x" * 10})
    items, (failure,) = found(docs, max_bytes=10)
    assert "11 bytes, more than the 10 " in failure.reason
    assert len(items) == 1


def test_a_link_out_of_the_root_is_a_failure_and_never_read(tmp_path: Path) -> None:
    write(tmp_path, {"secret.md": "secret", "private/b.md": "secret"})
    docs = write(tmp_path / "docs", {"a.md": "a"})
    (docs / "file.md").symlink_to(tmp_path / "secret.md")
    (docs / "folder").symlink_to(tmp_path / "private")
    items, failures = found(docs)
    assert [item.content for item in items] == [b"a"]
    assert ["leads out of" in failure.reason for failure in failures] == [True, True]


def test_links_that_lead_in_circles_or_nowhere_end(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"x/a.md": "a"})
    (docs / "x" / "up").symlink_to(docs)
    (docs / "self.md").symlink_to(docs / "self.md")
    (docs / "gone.md").symlink_to(docs / "nothing.md")
    items, failures = found(docs)
    assert [item.content for item in items] == [b"a"]
    assert ["leads nowhere" in failure.reason for failure in failures] == [True, True]


def test_a_link_within_the_root_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"b.md": "b", "b.md.meta.yaml": "readers: [hr]\n"})
    (docs / "a.md").symlink_to(docs / "b.md")
    item = only(docs)
    assert item.locator == (docs / "b.md").resolve().as_posix()
    assert item.metadata.readers == {"hr"}


def test_a_sidecar_that_no_file_goes_with_is_a_failure(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"report.md": "x", "raport.md.meta.yaml": "readers: [hr]\n"})
    _, (failure,) = found(docs)
    assert "there is no 'raport.md' beside it" in failure.reason


def test_a_sidecar_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.md": "x", "meta.yaml": "id: b\n"})
    (docs / "a.md.meta.yaml").symlink_to(docs / "meta.yaml")
    items, failures = found(docs)
    assert not items
    assert any("is a link" in failure.reason for failure in failures)


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {})
    docs.mkdir()
    os.mkfifo(docs / "a.md")
    assert "not a regular file" in reason(docs)


def test_a_file_that_may_not_be_read_is_a_failure(bound_by_permissions: Path) -> None:
    docs = write(bound_by_permissions / "docs", {"a.md": "a", "sub/b.md": "b"})
    (docs / "a.md").chmod(0)
    (docs / "sub").chmod(0)
    _, failures = found(docs)
    (docs / "sub").chmod(0o700)
    assert ["cannot be read" in failure.reason for failure in failures] == [True, True]


def test_a_name_that_is_not_utf_8_is_a_failure_that_can_be_printed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    Path(os.fsdecode(os.fsencode(docs) + b"/caf\xe9.md")).write_bytes(b"x")
    _, (failure,) = found(docs)
    assert failure.locator.endswith("/caf\\xe9.md")
    assert failure.reason.encode()


def test_front_matter_is_read_from_text_formats_alone(tmp_path: Path) -> None:
    data = "---\nid: own\n---\nx"
    docs = write(tmp_path / "docs", {"a.pdf": data, "b.html": data})
    items, _ = found(docs)
    assert [(item.metadata.id, item.content[:3]) for item in items] == [("docs/a.pdf", b"---"), ("own", b"x")]


def test_nothing_at_a_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nothing at"):
        open_source(tmp_path / "no", workspace=tmp_path, sources=SourcesSettings(), access=AccessSettings())


def test_the_same_folder_gives_the_same_rows(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {f"{at % 7}/{at}.md": f"{at}" for at in range(30)})
    rows = [row.locator for row in found(docs)[0]]
    assert rows == [row.locator for row in found(docs)[0]]
    assert all(isinstance(row, SourceItem) for row in found(docs)[0])


def test_rows_of_a_json_lines_file_in_a_folder_are_documents(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.md": "a", "rows.jsonl": '{"id": "b", "text": "b"}\n{"id": "c", "text": "c"}\n'})
    items, failures = found(docs)
    assert [item.metadata.id for item in items][1:] == ["b", "c"]
    assert failures == []
