"""What the names of HTML elements mean for reading a page: what is a block, what is never seen, what ends what.

Follows the HTML Living Standard: "void elements", "optional tags", and the tree construction rules for end tags.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
ITEMS = frozenset({"li", "dt", "dd"})
CELLS = frozenset({"td", "th"})
ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
TABLE_PARTS = CELLS | ROW_GROUPS | {"tr", "caption", "colgroup"}

VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
ROOTS = frozenset({"html", "body"})
"""Elements that hold the whole page wherever their tags stand; `head` holds nothing that is shown."""
UNSEEN = frozenset({
    "audio", "canvas", "datalist", "iframe", "noembed", "noframes", "noscript", "object", "script", "style", "template",
    "title", "video",
})  # fmt: skip
"""Elements whose text a page does not show."""
_SECTIONS = frozenset({
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "div", "fieldset", "figcaption",
    "figure", "footer", "form", "header", "hgroup", "main", "nav", "pre", "search", "section", "table",
})  # fmt: skip
BLOCKS = HEADINGS | LISTS | ITEMS | TABLE_PARTS | _SECTIONS | {"p", "legend", "summary", "option", "optgroup"}
"""Elements at which a run of text ends."""

CLOSING_BLOCKS = BLOCKS | UNSEEN
"""Elements whose end tag also ends what is open inside them; that of any other reaches no further than its block."""
ENDS_PARAGRAPH = HEADINGS | LISTS | ITEMS | _SECTIONS | {"p", "hr"}
"""Start tags that end an open paragraph."""
CLOSED_FROM_OUTSIDE = CELLS | {"table", "caption"}
"""Elements that an end tag inside them never closes, unless it is their own or one of a table's parts."""
_LIST_SCOPE = LISTS | CLOSED_FROM_OUTSIDE
ENDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), _LIST_SCOPE),
    "dt": (frozenset({"dt", "dd"}), _LIST_SCOPE),
    "dd": (frozenset({"dt", "dd"}), _LIST_SCOPE),
    "option": (frozenset({"option"}), CLOSED_FROM_OUTSIDE),
    "optgroup": (frozenset({"option", "optgroup"}), CLOSED_FROM_OUTSIDE),
    "td": (CELLS | {"caption", "colgroup"}, frozenset({"table", "tr"})),
    "th": (CELLS | {"caption", "colgroup"}, frozenset({"table", "tr"})),
    "tr": (CELLS | {"tr", "caption", "colgroup"}, frozenset({"table"})),
    **{part: (TABLE_PARTS, frozenset({"table"})) for part in sorted(TABLE_PARTS - CELLS - {"tr"})},
}
"""By start tag: the open elements that it ends, and those beyond which it does not reach."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ZERO = r"0*\.?0+(?:%|[a-z]+)?\s*(?:;|!|$)"
_INVISIBLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    rf"|opacity\s*:\s*{_ZERO}|font-size\s*:\s*{_ZERO})",
    re.IGNORECASE,
)


def is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element's own attributes hide it; style sheets and scripts are not looked at."""
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").strip().lower() == "true"
        or (tag == "dialog" and "open" not in attributes)
        or ("style" in attributes and _INVISIBLE.search(_COMMENT.sub("", attributes["style"])) is not None)
    )
