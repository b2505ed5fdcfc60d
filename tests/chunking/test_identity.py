from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from evidex.chunking.headings import HeadingChunker
from evidex.chunking.identity import chunk_id
from evidex.types import ChunkId, Document, DocumentId, DocumentKey

Markdown = Callable[..., Document]


def identity(document: Document, **changed: object) -> ChunkId:
    values: dict[str, object] = {
        "section": ("Rules", "Pay"),
        "text": "Monthly.",
        "table_header": "",
        "chunker_name": "headings/1(max_words=150)",
        "occurrence": 0,
    }
    return chunk_id(document, **(values | changed))  # type: ignore[arg-type]


def test_an_id_has_160_bits_in_hexadecimal(markdown: Markdown) -> None:
    assert re.fullmatch(r"[0-9a-f]{40}", identity(markdown("Text.")))


def test_chunks_of_one_tenant_and_of_one_document_are_neighbours_by_id(markdown: Markdown) -> None:
    document = markdown("Text.")
    same = {identity(document, text=text) for text in ("a", "b", "c")}
    beside = replace(document, metadata=replace(document.metadata, id=DocumentId("other")))
    elsewhere = replace(document, metadata=replace(document.metadata, tenant="other"))

    assert len({id[:16] for id in same}) == 1
    assert identity(beside)[:8] == identity(document)[:8]
    assert identity(beside)[:16] != identity(document)[:16]
    assert identity(elsewhere)[:8] != identity(document)[:8]


@pytest.mark.parametrize(
    "changed",
    [
        {"section": ("Rules", "Leave")},
        {"text": "Weekly."},
        {"table_header": "| plan |"},
        {"chunker_name": "headings/1(max_words=80)"},
        {"occurrence": 1},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_an_id_covers_the_place_the_words_and_the_making_of_a_chunk(
    markdown: Markdown, changed: dict[str, object]
) -> None:
    document = markdown("Text.")
    assert identity(document, **changed) != identity(document)


@pytest.mark.parametrize("field", ["id", "tenant", "version", "title"])
def test_an_id_covers_what_its_owner_calls_the_document(markdown: Markdown, field: str) -> None:
    document = markdown("Text.")
    other = replace(document, metadata=replace(document.metadata, **{field: "other"}))  # type: ignore[arg-type]

    assert identity(other) != identity(document)


def test_an_id_covers_the_parser(markdown: Markdown) -> None:
    document = markdown("Text.")
    assert identity(replace(document, parser="markdown/2")) != identity(document)


def test_the_same_chunk_of_another_revision_keeps_its_id(markdown: Markdown) -> None:
    document = markdown("Text.")
    assert identity(replace(document, key=DocumentKey("other"))) == identity(document)


def test_a_superseded_revision_never_shares_ids_with_its_successor_of_the_same_version(markdown: Markdown) -> None:
    old, new = markdown("Text.", superseded=True), markdown("Text.")
    older = replace(old, key=DocumentKey("older"))

    assert len({identity(old), identity(older), identity(new)}) == 3


def test_white_space_around_the_text_is_no_part_of_the_identity(markdown: Markdown) -> None:
    document = markdown("Text.")
    assert identity(document, text="Monthly.\n\n") == identity(document)


def test_parts_of_an_identity_do_not_run_into_each_other(markdown: Markdown) -> None:
    document = markdown("Text.")
    assert identity(document, section=("a", "b")) != identity(document, section=("ab",))


def test_equal_chunks_of_one_document_are_numbered(markdown: Markdown) -> None:
    first, second = HeadingChunker(20).chunk(markdown("## A\n\nSame.\n\n## A\n\nSame."))

    assert first.text.strip() == second.text.strip()
    assert first.id != second.id
