"""Front matter: YAML between two lines of dashes at the start of a text file, as site generators write it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from evidex.errors import SourceError
from evidex.sources.plain_yaml import MAX_BYTES, read_yaml

FORMATS = frozenset({"text", "markdown", "restructured", "html"})
"""Formats whose files may begin with front matter."""

_LINE_END = rb"(?:\r\n|\n|\r)"
_FENCED = re.compile(
    rb"---[ \t]*" + _LINE_END + rb"((?:.*?" + _LINE_END + rb")??)(?:---|\.\.\.)[ \t]*(?:" + _LINE_END + rb"|\Z)",
    re.DOTALL,
)
_OPENED = re.compile(rb"---[ \t]*" + _LINE_END + rb"[ \t]*[A-Za-z_][\w-]*[ \t]*:")
_LINE_ENDS = re.compile(_LINE_END)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a file says of itself, and the content below, which starts on `first_line` of the file."""

    body: bytes
    values: Mapping[str, object] = field(default_factory=dict)
    first_line: int = 1


def split(content: bytes) -> FrontMatter:
    """Part a file's front matter from its body.

    A file that merely begins with a rule of dashes has none. Front matter that cannot be read is an error and never
    body text, for it may hold who may read the file: `SourceError` if it is not closed, too long, or not plain YAML.
    """
    text = _as_utf8(content)
    fenced = _FENCED.match(text, 0, MAX_BYTES + 1)
    if fenced is None:
        if _OPENED.match(text):
            raise SourceError(
                f"Front matter begins on line 1 and does not end within {MAX_BYTES} bytes.",
                "End it with a line '---'.",
            )
        return FrontMatter(content)
    values = read_yaml(_decoded(fenced[1]), where="Front matter", first_line=2)
    if values is None or values == "":
        values = {}
    if not isinstance(values, dict):
        return FrontMatter(content)
    return FrontMatter(text[fenced.end() :], values, 1 + len(_LINE_ENDS.findall(fenced[0])))


def _as_utf8(content: bytes) -> bytes:
    """The content without byte order mark, recoded from UTF-16 if it is that, so that its front matter is seen."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return content.decode("utf-16").encode()
        except UnicodeError:
            return content  # the parser will name the byte
    return content.removeprefix(codecs.BOM_UTF8)


def _decoded(yaml: bytes) -> str:
    try:
        return yaml.decode()
    except UnicodeDecodeError as error:
        raise SourceError(f"Front matter is not UTF-8: byte 0x{yaml[error.start]:02x}.", "Save it as UTF-8.") from None
