"""What programs read: every command's `--json` is one object of the documented shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click
import pytest

from tests.cli.conftest import QUESTION
from tests.cli.test_main import COMMANDS
from tests.commands import Done

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
WORDS = {
    "init": ("new",),
    "ingest": ("docs",),
    "build": (),
    "plan": (),
    "publish": (),
    "rollback": (),
    "generations": (),
    "documents": (),
    "show": ("refund-3",),
    "search": (QUESTION,),
    "ask": (QUESTION,),
    "explain": (QUESTION, "--why-not", "gateway.md"),
    "golden check": ("golden.jsonl",),
    "golden add": ("golden.jsonl", "--trace", "{trace}", "--document", "refund-3", "--quote", "45 days of purchase"),
    "golden confirm": ("golden.jsonl", "asked", "--annotator", "ann"),
    "eval run": ("golden.jsonl",),
    "eval score": ("run.txt", "golden.jsonl"),
    "eval compare": ("{run}", "latest"),
    "eval report": (),
    "eval runs": (),
    "eval sweep": ("golden.jsonl", "--vary", "fusion.k=10", "--vary", "fusion.method=rrf"),
    "diagnose": ("golden.jsonl",),
    "why": (QUESTION, "--expected", "45 days of purchase"),
    "plot": ("bm25-curves",),
    "doctor": (),
    "config show": (),
}
"""Words after each command that make it succeed in the small knowledge base."""


def sections(level: str) -> dict[str, dict[str, str]]:
    """The fields below each heading of that level, with what the page says they are."""
    parts = re.split(rf"^{level} (.+)$", PAGE, flags=re.MULTILINE)[1:]
    return {
        heading: dict(re.findall(r"^- `(\w+)`: (.+)$", body, flags=re.MULTILINE))
        for heading, body in zip(parts[::2], parts[1::2], strict=True)
    }


SHAPES = {heading.strip("`"): fields for heading, fields in sections("##").items() if heading.startswith("`")}
DOCUMENTED = {
    command.strip().removeprefix("evidex "): (schema, fields)
    for heading, fields in sections("##").items()
    if heading.startswith("evidex ")
    for names, schema in [re.fullmatch(r"(.+): `(.+)`", heading).groups()]  # type: ignore[union-attr]
    for command in names.split(",")
}


def fits(value: Any, described: str) -> bool:
    """Whether a JSON value is what the page says."""
    if described.endswith(" or null"):
        return value is None or fits(value, described.removesuffix(" or null"))
    if entries := re.fullmatch(r"list of (.+)", described):
        return isinstance(value, list) and all(fits(entry, entries[1]) for entry in value)
    if entries := re.fullmatch(r"object from string to (.+)", described):
        return isinstance(value, dict) and all(fits(entry, entries[1]) for entry in value.values())
    if entries := re.fullmatch(r"\[([^,]+), (.+)\]", described):
        return isinstance(value, list) and len(value) == 2 and all(map(fits, value, entries.groups()))
    if " or " in described:
        return any(fits(value, one) for one in described.split(" or "))
    if described.strip("`") in SHAPES:
        return of_shape(value, SHAPES[described.strip("`")])
    return SIMPLE[described](value) if described in SIMPLE else described == f'`"{value}"`'


SIMPLE: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "date": lambda value: isinstance(value, str) and str(date.fromisoformat(value)) == value,
    "any": lambda value: True,
}


def of_shape(value: Any, fields: dict[str, str]) -> bool:
    """Whether an object has exactly these fields, in this order, each what the page says."""
    assert isinstance(value, dict) and list(value) == list(fields), (list(value), list(fields))
    wrong = [name for name, described in fields.items() if not fits(value[name], described)]
    assert wrong == [], (wrong, value)
    return True


def test_every_command_that_prints_json_is_tried_and_documented() -> None:
    able = {name for name, command in COMMANDS.items() if any("--json" in option.opts for option in command.params)}

    assert able == {name for name, command in COMMANDS.items() if not isinstance(command, click.Group)}
    assert able == set(WORDS) == set(DOCUMENTED)


@pytest.mark.parametrize("name", WORDS)
def test_json_is_one_object_of_the_documented_shape(name: str, run_in: Callable[..., Done]) -> None:
    schema, fields = DOCUMENTED[name]

    words = WORDS[name]
    if "{trace}" in words:
        trace = run_in("ask", QUESTION, "--json").json["trace_id"]
        words = tuple(trace if word == "{trace}" else word for word in words)
    if "{run}" in words:
        run = run_in("eval", "runs", "--json").json["runs"][0]["id"]
        words = tuple(run if word == "{run}" else word for word in words)

    done = run_in(*name.split(), *words, "--json")

    assert (done.code, done.err) == (0, "")
    assert next(iter(done.json)) == "schema"
    assert done.json["schema"] == schema
    assert of_shape(done.json, {"schema": "string", **fields})


@pytest.mark.parametrize("name", ["search", "ask", "explain"])
def test_a_question_without_an_answer_has_the_same_shape(name: str, run_in: Callable[..., Done]) -> None:
    done = run_in(name, "zzz qqq xyzzy", "--json")

    assert of_shape(done.json, {"schema": "string", **DOCUMENTED[name][1]})


def test_a_past_question_is_explained_in_the_same_shape_without_its_answer(run_in: Callable[..., Done]) -> None:
    asked = run_in("ask", QUESTION, "--json").json

    explained = run_in("explain", "--trace", asked["trace_id"], "--json")

    assert of_shape(explained.json, {"schema": "string", **DOCUMENTED["explain"][1]})
    assert explained.json["answer"] is None
    assert explained.json["trace"]["question"] == QUESTION


def test_json_holds_what_any_language_writes_as_it_is(run_in: Callable[..., Done], kb: Path) -> None:
    (kb / "docs" / "ja.md").write_text("返品は三十日以内にお願いします。 Ça va \U0001f600", "utf-8")

    run_in("ingest", "docs")

    assert "返品は三十日以内" in run_in("show", "docs/ja.md", "--json").out
