"""PDF: the text layer, page by page, read by PDFium. Pages that hold only a picture of text give nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evidex.errors import MissingExtra, ParseError
from evidex.parsing.crashes import crashes_are_parse_errors
from evidex.parsing.lines import Lines
from evidex.parsing.writing import Marked, Writer
from evidex.types import Parsed, SourceItem

_LINE_END_HYPHEN = re.compile(r"[\x02\ufffe]")  # how PDFium shows a hyphen at which a line was broken
_BROKEN_WORD = re.compile(r"(?<!\w)\w*+(?:[\x02\ufffe]\w*+)+")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_WORD = re.compile(r"\w+")


class PdfParser:
    """Pages stand one below the other with a blank line between; origins are page numbers from 1."""

    name = "pdf/1"

    def __init__(self, pdfium: Any) -> None:
        self._pdfium = pdfium

    def parse(self, item: SourceItem) -> Parsed:
        """Raises `ParseError` for files that are encrypted, damaged or cut off, or that have no text layer."""
        if b"%%EOF" not in item.content:
            raise _damaged("it is cut off: the end mark '%%EOF' is missing")
        with crashes_are_parse_errors("PDF"):
            pages = self._pages(item.content)
        if not any(page.strip() for page in pages):
            raise ParseError(
                f"The PDF has no text layer: none of its {len(pages)} pages holds text.",
                "Run text recognition (OCR) over it first, for example with ocrmypdf.",
            )
        writer = Writer("page", 1, len(pages))
        for number, page in enumerate(without_line_end_hyphens(pages), start=1):
            lines = Lines.of(page)
            for block in lines.paragraphs(0, len(lines)):
                writer.add("paragraph", Marked(page[block.start : block.end], ((0, number),)))
        return writer.parsed()

    def _pages(self, content: bytes) -> list[str]:
        try:
            document = self._pdfium.PdfDocument(content)
        except self._pdfium.PdfiumError as error:
            if "password" in str(error).lower() or "security" in str(error).lower():
                raise ParseError(
                    "The PDF is encrypted.", "Save a copy without password, for example with: qpdf --decrypt"
                ) from None
            raise _damaged(str(error)) from None
        try:
            return [self._text(document, number) for number in range(len(document))]
        finally:
            document.close()

    def _text(self, document: Any, number: int) -> str:
        try:
            page = document[number]
        except self._pdfium.PdfiumError as error:
            raise _damaged(f"page {number + 1} cannot be read ({error})") from None
        try:
            layer = page.get_textpage()
            try:
                text: str = layer.get_text_range()
            finally:
                layer.close()
        finally:
            page.close()
        return text.replace("\r\n", "\n").replace("\r", "\n")


def without_line_end_hyphens(pages: Sequence[str]) -> list[str]:
    """A word broken at a line's end loses its hyphen if the document elsewhere writes it without one."""
    words = {word.lower() for page in pages for word in _WORD.findall(page)}

    def mended(match: re.Match[str]) -> str:
        whole = _LINE_END_HYPHEN.sub("", match[0])
        return whole if whole.lower() in words else _LINE_END_HYPHEN.sub("-", match[0])

    return [_NOT_TEXT.sub("", _BROKEN_WORD.sub(mended, page)) for page in pages]


def _damaged(reason: str) -> ParseError:
    return ParseError(f"The PDF is damaged: {reason.rstrip('.')}.", "Fetch it again, or repair it with: qpdf IN OUT")


def make() -> PdfParser:
    """The parser of the format `pdf`. Raises `MissingExtra` where pypdfium2 is not installed."""
    try:
        import pypdfium2
    except ImportError:
        raise MissingExtra("The PDF parser", "pdf") from None
    return PdfParser(pypdfium2)
