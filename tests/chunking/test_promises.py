"""What every chunker promises, whatever the document."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.chunking.headings import HeadingChunker
from evidex.chunking.parents import ParentChunker
from evidex.chunking.sentences import SentenceChunker
from evidex.chunking.windows import WindowChunker
from evidex.chunking.words import Words
from evidex.config import ChunkingSettings
from evidex.plugins import load, offers
from evidex.ports import Chunker
from evidex.types import Chunk, Document

Markdown = Callable[..., Document]

CAP = 12
CHUNKERS: list[Chunker] = [
    WindowChunker(CAP),
    WindowChunker(CAP, 5),
    SentenceChunker(CAP),
    HeadingChunker(CAP),
    ParentChunker(CAP),
]
every_chunker = pytest.mark.parametrize("chunker", CHUNKERS, ids=lambda chunker: chunker.name)

WORDS = st.sampled_from(
    ["rule", "pays", "naïve", "e.g.", "3.5", "ERR-4012", "期限は三十日です。", "ok.", "Why?", "(see"]
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
HEADINGS = st.builds(lambda level, title: "#" * level + " " + title, st.integers(1, 4), st.sampled_from("ABCD"))
LISTS = st.lists(SENTENCES, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items))
TABLES = st.lists(SENTENCES, min_size=1, max_size=6).map(
    lambda cells: "| what | how |\n|---|---|\n" + "\n".join(f"| {cell} | x |" for cell in cells)
)
CODE = st.lists(st.sampled_from(["a = 1", "", "    return a"]), max_size=15).map(
    lambda lines: "\n".join(["```python", *lines, "```"])
)
BLOCKS = st.one_of(SENTENCES, HEADINGS, LISTS, TABLES, CODE)
TEXTS = st.builds(
    lambda lead, blocks, gaps: lead + "".join(f"{block}\n\n{gap}" for block, gap in zip(blocks, gaps, strict=False)),
    st.sampled_from(["", "\n", "  \n\n"]),
    st.lists(BLOCKS, max_size=8),
    st.lists(st.sampled_from(["", "\n", " \n"]), min_size=8, max_size=8),
)


def layers(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """Parents and children are two readings of one text; other chunks are one."""
    parents = {chunk.parent for chunk in chunks if chunk.parent}
    if not parents:
        return [list(chunks)]
    return [[chunk for chunk in chunks if chunk.parent is None], [chunk for chunk in chunks if chunk.parent]]


@every_chunker
@settings(max_examples=40)
@given(text=TEXTS)
def test_chunks_less_their_overlaps_are_the_text_byte_for_byte(markdown: Markdown, chunker: Chunker, text: str) -> None:
    document = markdown(text)
    chunks = chunker.chunk(document)

    for chunk in chunks:
        assert chunk.text == document.text[chunk.start : chunk.end]
        assert chunk.text.strip()
    for layer in layers(chunks):
        rebuilt = ""
        for chunk in layer:
            assert chunk.start <= len(rebuilt) < chunk.end
            rebuilt += chunk.text[len(rebuilt) - chunk.start :]
        assert rebuilt == (document.text if document.text.strip() else "")


@every_chunker
@settings(max_examples=40)
@given(text=TEXTS)
def test_no_chunk_is_longer_than_its_cap(markdown: Markdown, chunker: Chunker, text: str) -> None:
    for chunk in chunker.chunk(markdown(text)):
        is_parent = chunker.name.startswith("parents") and chunk.parent is None
        assert len(Words(chunk.text)) <= (2 * CAP if is_parent else CAP)


@every_chunker
@settings(max_examples=40)
@given(text=TEXTS)
def test_no_two_chunks_share_an_id_and_a_second_run_gives_the_same(
    markdown: Markdown, chunker: Chunker, text: str
) -> None:
    chunks = chunker.chunk(markdown(text))

    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert chunker.chunk(markdown(text)) == chunks


@every_chunker
@pytest.mark.parametrize("text", ["", "   ", "\n\n \n"])
def test_a_text_without_words_gives_no_chunks(markdown: Markdown, chunker: Chunker, text: str) -> None:
    assert len(chunker.chunk(markdown(text))) == 0


@every_chunker
def test_a_paragraph_of_5000_chinese_characters_is_cut_by_the_cap(markdown: Markdown, chunker: Chunker) -> None:
    text = "员工可以申请每月五十元的网络补贴但必须提交账单" * 220
    for chunk in chunker.chunk(markdown(text[:5000])):
        assert len(chunk.text) <= 2 * CAP


@every_chunker
def test_an_unbroken_run_of_characters_is_cut_by_the_cap(markdown: Markdown, chunker: Chunker) -> None:
    for chunk in chunker.chunk(markdown("QUJD" * 2500)):
        assert len(chunk.text) <= 2 * CAP * 64


@pytest.mark.parametrize("name", ["headings", "parents", "sentences", "windows"])
def test_each_chunker_comes_in_by_the_door_for_plug_ins(markdown: Markdown, name: str) -> None:
    assert name in offers("chunkers")
    chunker: Chunker = load("chunkers", name)(ChunkingSettings())

    assert chunker.name.startswith(f"{name}/1(max_words=150")
    assert "".join(chunk.text for chunk in chunker.chunk(markdown("One. Two.")) if not chunk.parent) == "One. Two."
