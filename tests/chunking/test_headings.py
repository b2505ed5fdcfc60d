from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.chunking.headings import HeadingChunker
from evidex.chunking.words import Words
from evidex.types import Chunk, Document

Markdown = Callable[..., Document]

TABLE = "| plan | price |\n|---|---|\n"


def words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def test_each_section_of_the_handbook_becomes_one_chunk_under_its_breadcrumb(markdown: Markdown, handbook: str) -> None:
    chunks = HeadingChunker(120).chunk(markdown(handbook))

    title = "Hybrid working handbook"
    assert [chunk.section for chunk in chunks] == [
        (title, "Who may work away from the office"),
        (title, "Home internet stipend"),
        (title, "Equipment"),
        (title, "Safe connections"),
        (title, "Working hours"),
    ]
    # The title has no text of its own, so its four words stand with the first section.
    assert [len(chunk.text.split()) for chunk in chunks] == [4 + 44, 71, 44, 33, 28]


def test_the_breadcrumb_begins_with_the_title_that_the_owner_gave(markdown: Markdown) -> None:
    (chunk,) = HeadingChunker(50).chunk(markdown("# Leave\n\n## Unpaid\n\nAsk first.", title="Staff rules"))
    assert chunk.section == ("Staff rules", "Leave", "Unpaid")


def test_the_preamble_before_the_first_heading_is_a_chunk_under_the_title(markdown: Markdown) -> None:
    chunks = HeadingChunker(50).chunk(markdown("Valid for all offices.\n\n## Pay\n\nMonthly.", title="Rules"))

    assert [(chunk.section, chunk.text) for chunk in chunks] == [
        (("Rules",), "Valid for all offices.\n\n"),
        (("Rules", "Pay"), "## Pay\n\nMonthly."),
    ]


def test_a_heading_without_text_stands_with_its_first_child(markdown: Markdown) -> None:
    chunks = HeadingChunker(50).chunk(markdown("# A\n\n## B\n\n### C\n\nText.\n\n### D\n\nMore."))

    assert [chunk.text for chunk in chunks] == ["# A\n\n## B\n\n### C\n\nText.\n\n", "### D\n\nMore."]
    assert [chunk.section for chunk in chunks] == [("A", "B", "C"), ("A", "B", "D")]


def test_a_heading_without_text_or_child_is_a_chunk_of_its_own(markdown: Markdown) -> None:
    chunks = HeadingChunker(50).chunk(markdown("## Empty\n\n## Next\n\nText.\n\n## Last\n"))

    assert [chunk.text for chunk in chunks] == ["## Empty\n\n", "## Next\n\nText.\n\n", "## Last\n"]


def test_a_heading_is_never_parted_from_the_text_below_it(markdown: Markdown) -> None:
    chunks = HeadingChunker(10).chunk(markdown(f"## Pay\n\n{words(10)}"))

    assert [chunk.text.split() for chunk in chunks] == [["##", "Pay", *words(8).split()], ["w8", "w9"]]


def test_blocks_are_kept_whole_where_they_fit(markdown: Markdown) -> None:
    first, second = "One two three four. Five six.", "Seven eight nine. Ten eleven."
    chunks = HeadingChunker(10).chunk(markdown(f"{first}\n\n{second}"))

    assert [chunk.text.strip() for chunk in chunks] == [first, second]


def test_a_paragraph_above_the_cap_is_cut_between_sentences(markdown: Markdown) -> None:
    sentences = ["One two three four five.", "Six seven eight nine ten.", "Eleven twelve."]
    chunks = HeadingChunker(8).chunk(markdown(" ".join(sentences)))

    assert [chunk.text.strip() for chunk in chunks] == [sentences[0], " ".join(sentences[1:])]


def test_a_sentence_above_the_cap_is_cut_between_words(markdown: Markdown) -> None:
    chunks = HeadingChunker(8).chunk(markdown(words(20)))
    assert [len(chunk.text.split()) for chunk in chunks] == [8, 8, 4]


def test_a_list_above_the_cap_is_cut_between_items(markdown: Markdown) -> None:
    items = ["- one two. three four", "- five six\n  seven eight", "- nine ten"]
    chunks = HeadingChunker(10).chunk(markdown("\n".join(items)))

    assert [chunk.text.strip() for chunk in chunks] == ["\n".join(items[:2]), items[2]]


