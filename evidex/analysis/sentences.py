"""Where does a sentence end? By rule: at terminators that no abbreviation explains, at blank lines, and around
lines that stand by themselves: list items, table rows, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from evidex.analysis.abbreviations import BEFORE_NUMBERS, NEVER_LAST, OPENERS, SELDOM_LAST
from evidex.analysis.markers import BULLETS, NUMBER

_END = re.compile(
    r"""
      (?<![.!?…]) (?P<mark>[.!?…]++) (?P<closing>[*_`"'“”’»)\]]*+ (?:\[\d+\])*+) (?=\s|\Z)
    | (?P<wide>[。！？｡؟۔।॥။។]++ [」』”’）】》"')]*+)
    | (?P<line>\n)
    """,
    re.VERBOSE,
)
_NEW_LINE = re.compile(
    rf"[^\S\n]*(?:\n|\Z|\||\#{{1,6}}[^\S\n]|[{BULLETS}][^\S\n]|{NUMBER}[^\S\n]|\(?[a-zA-Z]\)[^\S\n])"
)
_LINE_OF_ITS_OWN = re.compile(r"[^\S\n]*(?:\||\#{1,6}[^\S\n])")
_NUMBERING = re.compile(r"(?:\n|\A)[^\S\n]*\(?\d{1,3}\Z")
_LETTERS_WITH_DOTS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
_LAST_WORD = re.compile(r"[\w.]*\Z")
_NEXT_WORD = re.compile(r"\s*[\"'“‘«(\[]*(\w*)")
_LOOK_BACK = 16  # characters: no abbreviation or item number is longer
_SHORT = 4  # letters: a short word before `.` and a small letter is taken for an abbreviation


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The sentences of `text[start:end]` as half-open spans into `text`.

    Spans are in order, do not overlap, begin and end with a visible character, and together hold every one.
    """
    stop = len(text) if end is None else end
    spans: list[tuple[int, int]] = []
    begin = start
    for cut in chain(_ends(text, start, stop), (stop,)):
        sentence = text[begin:cut]
        lead = len(sentence) - len(sentence.lstrip())
        if lead < len(sentence):
            spans.append((begin + lead, begin + len(sentence.rstrip())))
        begin = cut
    return spans


def _ends(text: str, start: int, stop: int) -> Iterator[int]:
    for match in _END.finditer(text, start, stop):
        if match["line"]:
            ends = _line_ends(text, start, match.start(), stop)
        elif match["wide"]:
            ends = True
        else:
            ends = _mark_ends(text, start, match, stop)
        if ends:
            yield match.end()


def _line_ends(text: str, start: int, at: int, stop: int) -> bool:
    """Whether the line break at `at` parts two sentences: a new item follows, or the line stands by itself."""
    line = max(start, text.rfind("\n", start, at) + 1)
    return any((_NEW_LINE.match(text, at + 1, stop), _LINE_OF_ITS_OWN.match(text, line, at)))


def _mark_ends(text: str, start: int, match: re.Match[str], stop: int) -> bool:
    following = _NEXT_WORD.match(text, match.end(), stop)
    word = following[1] if following else ""
    goes_on = word[:1].islower()
    if match["mark"] != ".":
        return not (goes_on and (match["closing"] or match["mark"].endswith(("..", "…"))))
    if match["closing"]:
        return not goes_on
    return _full_stop_ends(text, start, match.start(), word)


def _full_stop_ends(text: str, start: int, at: int, following: str) -> bool:
    lead = text[max(start, at - _LOOK_BACK) : at]
    last = _LAST_WORD.search(lead)
    before = last[0].casefold() if last else ""
    if before in NEVER_LAST or (before.isdigit() and _is_numbering(lead, at - len(lead) == start)):
        return False
    if before in BEFORE_NUMBERS and following[:1].isdigit():
        return False
    if before in SELDOM_LAST or _LETTERS_WITH_DOTS.fullmatch(before):
        return not following or (following[0].isupper() and following.casefold() in OPENERS)
    return not (before.isalpha() and len(before) <= _SHORT and following[:1].islower())


def _is_numbering(lead: str, from_start: bool) -> bool:
    """Whether `lead` ends in the number of a list item; it may begin in the middle of a line."""
    return _NUMBERING.search(lead if from_start else f"…{lead}") is not None
