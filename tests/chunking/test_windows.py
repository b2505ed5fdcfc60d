from __future__ import annotations

from collections.abc import Callable
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.chunking.windows import WindowChunker, make
from evidex.config import ChunkingSettings
from evidex.errors import ConfigError
from evidex.types import Document

Markdown = Callable[..., Document]

ANSWERS = (
    "Approved claims are paid at 50 dollars every month.",
    "On shared Wi-Fi, in trains and in cafés, you must use the VPN for all work.",
    "Core hours run from ten to three, local time.",
    "You can ask for a second monitor once your desk is set up.",
)
CONTAINMENT = [
    # size, overlap, chunks, and for each answer the chunks (from 1) that hold the whole of it
    (20, 0, 12, ([6], [], [], [])),
    (20, 5, 15, ([8], [], [14], [])),
    (20, 10, 22, ([11, 12], [18], [20], [14])),
    (30, 0, 8, ([4], [], [7], [5])),
    (30, 5, 9, ([5], [], [], [6])),
    (30, 10, 11, ([6], [9], [10], [7])),
    (40, 0, 6, ([3], [5], [], [4])),
    (40, 5, 7, ([4], [], [6], [4])),
    (40, 10, 8, ([4], [6], [7], [5])),
    (60, 0, 4, ([2], [], [4], [3])),
    (60, 5, 4, ([3], [4], [4], [3])),
    (60, 10, 5, ([3], [4], [4], [3])),
]
SUPPORT_BASE = [
    *(58, 48, 47, 43, 49, 32, 40, 42, 41, 41, 43, 42, 42, 41, 40, 48, 45, 44, 42, 44, 39, 40, 37, 47, 40),
]
"""Word counts of the 25 active documents of a support knowledge base."""


@pytest.mark.parametrize(("size", "overlap", "chunks", "holders"), CONTAINMENT)
def test_window_size_and_overlap_decide_which_answers_survive_whole(
    markdown: Markdown, handbook: str, size: int, overlap: int, chunks: int, holders: tuple[list[int], ...]
) -> None:
    windows = WindowChunker(size, overlap).chunk(markdown(handbook))

    assert len(windows) == chunks
    found = tuple([n for n, window in enumerate(windows, start=1) if answer in window.text] for answer in ANSWERS)
    assert found == holders


def test_the_handbook_has_the_section_lengths_that_the_table_rests_on(handbook: str) -> None:
    words = handbook.split()
    headings = [position for position, word in enumerate(words) if word == "##"]

    assert headings == [4, 48, 119, 163, 196]
    assert len(words) == 224
    assert words.index("50") == 115


@pytest.mark.parametrize(("size", "overlap", "total"), [(18, 4, 80), (32, 6, 49), (48, 9, 27), (80, 16, 25)])
def test_a_support_base_of_1075_words_gives_the_published_chunk_counts(
    markdown: Markdown, size: int, overlap: int, total: int
) -> None:
    assert sum(SUPPORT_BASE) == 1075
    chunker = WindowChunker(size, overlap)
    assert sum(len(chunker.chunk(markdown("word " * words))) for words in SUPPORT_BASE) == total


def test_130_words_in_windows_of_50_with_10_shared_start_at_words_1_41_and_81(markdown: Markdown) -> None:
    words = [f"w{number}" for number in range(1, 131)]
    windows = WindowChunker(50, 10).chunk(markdown(" ".join(words)))

    assert [window.text.split() for window in windows] == [words[0:50], words[40:90], words[80:130]]


@given(st.integers(1, 400), st.integers(8, 60), st.data())
def test_the_number_of_windows_is_the_quotient_of_words_and_steps_rounded_up(
    markdown: Markdown, words: int, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    expected = ceil((words - overlap) / (size - overlap)) if words > overlap else 1

    assert len(WindowChunker(size, overlap).chunk(markdown("word " * words))) == expected


@pytest.mark.parametrize("overlap", [-1, 8, 9])
def test_an_overlap_that_leaves_no_step_is_an_error_that_names_it(overlap: int) -> None:
    with pytest.raises(ConfigError, match=f"overlap_words' is {overlap}"):
        WindowChunker(8, overlap)


def test_a_window_of_fewer_than_eight_words_is_an_error() -> None:
    with pytest.raises(ConfigError, match="max_words' is 7"):
        WindowChunker(7)


def test_the_name_of_a_chunker_tells_its_settings() -> None:
    chunker = make(ChunkingSettings(strategy="windows", max_words=48, overlap_words=9))
    assert chunker.name == "windows/1(max_words=48,overlap_words=9)"