def test_a_table_is_cut_between_rows_and_later_pieces_carry_its_header_row(markdown: Markdown) -> None:
    rows = [f"| plan{number} | {number} euros |\n" for number in range(6)]
    chunks = HeadingChunker(20).chunk(markdown("## Prices\n\n" + TABLE + "".join(rows)))

    first, *later = chunks
    assert first.text.startswith("## Prices\n\n" + TABLE + rows[0])
    assert first.table_header == ""
    assert later
    for chunk in later:
        assert chunk.table_header == TABLE.strip()
        assert chunk.indexed_text == f"Prices\n{TABLE.strip()}\n{chunk.text}"
        assert len(chunk.text.split()) + len(TABLE.split()) <= 20
    assert "".join(chunk.text for chunk in chunks).endswith(TABLE + "".join(rows))


def test_what_follows_a_table_carries_no_header(markdown: Markdown) -> None:
    chunks = HeadingChunker(16).chunk(markdown(f"{TABLE}| basic | 5 |\n\n{words(12)}"))
    assert [chunk.table_header for chunk in chunks] == ["", ""]


def test_a_table_row_above_the_cap_is_cut_within_the_cell(markdown: Markdown) -> None:
    chunks = HeadingChunker(10).chunk(markdown(f"{TABLE}| basic | {words(30)} |\n"))

    assert max(len(chunk.text.split()) for chunk in chunks) <= 10
    assert chunks[-1].table_header == TABLE.strip()


def test_code_is_cut_between_lines_and_never_within_one(markdown: Markdown) -> None:
    long = " ".join(f"x{number} =" for number in range(10))
    lines = ["```python", "a = 1", "b = 2", long, "c = 3", "```"]
    chunks = HeadingChunker(9).chunk(markdown("\n".join(lines)))

    assert [chunk.text.strip() for chunk in chunks] == ["```python\na = 1\nb = 2", long, "c = 3\n```"]


NAMES = st.sampled_from(["Pay", "Leave", "Travel", "Tools"])
SECTIONS = st.lists(st.tuples(st.integers(1, 4), NAMES, st.integers(0, 40)), min_size=1, max_size=8)


@settings(max_examples=50)
@given(SECTIONS)
def test_no_chunk_crosses_a_heading_and_every_chunk_has_a_breadcrumb(
    markdown: Markdown, outline: list[tuple[int, str, int]]
) -> None:
    text = "\n\n".join(f"{'#' * level} {name}\n\n{words(count)}" for level, name, count in outline)
    document = markdown(text)
    headings = [block for block in document.parsed.blocks if block.kind == "heading"]
    for chunk in HeadingChunker(15).chunk(document):
        inside = [heading for heading in headings if chunk.start <= heading.start < chunk.end]
        before = [heading for heading in headings if heading.start < chunk.end]
        assert chunk.section[-1] == before[-1].title
        # Headings may open a chunk, one below the other; between two of them there is no text.
        for upper, lower in pairwise(inside):
            assert upper.level < lower.level
            assert not document.text[upper.end : lower.start].strip()
        assert not inside or not document.text[chunk.start : inside[0].start].strip()


@settings(max_examples=50)
@given(SECTIONS, st.data())
def test_editing_one_section_changes_the_ids_of_that_section_alone(
    markdown: Markdown, outline: list[tuple[int, str, int]], data: st.DataObject
) -> None:
    edited = data.draw(st.integers(0, len(outline) - 1))

    def written(edit: str) -> str:
        bodies = [words(count + 1) + (edit if number == edited else "") for number, (_, _, count) in enumerate(outline)]
        return "\n\n".join(
            f"{'#' * level} {name}{number}\n\n{body}"
            for number, ((level, name, _), body) in enumerate(zip(outline, bodies, strict=True))
        )

    before = HeadingChunker(15).chunk(markdown(written("")))
    after = HeadingChunker(15).chunk(markdown(written(" added words here.")))
    marker = f"{outline[edited][1]}{edited}"

    def others(chunks: Sequence[Chunk]) -> list[str]:
        return [chunk.id for chunk in chunks if chunk.section[-1] != marker]

    assert others(before) == others(after)
    assert {chunk.id for chunk in before} != {chunk.id for chunk in after}


def test_the_cap_counts_words_and_not_white_space(markdown: Markdown) -> None:
    (chunk,) = HeadingChunker(8).chunk(markdown("a   b\n" * 4 + "\n\n   "))
    assert len(Words(chunk.text)) == 8
