"""What an owner may say of a document, and which saying wins."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evidex.config import AccessSettings, MappingSettings
from evidex.errors import ConfigError, SourceError
from evidex.sources.metadata import Declared, declared, settle
from evidex.types import DocumentId, Metadata
from tests.sources.tree import found, only, reason, write

EVERYTHING = """\
---
id: refund-us-v3
family: refund-us
version: "3"
title: Refunds in the
  United States
language: en
tenant: shop
readers: [support, "user:ann"]
tags: policy
effective_from: 2025-01-01
effective_to: 2026-01-01
status: retired
hide: [toc]
---
Body
"""


def test_front_matter_says_everything(tmp_path: Path) -> None:
    item = only(write(tmp_path / "docs", {"a.md": EVERYTHING}))
    assert item.metadata == Metadata(
        id=DocumentId("refund-us-v3"),
        version="3",
        family="refund-us",
        title="Refunds in the United States",
        language="en",
        tenant="shop",
        readers=frozenset({"support", "user:ann"}),
        tags=frozenset({"policy"}),
        effective_from=date(2025, 1, 1),
        effective_to=date(2026, 1, 1),
        retired=True,
    )
    assert (item.content, item.first_line) == (b"Body\n", EVERYTHING.splitlines().index("Body") + 1)


def test_front_matter_wins_over_the_sidecar_over_the_mapping_over_the_default(tmp_path: Path) -> None:
    docs = write(
        tmp_path / "docs",
        {
            "a.md": "---\nversion: front\n---\nBody",
            "a.md.meta.yaml": "version: side\nlanguage: side\n",
        },
    )
    item = only(
        docs,
        workspace=tmp_path,
        access=AccessSettings(default_tenant="default", default_readers=("default",)),
        mappings=[{"path": "docs", "language": "mapped", "tenant": "mapped"}],
    )
    said = item.metadata
    assert (said.version, said.language, said.tenant) == ("front", "side", "mapped")
    assert said.readers == {"default"}


def test_the_longest_mapping_that_holds_the_file_wins_alone(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"hr/pay/a.txt": "x", "hr/b.txt": "x", "hr2/c.txt": "x"})
    items, _ = found(
        docs,
        workspace=tmp_path,
        mappings=[
            {"path": "docs/hr", "readers": ["hr"], "language": "de"},
            {"path": "docs/hr/pay", "readers": ["pay"]},
        ],
    )
    said = {item.metadata.id: (sorted(item.metadata.readers), item.metadata.language) for item in items}
    assert said == {
        "docs/hr/pay/a.txt": (["pay"], ""),
        "docs/hr/b.txt": (["hr"], "de"),
        "docs/hr2/c.txt": (["everyone"], ""),
    }


def test_two_mappings_for_one_path_are_a_wrong_setting(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.txt": "x"})
    twice = [MappingSettings(path="docs"), MappingSettings(path="./docs/")]
    with pytest.raises(ConfigError, match=r"sources\.mappings"):
        found(docs, workspace=tmp_path, mappings=twice)


def test_the_family_is_the_id_where_none_is_named() -> None:
    assert settle(Declared(), default_id="a.md", access=AccessSettings()).family == "a.md"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("id", ""),
        ("id", "two\nlines"),
        ("id", "bell\a"),
        ("id", "x" * 501),
        ("id", ["a"]),
        ("version", 1.5),
        ("version", True),
        ("family", {"a": "b"}),
        ("title", ["a"]),
        ("readers", ""),
        ("readers", None),
        ("readers", []),
        ("readers", ["a", 1]),
        ("readers", {"a": "b"}),
        ("tenant", None),
        ("tags", [""]),
        ("effective_from", "soon"),
        ("effective_from", "2024-02-30"),
        ("effective_to", "20240101"),
        ("status", "draft"),
        ("active", "maybe"),
        ("active", 1),
    ],
)
def test_a_wrong_value_is_named_with_its_key(key: str, value: object) -> None:
    with pytest.raises(SourceError) as error:
        declared({key: value}, where="Front matter")
    assert f"sets {key!r} to " in str(error.value)
    assert "It has to be" in str(error.value)


def test_values_are_trimmed_and_whole_numbers_are_names() -> None:
    said = declared({"id": " a ", "version": 3, "title": None, "tags": [], "effective_to": "null"}, where="The row")
    assert said == Declared(id=DocumentId("a"), version="3", tags=frozenset())


@pytest.mark.parametrize("key", ["reader", "Readers", "acl", "ACL", "Tenant", "tenants"])
def test_a_misspelt_access_key_is_an_error_and_never_ignored(key: str) -> None:
    with pytest.raises(SourceError, match=f"key '{key}'"):
        declared({key: "hr"}, where="Front matter")


@pytest.mark.parametrize(
    ("values", "retired"),
    [
        ({"status": "active"}, False),
        ({"status": "Retired"}, True),
        ({"active": False}, True),
        ({"active": "yes"}, False),
        ({"active": "false", "status": "retired"}, True),
        ({"status": "new"}, None),
        ({}, None),
    ],
)
def test_status_and_active_say_the_same(values: dict[str, object], retired: bool | None) -> None:
    assert declared(values, where="Front matter").retired is retired


def test_status_and_active_may_not_disagree() -> None:
    with pytest.raises(SourceError, match="Keep the one that is true"):
        declared({"status": "active", "active": "false"}, where="Front matter")


def test_an_interval_that_ends_before_it_begins_is_a_failure_naming_both_days(tmp_path: Path) -> None:
    text = "---\neffective_from: 2025-01-01\neffective_to: 2025-01-01\n---\n"
    assert "2025-01-01, which is not after effective_from, 2025-01-01" in reason(
        write(tmp_path / "docs", {"a.md": text})
    )


def test_an_unknown_key_of_a_sidecar_is_a_failure(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.pdf": b"%PDF", "a.pdf.meta.yaml": "redaers: [hr]\n"})
    assert "unknown key 'redaers'" in reason(docs)


@pytest.mark.parametrize(
    ("sidecar", "why"),
    [("- a\n", "no `key: value` lines"), ("", "no `key: value`"), ("x" * 70_000, "longer than"), (b"\xff", "UTF-8")],
)
def test_a_sidecar_that_says_nothing_is_a_failure(tmp_path: Path, sidecar: str | bytes, why: str) -> None:
    assert why in reason(write(tmp_path / "docs", {"a.txt": "x", "a.txt.meta.yaml": sidecar}))
