"""Does a quote say enough to rest a claim on it?"""

from __future__ import annotations

import re
import unicodedata

from evidex.analysis.markers import BULLETS, NUMBER
from evidex.analysis.sentences import sentence_spans
from evidex.grounding.locate import shown

MIN_WORDS = 3
MIN_LETTERS = 12

_MARKER = re.compile(rf"^[\s|>]*(?:[{BULLETS}#]+\s+|{NUMBER}\s+)?")
_TAIL = " |*_.:;,!?"


def has_substance(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` may carry a claim: three words, or twelve letters or digits, or a whole unit.

    A whole unit is a sentence, a line (a list item, say) or a table cell, so the cell "45 days" may be cited where the
    words "Do not" out of a sentence may not. East Asian wide letters count as two. Punctuation alone carries nothing.
    """
    quote = text[start:end]
    letters = [character for character in quote if character.isalnum()]
    if not letters:
        return False
    if len(re.findall(r"\w+", quote)) >= MIN_WORDS:
        return True
    if sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in letters) >= MIN_LETTERS:
        return True
    return _is_cell_or_line(text, start, end) or _is_sentence(text, start, end)


def _is_cell_or_line(text: str, start: int, end: int) -> bool:
    begin = max(text.rfind("\n", 0, start), text.rfind("|", 0, start)) + 1
    stops = [found for found in (text.find("\n", end), text.find("|", end)) if found >= 0]
    return _bare(text[begin : min(stops, default=len(text))]) == _bare(text[start:end])


def _is_sentence(text: str, start: int, end: int) -> bool:
    stop = text.find("\n\n", end)
    # Above a sentence may stand a line that is none, such as the end of a code block.
    begins = {text.rfind("\n\n", 0, start) + 1, text.rfind("\n", 0, start) + 1}
    spans = (span for begin in sorted(begins) for span in sentence_spans(text, begin, len(text) if stop < 0 else stop))
    return any(a <= start < b and _bare(text[a:b]) == _bare(text[start:end]) for a, b in spans)


def _bare(unit: str) -> str:
    """A unit as a reader sees it, without list marker, cell borders and the marks that end it."""
    return _MARKER.sub("", shown(unit), count=1).rstrip(_TAIL)
