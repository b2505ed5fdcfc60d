"""Writes the test split of the sample: every wording of a template, filled with every fact that names it.

With --check it writes nothing and exits with 1 if the file is not what it would write. The wordings of one fact share
its id up to the last hyphen, so statistics can count facts instead of wordings.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).parent
FACTS = SCRIPTS / "facts.toml"
SPLIT = SCRIPTS.parent / "evidex" / "sample" / "golden" / "test.jsonl"


def split_from(facts: str) -> str:
    """The lines of the test split, made from the text of facts.toml."""
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


def main(arguments: Sequence[str]) -> int:
    """Write or check the test split; returns the exit code."""
    content = split_from(FACTS.read_text("utf-8")).encode()
    if SPLIT.read_bytes() == content:
        return 0
    if "--check" in arguments:
        print(f"{SPLIT.name} is not up to date; run: python scripts/golden.py", file=sys.stderr)
        return 1
    SPLIT.write_bytes(content)
    print(f"wrote {SPLIT}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
