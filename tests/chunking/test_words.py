from __future__ import annotations

import pytest

from evidex.analysis.budget import count_tokens
from evidex.chunking.words import TOKENS_PER_WORD, Words, checked
from evidex.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \n", 0),
        ("two words", 2),
        ("don't stop-words, ever!", 3),
        ("员工补贴。", 4),
        ("JR東日本", 4),
        ("ที่นี่", 2),
        ("한국어 말", 2),
        ("x" * 64, 1),
        ("x" * 65, 2),
    ],
)
def test_white_space_parts_words_and_scripts_without_spaces_count_by_character(text: str, words: int) -> None:
    assert len(Words(text)) == words


def test_groups_cover_a_span_from_its_first_word_on() -> None:
    text = "  a b c d e"
    assert [text[start:end] for start, end in Words(text).groups(0, len(text), 2)] == ["a b ", "c d ", "e"]


def test_a_word_belongs_to_the_span_in_which_it_begins() -> None:
    words = Words("one two three")
    assert words.between(0, 5) == 2
    assert words.between(5, 13) == 1


def test_a_cap_below_eight_words_is_an_error_that_names_it() -> None:
    assert checked(8) == 8
    with pytest.raises(ConfigError, match="7"):
        checked(7)


def test_a_word_of_many_tokens_counts_as_the_ordinary_words_that_would_take_as_many() -> None:
    address = "https://docs.example.com/v1/plans?page=2"
    words = Words(f"see {address} now")

    assert words.size == 1 + int(count_tokens(address) / TOKENS_PER_WORD) + 1
    assert Words("an ordinary sentence of plain words").size == 6


def test_groups_are_as_long_as_they_may_be_and_cover_every_word() -> None:
    text = "one two https://docs.example.com/v1/plans?page=2 three four five six seven"
    words = Words(text)

    groups = list(words.groups(0, len(text), 8))

    assert "".join(text[start:end] for start, end in groups) == text
    assert all(words.between(start, end) <= 8 or " " not in text[start:end].strip() for start, end in groups)
