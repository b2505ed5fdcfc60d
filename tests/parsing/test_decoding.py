"""Bytes into text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.errors import ParseError
from evidex.parsing.decoding import decode

PLAIN = st.text(st.characters(exclude_categories=["Cs", "Cc"]))


@given(PLAIN)
def test_text_comes_back_from_utf_8_and_utf_16_with_or_without_a_mark(text: str) -> None:
    assert decode(text.encode()) == text
    assert decode(codecs.BOM_UTF8 + text.encode()) == text
    assert decode(codecs.BOM_UTF16_LE + text.encode("utf-16-le")) == text
    assert decode(codecs.BOM_UTF16_BE + text.encode("utf-16-be")) == text


@given(st.binary())
def test_any_bytes_are_text_without_surrogates_or_an_error(data: bytes) -> None:
    try:
        text = decode(data)
    except ParseError:
        return
    assert "\r" not in text and "\0" not in text
    text.encode()


def test_every_line_end_becomes_a_line_feed() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_a_byte_that_is_not_utf_8_is_named_with_its_offset_and_a_remedy() -> None:
    with pytest.raises(ParseError, match=r"byte 0xe9 at offset 3 .* iconv"):
        decode("caf\xe9 au lait".encode("latin-1"))


def test_the_offset_counts_the_byte_order_mark() -> None:
    with pytest.raises(ParseError, match="offset 4 "):
        decode(codecs.BOM_UTF8 + b"a\xff")


@pytest.mark.parametrize(
    "data",
    [b"a\0b", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x01\x02\x03abc", codecs.BOM_UTF16_LE + b"a\0\0\0"],
    ids=["nul", "png", "controls", "nul-in-utf-16"],
)
def test_binary_content_is_not_text(data: bytes) -> None:
    with pytest.raises(ParseError, match="is not text"):
        decode(data)


def test_half_a_surrogate_pair_is_an_error() -> None:
    with pytest.raises(ParseError, match="UTF-16"):
        decode(codecs.BOM_UTF16_LE + b"\x00\xd8a\x00")
    with pytest.raises(ParseError, match="UTF-8"):
        decode(b"\xed\xa0\x80")
