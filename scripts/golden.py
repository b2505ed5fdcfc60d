"""Writes the test split of the sample: every wording of a template, filled with every fact that names it.

With --check it writes nothing and exits with 1 if the file is not what it would write. The wordings of one fact are a
group, named by its id, so statistics can count facts instead of wordings.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from evidex.evaluation.cases import case_of, line_of

SCRIPTS = Path(__file__).parent
FACTS = SCRIPTS / "facts.toml"
SPLIT = SCRIPTS.parent / "evidex" / "sample" / "golden" / "test.jsonl"

_SAID = ("history", "as", "as_of", "evidence", "withheld", "answer")


def split_from(facts: str) -> str:
    """The lines of the test split, made from the text of facts.toml."""
    table = tomllib.loads(facts)
    rows = (row for fact in table["fact"] for row in _rows(fact, table["templates"]))
    return "".join(line_of(case_of(row)) for row in rows)


def _rows(fact: Mapping[str, Any], templates: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    for number, question in enumerate(_questions(fact, templates), start=1):
        yield {
            "id": f"{fact['id']}-{number}",
            "split": "test",
            "category": fact["category"],
            "group": fact["id"],
            "question": question,
            "answerable": "evidence" in fact,
            **{name: _as_json(fact[name]) for name in _SAID if name in fact},
        }


def _questions(fact: Mapping[str, Any], templates: Mapping[str, Sequence[str]]) -> list[str]:
    if "questions" in fact:
        return list(fact["questions"])
    return [_capitalised(template.format(**fact["slots"])) for template in templates[fact["template"]]]


def _capitalised(question: str) -> str:
    return question[:1].upper() + question[1:]


def _as_json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


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
