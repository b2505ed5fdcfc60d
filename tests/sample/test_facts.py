from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scripts.golden import FACTS, SPLIT, main, split_from


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    return tomllib.loads(FACTS.read_text("utf-8"))


def test_the_test_split_that_ships_is_what_the_templates_make_of_the_facts(sample: Path) -> None:
    assert sample / "golden" / "test.jsonl" == SPLIT
    assert split_from(FACTS.read_text("utf-8")).encode() == SPLIT.read_bytes()
    assert main(["--check"]) == 0


def test_what_makes_the_split_does_not_ship(sample: Path) -> None:
    assert sorted(path.name for path in sample.iterdir() if path.suffix in {".toml", ".py"}) == [
        "__init__.py",
        "synonyms.toml",
    ]


def test_a_fact_is_asked_in_three_to_six_wordings(facts: dict[str, Any]) -> None:
    for fact in facts["fact"]:
        wordings = fact.get("questions") or facts["templates"][fact["template"]]
        assert 3 <= len(wordings) <= 6, fact["id"]


def test_a_fact_names_a_template_or_words_its_questions_itself(facts: dict[str, Any]) -> None:
    assert all(("template" in fact) == ("slots" in fact) != ("questions" in fact) for fact in facts["fact"])


def test_every_template_is_used(facts: dict[str, Any]) -> None:
    assert {fact["template"] for fact in facts["fact"] if "template" in fact} == set(facts["templates"])


def test_a_wording_that_begins_with_a_slot_begins_with_a_capital_letter() -> None:
    facts = (
        '[templates]\nplain = ["{what} is late"]\n[[fact]]\nid = "late"\ncategory = "paraphrase"\ntemplate = "plain"\n'
    )
    assert '"question": "My order is late"' in split_from(facts + 'slots = { what = "my order" }\n')
