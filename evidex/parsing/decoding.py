"""Bytes into text: UTF-8 or UTF-16, and an error for everything that is not text."""

from __future__ import annotations

import codecs
import re

from evidex.errors import ParseError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CHARACTERS_PER_CONTROL = 100


def decode(data: bytes, *, encoding: str = "utf-8") -> str:
    """The text in `data`, with every line end as one line feed.

    A byte order mark decides the encoding; `encoding` holds where there is none. Raises `ParseError` for bytes that are
    not of that encoding (naming the first by its offset) and for content that is not text at all: a NUL character,
    or more than one control character in a hundred.
    """
    mark, encoding = next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", encoding))
    if b"\0" in data and not encoding.startswith("utf-16"):
        raise _not_text(f"it has a NUL byte at offset {data.index(0)}")
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        offset = len(mark) + error.start
        raise ParseError(
            f"The content is not {encoding.upper()}: byte 0x{data[offset]:02x} at offset {offset} is out of place.",
            f"Convert the file to UTF-8, for example with: iconv -f {_likely(encoding)} -t UTF-8",
        ) from None
    controls = len(_CONTROL.findall(text))
    if "\0" in text or controls * _CHARACTERS_PER_CONTROL > len(text):
        raise _not_text(f"{controls} of its {len(text)} characters are control characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _not_text(reason: str) -> ParseError:
    return ParseError(f"The content is not text: {reason}.", "Give the file the ending of its format, or leave it out.")


def _likely(encoding: str) -> str:
    return "WINDOWS-1252" if encoding == "utf-8" else "UTF-8"
