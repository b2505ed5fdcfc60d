"""reStructuredText."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.types import Parsed
from tests.parsing.reading import read_with

Shown = Callable[[Parsed], list[tuple[str, str]]]


def test_levels_follow_the_order_in_which_adornments_first_appear(read: Callable[..., Parsed]) -> None:
    parsed = read(
        "====\nBook\n====\n\nPart\n----\n\ntext\n\nChapter\n~~~~~~~\n\nx\n\nSecond part\n-----------\n\nBook 2\n======\n"
    )
    headings = [(block.level, block.title) for block in parsed.blocks if block.kind == "heading"]
    assert headings == [(1, "Book"), (2, "Part"), (3, "Chapter"), (2, "Second part"), (4, "Book 2")]
    assert parsed.title == "Book"


def test_the_adornment_belongs_to_its_heading(read: Callable[..., Parsed], shown: Shown) -> None:
    assert shown(read(".. _a:\n\nTitle\n=====\nText\n")) == [
        ("paragraph", ".. _a:"),
        ("heading", "Title\n====="),
        ("paragraph", "Text"),
    ]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("The ``run()`` *method*", "The run() method"),
        (r"f(\*\*kwargs)", "f(**kwargs)"),
        (":ref:`Facets <facets>` and `site <https://x.test>`_", "Facets and site"),
        ("**Bold** title", "Bold title"),
    ],
)
def test_a_title_is_the_plain_words_of_its_heading(read: Callable[..., Parsed], source: str, title: str) -> None:
    assert read(f"{source}\n{'=' * len(source)}\n").title == title


def test_literal_blocks_and_code_directives_are_code(read: Callable[..., Parsed], shown: Shown) -> None:
    source = "Run::\n\n    one\n\n    two\n\nText.\n\n.. code-block:: sh\n   :name: x\n\n   three\n\nEnd\n\n>>> 1\n1\n"
    assert shown(read(source)) == [
        ("paragraph", "Run::"),
        ("code", "    one\n\n    two"),
        ("paragraph", "Text."),
        ("code", ".. code-block:: sh\n   :name: x\n\n   three"),
        ("paragraph", "End"),
        ("code", ">>> 1\n1"),
    ]


def test_the_body_of_a_note_is_text_and_not_code(read: Callable[..., Parsed], shown: Shown) -> None:
    assert shown(read(".. note::\n\n    Mind the gap.\n")) == [
        ("paragraph", ".. note::"),
        ("paragraph", "    Mind the gap."),
    ]


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+", "+---+---+\n| a | b |\n+===+===+"),
        ("+---+\n| a |\n+---+", ""),
        ("== ==\na  b\n== ==\n1  2\n\n3  4\n== ==", "== ==\na  b\n== =="),
        ("== ==\n1  2\n== ==", ""),
    ],
    ids=["grid", "grid without header", "simple", "simple without header"],
)
def test_grid_and_simple_tables_know_their_header(
    read: Callable[..., Parsed], shown: Shown, table: str, header: str
) -> None:
    parsed = read(f"Before\n\n{table}\n\nAfter\n")
    assert shown(parsed) == [("paragraph", "Before"), ("table", table), ("paragraph", "After")]
    block = parsed.blocks[1]
    assert parsed.text[block.start : block.header_end] == header


def test_a_list_is_one_block_with_what_is_indented_below_it(read: Callable[..., Parsed], shown: Shown) -> None:
    assert shown(read("- a\n\n  more::\n\n     code\n- b\n\nText\n\n1. x\n2. y\n")) == [
        ("list", "- a\n\n  more::\n\n     code\n- b"),
        ("paragraph", "Text"),
        ("list", "1. x\n2. y"),
    ]


def test_a_transition_is_no_heading(read: Callable[..., Parsed]) -> None:
    assert [block.kind for block in read("One\n\n----\n\nTwo\n").blocks] == ["paragraph"] * 3


@given(st.text("ab=-~+|:.*#1 \n\t`>", max_size=60))
def test_every_character_that_is_not_white_space_is_in_one_block(source: str) -> None:
    assert read_with("restructured", source).text == source
