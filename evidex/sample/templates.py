"""The test split of the golden set: every wording of a template, filled with every fact that names it.

    python -m evidex.sample.templates       writes golden/test.jsonl anew from facts.toml

The wordings of one fact share its id up to the last hyphen, so statistics can count facts instead of wordings.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def split_from(facts: str) -> str:
    """The lines of golden/test.jsonl, made from the text of facts.toml."""
    table = tomllib.loads(facts)
    cases = [case for fact in table["fact"] for case in _cases(fact, table["templates"])]
    return "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)


def _cases(fact: Mapping[str, Any], templates: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    for number, question in enumerate(_questions(fact, templates), start=1):
        yield {
            "id": f"{fact['id']}-{number}",
            "split": "test",
            "category": fact["category"],
            "question": question,
            **_circumstances(fact),
            "answerable": "relevant" in fact,
            "relevant": fact.get("relevant", []),
            "answer": fact.get("answer", ""),
            "origin": "template",
        }


def _questions(fact: Mapping[str, Any], templates: Mapping[str, Sequence[str]]) -> list[str]:
    if "questions" in fact:
        return list(fact["questions"])
    return [_capitalised(template.format(**fact["slots"])) for template in templates[fact["template"]]]


def _capitalised(question: str) -> str:
    return question[:1].upper() + question[1:]


def _circumstances(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Who asks, as of when, and after which turns, where a fact says so."""
    given = {name: fact[name] for name in ("history", "as", "as_of") if name in fact}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in given.items()}


if __name__ == "__main__":
    _lines = split_from(_HERE.joinpath("facts.toml").read_text("utf-8"))
    _HERE.joinpath("golden", "test.jsonl").write_bytes(_lines.encode())
