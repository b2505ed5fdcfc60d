"""Markdown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.types import Parsed
from tests.parsing.reading import read_with

Shown = Callable[[Parsed], list[tuple[str, str]]]


def test_blocks_are_the_top_level_of_commonmark_with_tables(read: Callable[..., Parsed], shown: Shown) -> None:
    source = (
        "# Title\n\ntext\nmore\n\n- a\n  - b\n\n  ```\n  x\n  ```\n\n1. one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```py\ny\n\nz\n```\n\n    indented\n\n> quote\n\n<div>\nhtml\n</div>\n"
    )
    parsed = read(source)
    assert parsed.text == source
    assert shown(parsed) == [
        ("heading", "# Title"),
        ("paragraph", "text\nmore"),
        ("list", "- a\n  - b\n\n  ```\n  x\n  ```"),
        ("list", "1. one"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("code", "```py\ny\n\nz\n```"),
        ("code", "    indented"),
        ("paragraph", "> quote"),
        ("paragraph", "<div>\nhtml\n</div>"),
    ]


def test_the_header_of_a_table_ends_with_its_delimiter_row(read: Callable[..., Parsed]) -> None:
    parsed = read("x\n\na | b\n--|--\n1 | 2\n")
    table = parsed.blocks[1]
    assert parsed.text[table.start : table.header_end] == "a | b\n--|--"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# First *steps* with `run()` { #first-steps }", "First steps with run()"),
        ("# Agents {.hide}", "Agents"),
        ("# Path {item_id}", "Path {item_id}"),
        ("# Path `{#item}`", "Path {#item}"),
        ("# See [the **docs**](https://x.test) ![logo](l.png) &amp; \\*more\\*", "See the docs logo & *more*"),
        ("# An <abbr title='x'>API</abbr> #", "An API"),
        ("Over two\nlines\n===", "Over two lines"),
        ("# [ref][r]\n\n[r]: https://x.test", "ref"),
    ],
)
def test_a_title_is_the_plain_words_of_its_heading(read: Callable[..., Parsed], source: str, title: str) -> None:
    parsed = read(source)
    assert (parsed.blocks[0].kind, parsed.blocks[0].level, parsed.blocks[0].title) == ("heading", 1, title)
    assert parsed.title == title


def test_the_title_is_the_first_heading_of_level_one(read: Callable[..., Parsed]) -> None:
    assert read("## Sub\n\n# One\n\n# Two\n").title == "One"
    assert read("## Sub\n").title == ""


def test_a_comment_in_a_code_fence_is_no_heading(read: Callable[..., Parsed]) -> None:
    assert [block.kind for block in read("```\n# not\n```\n").blocks] == ["code"]


def test_lines_are_counted_from_the_line_below_the_front_matter(read: Callable[..., Parsed]) -> None:
    parsed = read("\n# A\n\nb\n", first_line=4)
    assert [parsed.origins.at(block.start) for block in parsed.blocks] == [5, 7]


@given(st.text("ab#-*>|`~=[]():<!\\{} 1.\n\t", max_size=60))
def test_every_character_that_is_not_white_space_is_in_one_block(source: str) -> None:
    assert read_with("markdown", source).text == source


@pytest.mark.parametrize("source", [">" * 50_000, "- " * 20_000, "# " + "[" * 50_000, "*a " * 50_000, "[a](" * 20_000])
def test_deep_nesting_is_read_or_refused_but_never_a_crash(source: str) -> None:
    assert read_with("markdown", source).blocks
