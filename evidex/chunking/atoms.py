"""What is kept in one piece? Blocks where they fit; else sentences, list items, table rows or lines of code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from evidex.analysis.markers import BULLETS, NUMBER
from evidex.analysis.sentences import sentence_spans
from evidex.chunking.outline import Section
from evidex.chunking.words import Words
from evidex.types import Block, BlockKind


@dataclass(frozen=True, slots=True)
class Atom:
    """A span of one block that no chunk boundary crosses. One that `leads` is never the last of its chunk."""

    start: int
    end: int
    block: Block
    leads: bool = False

    def size(self, words: Words) -> int:
        return words.between(self.start, self.end)

    def table_header(self, text: str) -> str:
        """The header rows of the table of which the atom holds later rows; "" for every other atom."""
        block = self.block
        continues = block.kind == "table" and block.start < block.header_end <= self.start
        return text[block.start : block.header_end].rstrip() if continues else ""


def section_atoms(section: Section, words: Words, limit: int) -> Iterator[Atom]:
    """The atoms of a section, each of at most `limit` words; only a line of code may be longer.

    Its headings lead, and the first block is cut to leave room for them, unless they fill half the limit themselves.
    """
    size = sum(words.between(heading.start, heading.end) for heading in section.headings)
    leads = size <= limit // 2
    for heading in section.headings:
        yield from cut(Atom(heading.start, heading.end, heading, leads), words, limit)
    for number, block in enumerate(section.body):
        room = limit - size if leads and number == 0 else limit
        yield from cut(Atom(block.start, block.end, block), words, room)


def cut(atom: Atom, words: Words, limit: int) -> Iterator[Atom]:
    """Cut an atom at the best places that leave no part above `limit` words."""
    return _cut(atom, _PLACES[atom.block.kind], words, limit)


def refined(atom: Atom, words: Words, limit: int) -> Iterator[Atom]:
    """Cut an atom into its sentences, items or rows, however short it is; cut headings and code only above `limit`."""
    kind, places = atom.block.kind, _PLACES[atom.block.kind]
    if kind in {"heading", "code"}:
        # Single lines of code, or words of a heading, would say too little.
        for group in grouped(_cut(atom, places, words, limit), words, limit):
            yield replace(group[0], end=group[-1].end)
        return
    for start, end in places[0](atom, words, limit):
        yield from _cut(replace(atom, start=start, end=end), places[1:], words, limit)


def grouped(atoms: Iterable[Atom], words: Words, limit: int) -> list[list[Atom]]:
    """Fill groups with neighbouring atoms up to `limit` words each; a repeated table header counts, too."""
    groups: list[list[Atom]] = []
    filled = 0
    for atom in atoms:
        size = atom.size(words)
        if not groups or (filled + size > limit and not groups[-1][-1].leads):
            groups.append([])
            filled = Words(atom.table_header(words.text)).size
        groups[-1].append(atom)
        filled += size
    return groups


_Places: TypeAlias = Callable[[Atom, Words, int], Iterable[tuple[int, int]]]

_LINE = re.compile(r"[^\s](?:[^\n]*[^\s])?")
_ITEM = re.compile(rf"^[^\S\n]*(?:[{BULLETS}]|{NUMBER}|\(?[a-zA-Z][.)])[^\S\n]", re.MULTILINE)


def _cut(atom: Atom, places: tuple[_Places, ...], words: Words, limit: int) -> Iterator[Atom]:
    if not places or atom.size(words) <= limit:
        yield atom
        return
    for start, end in places[0](atom, words, limit):
        yield from _cut(replace(atom, start=start, end=end), places[1:], words, limit)


def _at_sentences(atom: Atom, words: Words, _: int) -> Iterable[tuple[int, int]]:
    return sentence_spans(words.text, atom.start, atom.end)


def _at_words(atom: Atom, words: Words, limit: int) -> Iterable[tuple[int, int]]:
    return words.groups(atom.start, atom.end, limit)


def _at_lines(atom: Atom, words: Words, _: int) -> Iterable[tuple[int, int]]:
    return [match.span() for match in _LINE.finditer(words.text, atom.start, atom.end)]


def _at_items(atom: Atom, words: Words, limit: int) -> Iterable[tuple[int, int]]:
    markers = [match.start() for match in _ITEM.finditer(words.text, atom.start, atom.end)]
    if not markers:
        return _at_lines(atom, words, limit)
    cuts = sorted({atom.start, *markers, atom.end})
    return pairwise(cuts)


def _at_rows(atom: Atom, words: Words, limit: int) -> Iterable[tuple[int, int]]:
    """Rows; the header rows stay with the first row below them."""
    rows = list(_at_lines(atom, words, limit))
    below = [row for row in rows if row[0] >= atom.block.header_end]
    if len(below) == len(rows) or not below:
        return rows
    return [(rows[0][0], below[0][1]), *below[1:]]


_PLACES: dict[BlockKind, tuple[_Places, ...]] = {
    "heading": (_at_words,),
    "paragraph": (_at_sentences, _at_words),
    "list": (_at_items, _at_sentences, _at_words),
    "table": (_at_rows, _at_sentences, _at_words),
    "code": (_at_lines,),
}
