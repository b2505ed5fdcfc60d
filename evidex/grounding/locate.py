"""Where do the quoted words stand in a text? Found exactly, or up to white space and characters that nobody sees."""

from __future__ import annotations

from collections.abc import Iterator

from evidex.analysis.invisible import is_invisible

_NUMBER_JOINTS = ".,–"
_WORD_JOINTS = "'’-‐‑_"


def places(quote: str, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of `text[start:end]` that say `quote`, as offsets into `text`, in order; none for a blank quote.

    A run of white space equals any other, and invisible characters count on neither side; all
    else, case included, has to be the same code points. A match may neither begin nor end inside a word or a number:
    "able to pay" is not in "unable to pay", nor "you can" in "you can't", nor "5 days" in "45 days" or "3-5 days".
    """
    wanted = shown(quote)
    if not wanted:
        return
    folded, offsets = _folded(text, start, end)
    for found in _occurrences(wanted, folded):
        if not _cuts(folded, found) and not _cuts(folded, found + len(wanted)):
            yield offsets[found], offsets[found + len(wanted) - 1] + 1


def shown(text: str) -> str:
    """What a reader sees of a text: no invisible characters, single blanks between words, none around."""
    return _folded(text, 0, len(text))[0].strip()


def _folded(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """The visible characters of `text[start:end]` with single blanks between words, and the offset of each."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset in range(start, end):
        character = text[offset]
        if is_invisible(character):
            continue
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        characters.append(character)
        offsets.append(offset)
    return "".join(characters), offsets


def _occurrences(wanted: str, text: str) -> Iterator[int]:
    found = text.find(wanted)
    while found >= 0:
        yield found
        found = text.find(wanted, found + 1)


def _cuts(text: str, at: int) -> bool:
    """Whether the position between `text[at - 1]` and `text[at]` lies inside a word or a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _in_word(before) and _in_word(after):
        return True
    if at > 1 and _joined(text[at - 2], before, after):
        return True
    return at + 1 < len(text) and _joined(before, after, text[at + 1])


def _joined(left: str, joint: str, right: str) -> bool:
    if joint in _NUMBER_JOINTS:
        return left.isdigit() and right.isdigit()
    return joint in _WORD_JOINTS and _in_word(left) and _in_word(right)


def _in_word(character: str) -> bool:
    # Letters without case (Han, kana, Thai …) are mostly written without spaces, so no boundary shows there.
    return character.isdigit() or (character.isalpha() and character.lower() != character.upper())
