"""Plain text."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from evidex.parsing.lines import Lines
from evidex.types import Parsed


def test_paragraphs_stand_between_blank_lines(
    read: Callable[..., Parsed], shown: Callable[[Parsed], list[tuple[str, str]]]
) -> None:
    parsed = read("\n\n one\ntwo \n \t\n\nthree")
    assert shown(parsed) == [("paragraph", " one\ntwo"), ("paragraph", "three")]


def test_the_text_is_the_source_and_lines_are_counted_from_the_first(read: Callable[..., Parsed]) -> None:
    parsed = read("one\ntwo\n\nthree\n", first_line=5)
    assert parsed.text == "one\ntwo\n\nthree\n"
    assert [parsed.origins.at(parsed.text.index(word)) for word in ("one", "two", "three")] == [5, 6, 8]


def test_an_empty_file_is_an_empty_text(read: Callable[..., Parsed]) -> None:
    parsed = read(b"")
    assert (parsed.text, parsed.blocks, parsed.origins.at(0)) == ("", (), 1)


@given(st.text("a \n\t\x0b\x0c\x85\u2028", max_size=40))
def test_lines_end_at_line_feeds_alone_and_join_to_the_text(text: str) -> None:
    lines = Lines.of(text)
    assert "\n".join(lines.lines) == text
    assert all(text.startswith(line, start) for line, start in zip(lines.lines, lines.starts, strict=True))
