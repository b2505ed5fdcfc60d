"""Which sentences of a context can stand as an answer? List items and table rows count; headings and code do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from evidex.analysis.markers import BULLETS, NUMBER
from evidex.analysis.sentences import sentence_spans
from evidex.types import Context, Passage

LONGEST_WORDS = 60
"""Longer sentences are passed over while there are shorter ones."""

SHORTEST_WORDS = 3
"""What is shorter and ends without a full stop is the rest of a cut sentence; list items and rows may be short."""

_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_UNDERLINE = re.compile(r"\s*(=+|-{2,}|~{3,}|\^{3,}|\+{3,})\s*$")
# In reStructuredText `..` begins a directive, target or comment, and what is indented below `::` is literal.
_MARKUP = re.compile(r"\s*(\.\. |:[\w-]+:(\s|$))")
_LITERAL = re.compile(r"^\s*\.\. (code|code-block|sourcecode|parsed-literal|highlight)::|^(?!\s*\.\. ).*::$")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_ROW_RULE = re.compile(r"[\s|:-]+$")
_ITEM = re.compile(rf"\s*(?:[{BULLETS}]|{NUMBER})\s+")

_LineKind: TypeAlias = Literal["blank", "skip", "row", "item", "text"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One possible answer: `quote` is a slice of its passage's text, `claim` the same words fit to be read alone.

    `nearby` holds the sentences before and after it and the line that leads its list in; `passage` is the place of
    its passage in the context, from 0.
    """

    passage: int
    quote: str
    claim: str
    nearby: str = ""


def candidates(context: Context) -> tuple[Sentence, ...]:
    """Every sentence, list item and table row of the passages, in order, that may answer a question.

    Left out are headings, code, questions, lines that only lead a list in, and what has no letter or digit. Sentences
    above `LONGEST_WORDS` words are left out too, unless there is no other.
    """
    found = [
        sentence
        for place, passage in enumerate(context.passages)
        for sentence in _of_passage(place, passage)
        if _may_answer(sentence.quote, passage)
    ]
    short = tuple(sentence for sentence in found if len(sentence.quote.split()) <= LONGEST_WORDS)
    return short or tuple(found)


def _of_passage(place: int, passage: Passage) -> list[Sentence]:
    header = _header(passage)
    sentences: list[Sentence] = []
    lead = ""
    for kind, start, end in _blocks(passage.chunk.text):
        text = passage.chunk.text[start:end]
        if kind == "row":
            sentences.append(Sentence(place, text, _row_claim(text, header), lead))
            continue
        quotes = [text[a:b] for a, b in sentence_spans(text)]
        if kind == "text":
            quotes = [quote for quote in quotes if not _is_fragment(quote)]
        sentences += [Sentence(place, quote, " ".join(quote.split()), lead) for quote in quotes]
        if kind == "text":
            lead = quotes[-1] if quotes and quotes[-1].endswith(":") else ""
    return _with_neighbours(sentences)


def _with_neighbours(sentences: Sequence[Sentence]) -> list[Sentence]:
    quotes = ["", *(sentence.quote for sentence in sentences), ""]
    around = zip(quotes, sentences, quotes[2:], strict=False)
    return [
        replace(sentence, nearby="\n".join(part for part in (before, sentence.nearby, after) if part))
        for before, sentence, after in around
    ]


def _blocks(text: str) -> Iterator[tuple[_LineKind, int, int]]:
    """Paragraphs and list items (markers left out) and table rows of a text, as spans, in order."""
    open_kind: _LineKind = "blank"
    start = end = 0
    for kind, begin, stop in _lines(text):
        if kind == "text" and open_kind in ("text", "item"):
            end = stop
            continue
        if open_kind in ("text", "item"):
            yield open_kind, start, end
        open_kind, start, end = kind, begin, stop
        if kind == "row":
            yield kind, begin, stop
    if open_kind in ("text", "item"):
        yield open_kind, start, end


def _lines(text: str) -> Iterator[tuple[_LineKind, int, int]]:
    in_code = False
    literal: int | None = None
    above = ""
    begin = 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip()
        margin = len(body) - len(body.lstrip())
        if literal is not None and body and margin <= literal:
            literal = None
        fence = bool(_FENCE.match(line)) and (in_code or not _underlines(body, above))
        kind = _kind(body, hidden=in_code or fence or literal is not None)
        if literal is None and not in_code and _LITERAL.search(body):
            literal = margin
        in_code ^= fence
        item = _ITEM.match(line)
        indent = item.end() if kind == "item" and item else margin
        yield kind, begin + indent, begin + len(body)
        begin += len(line)
        above = body


def _underlines(line: str, above: str) -> bool:
    """Whether a line of tildes is the underline of the title above it, in reStructuredText, and opens no code."""
    return bool(above.strip()) and set(line) == {"~"} and len(line) >= len(above)


def _kind(line: str, *, hidden: bool) -> _LineKind:
    if hidden:
        return "skip"
    if not line:
        return "blank"
    if _HEADING.match(line) or _UNDERLINE.match(line) or _MARKUP.match(line) or _is_rule(line):
        return "skip"
    if _ROW.match(line):
        return "row"
    return "item" if _ITEM.match(line) else "text"


def _is_rule(line: str) -> bool:
    return "-" in line and _ROW_RULE.match(line) is not None


def _is_fragment(quote: str) -> bool:
    return len(quote.split()) < SHORTEST_WORDS and quote[-1].isalnum() and quote[-1].isascii()


def _may_answer(quote: str, passage: Passage) -> bool:
    if quote.rstrip("*_\"')").endswith(("?", "？", ":")) or not any(character.isalnum() for character in quote):
        return False
    headings = (passage.title, *passage.chunk.section, *_header_lines(passage))
    return quote.strip().casefold() not in {heading.strip().casefold() for heading in headings}


def _header_lines(passage: Passage) -> list[str]:
    """The lines above the rules of the passage's tables: they name columns and answer nothing."""
    lines = [line.strip() for line in f"{passage.chunk.table_header}\n{passage.chunk.text}".splitlines()]
    return [above for above, line in pairwise(lines) if _ROW.match(above) and _is_rule(line)]


def _header(passage: Passage) -> list[str]:
    """The column names of the passage's table; none if it has several tables."""
    headers = _header_lines(passage)
    return _cells(headers[0]) if len(headers) == 1 else []


def _row_claim(row: str, header: list[str]) -> str:
    """A row as words: `Plan: Team, Retention: 90 days` with a header, `Team, 90 days` without."""
    cells = _cells(row)
    named = len(header) == len(cells)
    return ", ".join(
        f"{name}: {cell}" if named and name else cell
        for name, cell in zip(header if named else cells, cells, strict=True)
        if cell
    )


def _cells(row: str) -> list[str]:
    return [" ".join(cell.split()) for cell in row.strip().strip("|").split("|")]
