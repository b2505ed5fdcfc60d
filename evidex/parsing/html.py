"""HTML: the visible text of a page in document order, read in one pass by the standard library's tokenizer.

Left out is what no reader sees: scripts, styles, templates, and elements hidden by attribute or by inline style, for
hidden text is a way to plant words in a knowledge base. Style sheets are not evaluated. Which elements end without
an end tag follows the HTML Living Standard, section "optional tags" and the tree construction rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from evidex.errors import ParseError
from evidex.parsing.charset import declared_charset
from evidex.parsing.crashes import crashes_are_parse_errors
from evidex.parsing.decoding import decode
from evidex.parsing.layout import CELLS, HEADINGS, ITEMS, LISTS, ROW_GROUPS, Layout
from evidex.parsing.writing import Writer
from evidex.types import Parsed, SourceItem

_DEEPEST = 512  # nested elements; browsers, too, stop there
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_UNSEEN = frozenset("audio canvas datalist iframe noembed noframes noscript object script style template video".split())
_BLOCKS = (
    HEADINGS | LISTS | ITEMS | CELLS | ROW_GROUPS
    | frozenset("table tr caption colgroup pre p div section article aside header footer nav main address".split())
    | frozenset("blockquote figure figcaption details summary fieldset legend form dialog center hgroup search".split())
    | frozenset("option optgroup title".split())
)  # fmt: skip
_TABLE_PARTS = CELLS | ROW_GROUPS | {"tr", "caption", "colgroup"}
_NOT_CLOSED_FROM_INSIDE = CELLS | {"table", "caption"}
_TRANSPARENT = frozenset({"html", "head", "body"})

_ENDS_PARAGRAPH = _BLOCKS - _TABLE_PARTS - {"p", "option", "optgroup", "title", "legend", "summary"} | {"p", "hr"}
_ENDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), LISTS | _NOT_CLOSED_FROM_INSIDE),
    "dt": (frozenset({"dt", "dd"}), LISTS | _NOT_CLOSED_FROM_INSIDE),
    "dd": (frozenset({"dt", "dd"}), LISTS | _NOT_CLOSED_FROM_INSIDE),
    "option": (frozenset({"option"}), frozenset()),
    "optgroup": (frozenset({"option", "optgroup"}), frozenset()),
    "td": (CELLS | {"caption", "colgroup"}, frozenset({"table", "tr"})),
    "th": (CELLS | {"caption", "colgroup"}, frozenset({"table", "tr"})),
    "tr": (CELLS | {"tr", "caption", "colgroup"}, frozenset({"table"})),
    **{group: (_TABLE_PARTS, frozenset({"table"})) for group in sorted(ROW_GROUPS | {"caption", "colgroup"})},
}
"""By start tag: the open elements that it ends, and those beyond which it does not reach."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_INVISIBLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0+%?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0*\.?0+[a-z%]*\s*(?:;|!|$))",
    re.IGNORECASE,
)
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
        headline = next((block.title for block in parsed.blocks if block.kind == "heading" and block.level == 1), "")
        return parsed if parsed.title else replace(parsed, title=headline)


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
        if tag in _VOID:
            self._void(tag)
        elif tag not in _TRANSPARENT or _is_hidden(tag, attributes):
            self._push(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Only an element that may be empty closes itself; a hidden one goes on to its end, as in browsers."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID and not _is_hidden(tag, _first_values(attrs)):
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "br":
            self._void(tag)
            return
        at = self._open_element(tag)
        if at is not None:
            while len(self._open) > at:
                self._pop()

    def parse_marked_section(self, i: int, report: bool = True) -> int:
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
        hides = tag in _UNSEEN or tag == "title" or _is_hidden(tag, attributes)
        if tag not in _BLOCKS and not hides and not self._hidden:
            return  # visible inline elements change nothing
        if len(self._open) == _DEEPEST:
            raise ParseError(f"Line {self._line} nests elements more than {_DEEPEST} deep.", "Close what is open there.")
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
        if tag in _ENDS_PARAGRAPH:
            self._end_nearest(frozenset({"p"}), _BLOCKS - {"p"})
        if tag in HEADINGS and self._open and self._open[-1].tag in HEADINGS:
            self._pop()
        if tag in _ENDS:
            self._end_nearest(*_ENDS[tag])

    def _end_nearest(self, ended: frozenset[str], beyond: frozenset[str]) -> None:
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
        for at in range(len(self._open) - 1, -1, -1):
            here = self._open[at].tag
            if here in wanted:
                return at
            if tag in _TABLE_PARTS or tag == "table":
                if here == "table":
                    return None
            elif here in _NOT_CLOSED_FROM_INSIDE or (tag not in _BLOCKS | _UNSEEN and here in _BLOCKS):
                return None
        return None


def _first_values(attributes: list[tuple[str, str | None]]) -> dict[str, str]:
    """Attributes by name; of one that is given twice, the first counts."""
    return {name: value or "" for name, value in reversed(attributes)}


def _is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").strip().lower() == "true"
        or (tag == "dialog" and "open" not in attributes)
        or _INVISIBLE.search(_COMMENT.sub("", attributes.get("style", ""))) is not None
    )


def make() -> HtmlParser:
    """The parser of the format `html`."""
    return HtmlParser()
