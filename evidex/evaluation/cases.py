"""What does one case say in a file? Rows of names and JSON values become cases, checked, and cases become rows."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from evidex.grounding.locate import shown
from evidex.types import Case, DocumentId, Evidence

Row = Mapping[str, object]

_KEYS = (
    *("id", "split", "category", "group", "question", "history", "as", "tenant", "as_of", "filters", "answerable"),
    *("evidence", "withheld", "answer", "nuggets", "annotator", "adjudication"),
)
_EVIDENCE_KEYS = ("document", "grade", "version", "quote", "span")
_BEIR_KEYS = {"_id": "id", "text": "question"}


class NotACase(ValueError):
    """What is wrong with a row, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands at one place of a file: a case, or what keeps it from being one. `id` may be "" and `line` 0."""

    file: Path
    line: int
    id: str
    case: Case | None = None
    problem: str = ""

    def __str__(self) -> str:
        line = f", line {self.line}" if self.line else ""
        return f"{str(self.file)!r}{line}" + (f", case {self.id!r}" if self.id else "")


def entry(row: Row, file: Path, line: int) -> Entry:
    """The case that a row is, or what is wrong with it. A row of BEIR's queries (`_id`, `text`) is one too."""
    id = row.get("id", row.get("_id"))
    name = id if isinstance(id, str) else ""
    try:
        return Entry(file, line, name, replace(case_of(row), line=line))
    except NotACase as error:
        return Entry(file, line, name, problem=str(error))


# --- row to case


def case_of(row: Row) -> Case:
    """The case that a row is. Raises `NotACase` for the first thing in it that cannot be."""
    said = {key: value for key, value in _in_our_names(row).items() if value is not None}
    for key in said:
        if key not in _KEYS:
            _refuse(f"has the unknown key {key!r:.60}; known are {', '.join(_KEYS)}")
    case = Case(
        id=_text(said, "id", required=True),
        question=_text(said, "question", required=True),
        evidence=_evidence(said),
        answerable=_answerable(said),
        answer=_text(said, "answer"),
        nuggets=_texts(said, "nuggets"),
        withheld=tuple(DocumentId(name) for name in _texts(said, "withheld")),
        history=_texts(said, "history"),
        user=_text(said, "as", required=True) if "as" in said else None,
        tenant=_text(said, "tenant", required=True) if "tenant" in said else None,
        as_of=_day(said),
        filters=_filters(said),
        category=_text(said, "category"),
        split=_text(said, "split"),
        group=_text(said, "group"),
        annotator=_text(said, "annotator"),
        adjudication=_text(said, "adjudication"),
    )
    _check_judgments(case)
    return case


def _in_our_names(row: Row) -> Row:
    if "_id" not in row:
        return row
    both = [f"{theirs!r} and {ours!r}" for theirs, ours in _BEIR_KEYS.items() if theirs in row and ours in row]
    if both:
        _refuse(f"has both {both[0]}")
    return {_BEIR_KEYS.get(key, key): value for key, value in row.items() if key != "metadata"}


def _check_judgments(case: Case) -> None:
    places = [(e.document, e.version, e.quote, e.span) for e in case.evidence]
    for number, place in enumerate(places):
        if place in places[:number]:
            _refuse(f"gives the same evidence in {place[0]!r} twice")
    relevant = [e.document for e in case.evidence if e.grade > 0]
    if case.answerable and not relevant:
        _refuse("is answerable but has no evidence of a grade above 0")
    if case.answerable is False and relevant:
        _refuse(f"is not answerable but has evidence in {relevant[0]!r}")
    for document in relevant:
        if document in case.withheld:
            _refuse(f"withholds {document!r}, in which its own evidence stands")


def _evidence(said: Row) -> tuple[Evidence, ...]:
    value = said.get("evidence", [])
    if not isinstance(value, list):
        _refuse_type("evidence", value, 'a list of objects such as {"document": "…", "quote": "…"}')
    return tuple(_one_evidence(item) for item in value)


