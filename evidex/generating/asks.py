"""What kind of answer does a question want: a number, a date, a person, a place, steps, a reason? English only.

A hint, not a rule: a question of another language or of no known kind wants nothing in particular.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = (
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|hundred|thousand|million|billion|half"
    r"|once|twice|hourly|daily|weekly|monthly|yearly|never|always|every|unlimited|no limit)\b"
)
_MONTH = r"(january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = r"(mon|tues|wednes|thurs|fri|satur|sun)day"
_NAME = r"(?<=[\w,;)] )[A-Z]\w+"
_ACTION = (
    r"(add|apply|ask|assign|call|cancel|change|check|choose|click|complete|configure|confirm|connect|contact|copy|create"
    r"|delete|disable|download|email|enable|enroll?|enter|export|fill|follow|forward|generate|go|import|include|install"
    r"|keep|log|make|move|navigate|open|pass|pick|press|provide|put|read|register|remove|report|request|reset|restart"
    r"|retry|return|review|run|save|scan|see|select|send|set|sign|start|stop|submit|switch|synchroni[sz]e|tap|turn|type"
    r"|update|upgrade|upload|use|verify|visit|wait|write)"
)


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """One kind of answer, and two regular expressions: how it is asked for, and what sentences that give it hold."""

    name: str
    asked: str
    given: str


KINDS = (
    AnswerKind(
        "amount",
        asked=r"\bhow (many|much|long|often|far|old|large|big|high|fast|soon|late|quickly)\b"
        r"|\bwhat (percentage|percent|number|amount)\b"
        r"|\b(default|maximum|minimum|total) (number|amount|size|length|limit|port|value)\b|\bnumber of\b",
        given=rf"(?i:{_NUMBER})",
    ),
    AnswerKind(
        "time",
        asked=r"\bwhen\b|\b(what|which) (date|day|year|month|time|century|decade)\b",
        given=rf"(?i:{_NUMBER}|\b{_MONTH}\b|\b{_DAY}\b|\b(after|before|until|during|within|since)\b)",
    ),
    AnswerKind(
        "person",
        asked=r"\bwho(m|se)?\b",
        given=rf"{_NAME}|(?i:\b(team|manager|department|owner|administrator|officer|director|head)s?\b)",
    ),
    AnswerKind(
        "place",
        asked=r"\bwhere\b|\b(what|which) (country|city|place|page|menu|folder|building|room)\b",
        given=rf"{_NAME}|\w > \w|→|https?://|(?i:\b(page|menu|tab|folder|section|portal|floor|room)\b)",
    ),
    AnswerKind(
        "steps",
        asked=r"\bhow (do|can|should|could|would|must) (i|we|you|one)\b|\bhow to\b|\bwhat (do|should|must) (i|we) do\b",
        given=rf"(?i:(^|[.,;:] |\b(then|to|or|and) ){_ACTION}\b|\b(must|should|can)\b)|\w > \w|→",
    ),
    AnswerKind(
        "reason",
        asked=r"\bwhy\b|\bwhat (causes?|caused)\b|\bfor what reason\b",
        given=r"(?i:\b(because|since|due to|so that|therefore|as a result|caus\w+|in order to|reasons?|means?)\b)",
    ),
)


def wanted(question: str) -> AnswerKind | None:
    """The kind of answer that a question wants: the one that it names first, or None."""
    found = [
        (match.start(), kind.name, kind) for kind in KINDS if (match := re.search(kind.asked, question, re.IGNORECASE))
    ]
    return min(found, key=lambda each: each[:2])[2] if found else None


def gives(kind: AnswerKind | None, sentence: str) -> bool | None:
    """Whether a sentence looks like an answer of a kind; None where nothing in particular is wanted."""
    return None if kind is None else re.search(kind.given, sentence) is not None
