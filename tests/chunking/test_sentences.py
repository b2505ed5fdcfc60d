from __future__ import annotations

from collections.abc import Callable

from evidex.chunking.sentences import SentenceChunker
from evidex.types import Document

Markdown = Callable[..., Document]


def test_sentences_are_packed_up_to_the_cap(markdown: Markdown) -> None:
    text = "One two three four. Five six seven eight. Nine ten."
    chunks = SentenceChunker(8).chunk(markdown(text))

    assert [chunk.text for chunk in chunks] == ["One two three four. Five six seven eight. ", "Nine ten."]


def test_a_sentence_above_the_cap_is_cut_between_words(markdown: Markdown) -> None:
    chunks = SentenceChunker(8).chunk(markdown("Short one. The " + "word " * 18))
    assert [len(chunk.text.split()) for chunk in chunks] == [2, 8, 8, 3]


def test_a_chunk_may_cross_a_heading_and_names_the_section_in_which_it_begins(markdown: Markdown) -> None:
    chunks = SentenceChunker(8).chunk(markdown("# Pay\n\nMonthly it is.\n\n## Leave\n\nThirty days. Ask early please."))

    assert [chunk.section for chunk in chunks] == [("Pay",), ("Pay", "Leave")]
    assert chunks[0].text == "# Pay\n\nMonthly it is.\n\n## Leave\n\n"


def test_later_rows_of_a_table_carry_its_header_row(markdown: Markdown) -> None:
    table = "| a | b |\n|---|---|\n" + "".join(f"| {n} | x |\n" for n in range(5))
    chunks = SentenceChunker(12).chunk(markdown(table))

    assert [chunk.table_header for chunk in chunks] == ["", *["| a | b |\n|---|---|"] * (len(chunks) - 1)]
    assert len(chunks) > 1