def _one_evidence(item: object) -> Evidence:
    if not isinstance(item, dict):
        _refuse_type("evidence", item, 'an object such as {"document": "…", "quote": "…"}')
    said = {key: value for key, value in item.items() if value is not None}
    for key in said:
        if key not in _EVIDENCE_KEYS:
            _refuse(f"has evidence with the unknown key {key!r:.60}; known are {', '.join(_EVIDENCE_KEYS)}")
    quote = _text(said, "quote", required="quote" in said)
    if quote and not shown(quote):
        _refuse("has evidence whose quote consists of characters that nobody sees")
    return Evidence(
        document=DocumentId(_text(said, "document", required=True)),
        grade=_grade(said.get("grade", 1)),
        version=_text(said, "version"),
        quote=quote,
        span=_span(said["span"]) if "span" in said else None,
    )


def _grade(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        _refuse_type("grade", value, "a whole number, 0 for what is not relevant and greater for what is")
    return value


def _span(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or not all(type(offset) is int for offset in value):
        _refuse_type("span", value, "[start, end], two offsets in characters")
    start, end = value
    if not 0 <= start < end:
        _refuse(f"has the span {value}, which holds no character")
    return start, end


def _answerable(said: Row) -> bool | None:
    value = said.get("answerable")
    if value is not None and not isinstance(value, bool):
        _refuse_type("answerable", value, "true or false")
    return value


def _day(said: Row) -> date | None:
    if "as_of" not in said:
        return None
    value = said["as_of"]
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:
        _refuse_type("as_of", value, "a day such as 2025-03-01")
    return day


def _filters(said: Row) -> tuple[tuple[str, str], ...]:
    value = said.get("filters", {})
    if not isinstance(value, dict):
        _refuse_type("filters", value, 'an object such as {"language": "en"}')
    return tuple((_checked(field, "filters"), _text(value, field, required=True)) for field in sorted(value))


def _texts(said: Row, key: str) -> tuple[str, ...]:
    value = said.get(key, [])
    if not isinstance(value, list):
        _refuse_type(key, value, "a list of texts")
    return tuple(_text({key: item}, key, required=True) for item in value)


def _text(said: Row, key: str, *, required: bool = False) -> str:
    """The text under a key; a required one holds more than white space."""
    value = said.get(key, "")
    if not isinstance(value, str):
        _refuse_type(key, value, "a text")
    if required and not value.strip():
        _refuse(f"has an empty {key!r}" if key in said else f"has no {key!r}")
    return _checked(value, key)


def _checked(value: str, key: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        _refuse(f"has half a surrogate pair in {key!r}, at character {error.start}")
    return value


def _refuse_type(key: str, value: object, wanted: str) -> NoReturn:
    _refuse(f"has {key!r} {reprlib.repr(value)}, which is not {wanted}")


def _refuse(problem: str) -> NoReturn:
    raise NotACase(problem)


# --- case to row


def row_of(case: Case) -> dict[str, Any]:
    """A case as JSON values, keys in the order that files have them, what is left at its default left out.

    Two cases have equal rows if and only if they are equal, but for `line` and the order of filters.
    """
    said: dict[str, Any] = {
        "id": case.id,
        "split": case.split,
        "category": case.category,
        "group": case.group,
        "question": case.question,
        "history": list(case.history),
        "as": case.user,
        "tenant": case.tenant,
        "as_of": case.as_of and case.as_of.isoformat(),
        "filters": dict(case.filters),
        "answerable": case.answerable,
        "evidence": [_evidence_row(evidence) for evidence in case.evidence],
        "withheld": list(case.withheld),
        "answer": case.answer,
        "nuggets": list(case.nuggets),
        "annotator": case.annotator,
        "adjudication": case.adjudication,
    }
    return {key: value for key, value in said.items() if value is False or value}


def _evidence_row(evidence: Evidence) -> dict[str, Any]:
    said: dict[str, Any] = {"document": evidence.document}
    if evidence.grade != 1:
        said["grade"] = evidence.grade
    said |= {"version": evidence.version} if evidence.version else {}
    said |= {"quote": evidence.quote} if evidence.quote else {}
    return said | ({"span": list(evidence.span)} if evidence.span is not None else {})


def line_of(case: Case) -> str:
    """A case as one line of JSON Lines, with its line feed. Raises `NotACase` for one that could not be read again."""
    row = row_of(case)
    if case_of(row) != replace(case, line=0, filters=tuple(sorted(case.filters))):
        _refuse("says what a file cannot, such as two filters of one field")
    return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
