"""B2: does one chunk hold the evidence whole, under the headings it stands under?"""

from __future__ import annotations

import html
import re
from itertools import pairwise

from evidex.diagnosis.content import visible_words
from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding
from evidex.evaluation.resolve import Fact
from evidex.types import Chunk
from evidex.wording import counted

_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_MARKED = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_HTML = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1\s*>", re.IGNORECASE | re.DOTALL)
_UNDERLINE = re.compile(r"^\s{0,3}(=+|-{3,})\s*$")


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need has a chunk of its own, headings included."""
    for need in inquiry.unmet:
        found = _split(need, inquiry) or _headless(need, inquiry)
        if found is not None:
            return found
    held = tuple(dict.fromkeys(id for need in inquiry.unmet for id in inquiry.ids(need)))
    return Finding(f"whole in {counted(len(held), 'chunk')}, under its headings" if held else "nothing to hold", held)


def _split(need: Need, inquiry: Inquiry) -> Finding | None:
    if inquiry.carriers(need):
        return None
    for fact in need.facts:
        pieces = [c for c in inquiry.revision(fact).chunks if c.start < fact.end and fact.start < c.end]
        if pieces and not uncovered(fact, pieces, inquiry):
            held = ", ".join(f"{max(c.start, fact.start)}–{min(c.end, fact.end)}" for c in pieces)
            return Finding(
                f"{need} stands at {fact.start}–{fact.end}, and is cut: {counted(len(pieces), 'chunk')} have {held}",
                (fact.key, *(chunk.id for chunk in pieces)),
                "SPAN_SPLIT",
            )
    return None


def uncovered(fact: Fact, pieces: list[Chunk], inquiry: Inquiry) -> bool:
    """Whether some of the evidence is in none of these chunks, which come in the order of the text."""
    text = inquiry.revision(fact).text or ""
    edges = [(fact.start, fact.start), *((piece.start, piece.end) for piece in pieces), (fact.end, fact.end)]
    reached = fact.start
    for (_, end), (start, _) in pairwise(edges):
        reached = max(reached, end)
        if text[reached:start].strip():
            return True
    return False


def _headless(need: Need, inquiry: Inquiry) -> Finding | None:
    """Every chunk lacks a heading that the evidence stands under, and with it a word that the question asks by."""
    asked = inquiry.terms(" ".join((inquiry.case.question, *inquiry.case.history[-1:])))
    lacking = {}
    for fact in need.facts:
        trail = _headings_above(fact, inquiry)
        for chunk in (c for c in inquiry.carriers(need) if c.key == fact.key):
            shown = inquiry.terms(_shown(chunk, inquiry))
            lost = [(heading, sorted((inquiry.terms(heading) - shown) & asked)) for heading in trail]
            lacking[chunk.id] = [(heading, words) for heading, words in lost if words]
    if not lacking or not all(lacking.values()):
        return None
    heading, words = next(iter(lacking.values()))[-1]
    return Finding(
        f"the question asks for {', '.join(words)}, which only the heading “{heading}” says, and no chunk with {need} "
        "carries it",
        tuple(lacking),
        "HEADING_LOST",
    )


def _shown(chunk: Chunk, inquiry: Inquiry) -> str:
    """What is known of a chunk: all that is indexed, and the title with which it was delivered."""
    titles = [passage.title for passage in inquiry.passages if passage.chunk.id == chunk.id]
    return "\n".join((*titles, chunk.indexed_text))


def _headings_above(fact: Fact, inquiry: Inquiry) -> tuple[str, ...]:
    """The headings over a place, from the document's title down: those of the source, found again in the text."""
    if not fact.located:
        return ()
    revision = inquiry.revision(fact)
    text, source = revision.text or "", inquiry.system.source_text(fact.key) or revision.text or ""
    trail: list[tuple[int, str]] = []
    lines = [(match.start(), visible_words(match.group())) for match in re.finditer(r"[^\n]+", text)]
    for level, title in _headings(source):
        words = visible_words(title)
        at = next((n for n, (start, line) in enumerate(lines) if line == words and start < fact.start), None)
        if at is None or not words:
            continue
        lines = lines[at + 1 :]
        trail = [*((upper, name) for upper, name in trail if upper < level), (level, title)]
    titles = (revision.metadata.title,) if revision.metadata.title else ()
    return (*titles, *(title for _, title in trail))


def _headings(source: str) -> list[tuple[int, str]]:
    if marked := _HTML.findall(source):
        return [(int(level), html.unescape(re.sub(r"<[^<>]*>", " ", title))) for level, title in marked]
    found: list[tuple[int, str]] = []
    fenced, before = False, ""
    for line in source.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            if match := _MARKED.match(line):
                found.append((len(match[1]), match[2]))
            elif before.strip() and not before.lstrip().startswith("|") and (under := _UNDERLINE.match(line)):
                found.append((1 if "=" in under[1] else 2, before.strip()))
        before = line
    return found
