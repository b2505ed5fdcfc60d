"""Under which headings does a text stand? Sections: headings, what they head, and the breadcrumb down to them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidex.types import Block, Document


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks between two headings. A heading that has no text of its own stands with its first child's."""

    headings: tuple[Block, ...]
    body: tuple[Block, ...]
    path: tuple[str, ...]

    @property
    def start(self) -> int:
        return (self.headings or self.body)[0].start


def sections(document: Document) -> tuple[Section, ...]:
    """The sections of a document in order; what precedes the first heading is a section under the title alone."""
    trail: list[Block] = []
    found: list[Section] = []
    for headings, body in _stretches(document.parsed.blocks):
        for heading in headings:
            trail = [*(above for above in trail if above.level < heading.level), heading]
        found.append(Section(tuple(headings), tuple(body), _breadcrumb(document.title, trail)))
    return tuple(found)


def path_at(outline: Sequence[Section], offset: int) -> tuple[str, ...]:
    """The breadcrumb of the section in which `offset` lies."""
    if not outline:
        return ()
    return outline[max(0, bisect_right(outline, offset, key=lambda section: section.start) - 1)].path


def _stretches(blocks: Sequence[Block]) -> Iterator[tuple[list[Block], list[Block]]]:
    headings: list[Block] = []
    body: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            body.append(block)
            continue
        is_child = bool(headings) and not body and block.level > headings[-1].level
        if not is_child and (headings or body):
            yield headings, body
            headings, body = [], []
        headings.append(block)
    if headings or body:
        yield headings, body


def _breadcrumb(title: str, trail: Sequence[Block]) -> tuple[str, ...]:
    names = [heading.title for heading in trail if heading.title]
    # A document's first heading is often its title.
    if title and (not names or names[0].casefold() != title.casefold()):
        names.insert(0, title)
    return tuple(names)
