from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from evidex.sample.templates import split_from


@pytest.fixture(scope="session")
def facts(sample: Path) -> dict[str, Any]:
    return tomllib.loads((sample / "facts.toml").read_text("utf-8"))


def test_the_test_split_is_what_the_templates_make_of_the_facts(sample: Path) -> None:
    committed = (sample / "golden" / "test.jsonl").read_bytes()
    assert split_from((sample / "facts.toml").read_text("utf-8")).encode() == committed


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
