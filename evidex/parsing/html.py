"""HTML: the visible text of a page in document order, read in one pass by the standard library's tokenizer.

Left out is what no reader sees: scripts, styles, templates, and elements hidden by attribute or by inline style, for
hidden text is a way to plant words in a knowledge base. No tree is built: a page is read in linear time, without
recursion, and every piece of text keeps the line it stands on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from evidex.errors import ParseError
from evidex.parsing import elements
from evidex.parsing.charset import declared_charset
from evidex.parsing.crashes import crashes_are_parse_errors
from evidex.parsing.decoding import decode
from evidex.parsing.elements import BLOCKS, HEADINGS, is_hidden
from evidex.parsing.layout import Layout
from evidex.parsing.lines import title_of
from evidex.parsing.writing import Writer
from evidex.types import Parsed, SourceItem

_DEEPEST = 512  # nested elements; browsers, too, stop there
_BEGINS_MARKUP = re.compile(r"<[A-Za-z/!?]")


class HtmlParser:
    """Blocks stand one below the other with a blank line between; tables and lists read like Markdown."""

    name = "html/1"

    def parse(self, item: SourceItem) -> Parsed:
        """Raises `ParseError` for bytes that are not text and for elements nested more than 512 deep."""
        source = decode(item.content, encoding=declared_charset(item.content))
        last_line = item.first_line + source.count("\n")
        writer = Writer("line", item.first_line, last_line)
        page = _Page(Layout(writer), item.first_line)
        with crashes_are_parse_errors("HTML"):
            page.read(source)
        parsed = writer.parsed(page.title)
        return parsed if parsed.title else replace(parsed, title=title_of(parsed.blocks))


@dataclass(frozen=True, slots=True)
class _Open:
    """An open element; `hides` tells whether it hides what it holds."""

    tag: str
    hides: bool


class _Page(HTMLParser):
    """Which elements are open, and whether what they hold can be seen."""

    def __init__(self, layout: Layout, first_line: int) -> None:
        super().__init__(convert_charrefs=True)
        self._layout = layout
        self._first_line = first_line
        self._open: list[_Open] = []
        self._hidden = 0
        self._title: list[str] = []
        self.title = ""
        """The words of the first `title` element."""

    def read(self, source: str) -> None:
        self.feed(source)
        # A comment or tag that is never closed hides the rest of the page, as in browsers.
        if not _BEGINS_MARKUP.match(self.rawdata):
            self.close()
        while self._open:
            self._pop()
        self._layout.finish()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._layout.text(data, self._line)
        elif self._open[-1].tag == "title" and self._hidden == 1:
            self._title.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = _first_values(attrs)
        self._end_before(tag)
        if tag in elements.VOID:
            self._void(tag)
        elif tag != "head":
            self._push(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Only an element that may be empty closes itself; a hidden one goes on to its end, as in browsers."""
        self.handle_starttag(tag, attrs)
        if tag not in elements.VOID and not is_hidden(tag, _first_values(attrs)):
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "br":
            self._void(tag)
        elif tag not in elements.ROOTS:
            at = self._open_element(tag)
            while at is not None and len(self._open) > at:
                self._pop()

    def parse_marked_section(self, i: int, report: bool = True) -> int:  # noqa: ARG002 - the overridden signature
        """`<![if …]>` and its like are comments up to the next `>` (HTML Living Standard, "bogus comment state")."""
        return self.rawdata.find(">", i) + 1 or -1

    @property
    def _line(self) -> int:
        return self._first_line + self.getpos()[0] - 1

    def _void(self, tag: str) -> None:
        if self._hidden:
            return
        if tag == "br":
            self._layout.line_break(self._line)
        elif tag == "hr":
            self._layout.rule()

    def _push(self, tag: str, attributes: Mapping[str, str]) -> None:
        hides = tag in elements.UNSEEN or is_hidden(tag, attributes)
        if tag not in BLOCKS and not hides and not self._hidden:
            return  # visible inline elements change nothing
        if len(self._open) == _DEEPEST:
            raise ParseError(
                f"Line {self._line} nests elements more than {_DEEPEST} deep.", "Close what is open there."
            )
        self._open.append(_Open(tag, hides))
        self._hidden += hides
        if not self._hidden:
            self._layout.opens(tag, attributes)

    def _pop(self) -> None:
        closed = self._open.pop()
        if not self._hidden:
            self._layout.closes(closed.tag)
        if closed.tag == "title":
            self.title, self._title = self.title or " ".join("".join(self._title).split()), []
        self._hidden -= closed.hides

    def _end_before(self, tag: str) -> None:
        """End the elements whose end tag may be left out before this start tag."""
        if tag in elements.ENDS_PARAGRAPH:
            self._end_nearest({"p"}, BLOCKS)
        if tag in HEADINGS and self._open and self._open[-1].tag in HEADINGS:
            self._pop()
        if tag in elements.ENDS:
            self._end_nearest(*elements.ENDS[tag])

    def _end_nearest(self, ended: Set[str], beyond: Set[str]) -> None:
        cut = len(self._open)
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at].tag in beyond and self._open[at].tag not in ended:
                break
            if self._open[at].tag in ended:
                cut = at
        while len(self._open) > cut:
            self._pop()

    def _open_element(self, tag: str) -> int | None:
        """Where the element stands that an end tag closes; None if the end tag closes nothing."""
        wanted = HEADINGS if tag in HEADINGS else {tag}
        limits: Set[str] = elements.CLOSED_FROM_OUTSIDE
        if tag in elements.TABLE_PARTS:
            limits = {"table"}
        elif tag == "table":
            limits = frozenset()
        elif tag not in elements.CLOSING_BLOCKS:
            limits = BLOCKS
        for at in range(len(self._open) - 1, -1, -1):
            here = self._open[at].tag
            if here in wanted:
                return at
            if here in limits:
                return None
        return None


def _first_values(attributes: list[tuple[str, str | None]]) -> dict[str, str]:
    """Attributes by name; of one that is given twice, the first counts."""
    return {name: value or "" for name, value in reversed(attributes)}


def make() -> HtmlParser:
    """The parser of the format `html`."""
    return HtmlParser()
