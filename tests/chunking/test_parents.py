from __future__ import annotations

from collections.abc import Callable

from evidex.chunking.parents import ParentChunker
from evidex.types import Document

Markdown = Callable[..., Document]

TEXT = "# Rules\n\nAsk first. Then wait.\n\n## Pay\n\nMonthly it is. No cash."


def test_each_parent_is_a_section_followed_by_its_sentences(markdown: Markdown) -> None:
    chunks = ParentChunker(20).chunk(markdown(TEXT))

    assert [(chunk.parent is None, chunk.text) for chunk in chunks] == [
        (True, "# Rules\n\nAsk first. Then wait.\n\n"),
        (False, "# Rules\n\nAsk first. "),
        (False, "Then wait.\n\n"),
        (True, "## Pay\n\nMonthly it is. No cash."),
        (False, "## Pay\n\nMonthly it is. "),
        (False, "No cash."),
    ]


def test_children_name_their_parent_lie_within_it_and_share_its_section(markdown: Markdown, handbook: str) -> None:
    chunks = ParentChunker(50).chunk(markdown(handbook))
    by_id = {chunk.id: chunk for chunk in chunks}
    children = [chunk for chunk in chunks if chunk.parent is not None]

    assert len(children) > len(chunks) / 2
    for child in children:
        assert child.parent is not None
        parent = by_id[child.parent]
        assert parent.parent is None
        assert parent.start <= child.start < child.end <= parent.end
        assert child.section == parent.section


def test_a_section_of_one_sentence_and_its_only_child_have_different_ids(markdown: Markdown) -> None:
    parent, child = ParentChunker(20).chunk(markdown("Ask first."))

    assert parent.text == child.text
    assert parent.id != child.id


def test_equal_sentences_of_different_sections_stay_apart(markdown: Markdown) -> None:
    chunks = ParentChunker(20).chunk(markdown("## A\n\nText one. Ask first.\n\n## B\n\nText two. Ask first."))
    same = [chunk for chunk in chunks if chunk.text.strip() == "Ask first."]

    assert [chunk.section for chunk in same] == [("A",), ("B",)]
    assert len({chunk.id for chunk in same}) == len({chunk.parent for chunk in same}) == 2


def test_a_parent_holds_twice_the_words_of_a_child_at_most(markdown: Markdown) -> None:
    chunks = ParentChunker(10).chunk(markdown("word " * 45))
    assert [(chunk.parent is None, len(chunk.text.split())) for chunk in chunks] == [
        *((True, 20), (False, 10), (False, 10)),
        *((True, 20), (False, 10), (False, 10)),
        *((True, 5), (False, 5)),
    ]


def test_code_is_one_child_where_it_fits_and_else_as_few_as_do(markdown: Markdown) -> None:
    code = "```python\n" + "a = 1\n" * 10 + "```"
    children = [chunk for chunk in ParentChunker(20).chunk(markdown(code)) if chunk.parent]

    assert [len(chunk.text.split()) for chunk in children] == [1 + 5 * 3, 5 * 3 + 1]
