"""PDF, on files that the tests write byte by byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evidex.errors import ParseError
from evidex.parsing.pdf import without_line_end_hyphens
from evidex.types import Parsed

pytest.importorskip("pypdfium2", reason="the extra 'pdf' is not installed")

Shown = Callable[[Parsed], list[tuple[str, str]]]


def pdf(pages: list[list[str]], trailer: bytes = b"") -> bytes:
    """A PDF with one page for each list of lines, in PDF 1.4 as ISO 32000-1 describes it; `(` and `)` need escaping."""
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for page, lines in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * page} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        text = "".join(f"BT /F1 12 Tf 50 {750 - 20 * at} Td ({line}) Tj ET\n" for at, line in enumerate(lines))
        objects.append(f"<< /Length {len(text)} >>\nstream\n{text}endstream".encode())
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R %b >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, trailer, len(body))
    )


def test_pages_follow_each_other_and_origins_are_page_numbers(read: Callable[..., Parsed], shown: Shown) -> None:
    parsed = read(pdf([["First page", "second line"], [], ["Third page"]]))
    assert shown(parsed) == [("paragraph", "First page\nsecond line"), ("paragraph", "Third page")]
    assert parsed.text == "First page\nsecond line\n\nThird page"
    assert parsed.origins.unit == "page"
    assert [parsed.origins.at(parsed.text.index(word)) for word in ("First", "second", "Third")] == [1, 1, 3]


def test_a_file_without_text_layer_says_so(read: Callable[..., Parsed]) -> None:
    with pytest.raises(ParseError, match=r"has no text layer: none of its 2 pages.*OCR"):
        read(pdf([[], []]))


def test_an_encrypted_file_says_so_and_how_to_open_it(read: Callable[..., Parsed]) -> None:
    locked = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b> >> /ID [<00> <00>]" % (
        b"41" * 32,
        b"42" * 32,
    )
    with pytest.raises(ParseError, match=r"encrypted.*qpdf --decrypt"):
        read(pdf([["secret"]], trailer=locked))


def test_a_file_that_is_cut_off_is_refused(read: Callable[..., Parsed]) -> None:
    whole = pdf([["text"]])
    with pytest.raises(ParseError, match="damaged: it is cut off"):
        read(whole[: len(whole) // 2])


@pytest.mark.parametrize("content", [b"", b"not a pdf", b"%PDF-1.4\n%%EOF\n", b"\x89PNG %%EOF"])
def test_what_is_no_pdf_is_refused(read: Callable[..., Parsed], content: bytes) -> None:
    with pytest.raises(ParseError, match="damaged"):
        read(content)


def test_control_characters_are_removed(read: Callable[..., Parsed]) -> None:
    text = read(pdf([["a\\001b c\\000d"]])).text
    assert not any(ord(character) < 32 for character in text)


@pytest.mark.parametrize(
    ("page", "mended"),
    [
        ("pay\x02ment, payment", "payment, payment"),
        ("self\ufffeservice", "self-service"),
        ("pay\x02ment Pay\x02ment. PAYMENT", "payment Payment. PAYMENT"),
        ("re\x02pay\x02ment repayment", "repayment repayment"),
        ("state\x02of\x02the\x02art", "state-of-the-art"),
        ("dash \x02 alone", "dash - alone"),
    ],
)
def test_a_word_broken_at_a_line_end_loses_its_hyphens_if_it_is_written_without_them_elsewhere(
    page: str, mended: str
) -> None:
    assert without_line_end_hyphens([page]) == [mended]


def test_a_word_as_long_as_a_book_is_read_in_one_pass() -> None:
    page = "x" * 1_000_000 + " y\x02z"
    assert without_line_end_hyphens([page]) == ["x" * 1_000_000 + " y-z"]
