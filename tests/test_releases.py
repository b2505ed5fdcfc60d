"""Which generation is live: publish, rollback, and what doctor says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evidex.errors import ConfigError, GenerationError
from evidex.types import DocumentId
from evidex.workspace import Workspace

Make = Callable[[str], Workspace]

TOML = '[embedding]\nprovider = "none"\n'


def write(kb: Workspace, text: str) -> Path:
    file = kb.root / "docs" / "policy.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def released(kb: Workspace, text: str) -> str:
    kb.ingest(write(kb, text))
    kb.build()
    return kb.publish().generation


def test_publish_takes_the_generation_that_was_built_last_even_if_it_is_an_old_one(workspace: Make) -> None:
    kb = workspace(TOML)
    first = released(kb, "Thirty days.")
    released(kb, "Forty-five days.")

    again = released(kb, "Thirty days.")

    assert again == first
    assert kb.search("thirty days").chunks


def test_publishing_the_same_generation_again_does_not_use_up_the_way_back(workspace: Make) -> None:
    kb = workspace(TOML)
    first = released(kb, "Thirty days.")
    released(kb, "Forty-five days.")
    kb.publish()

    assert kb.rollback().generation == first


def test_rollback_without_an_earlier_generation_says_so(workspace: Make) -> None:
    kb = workspace(TOML)
    released(kb, "Thirty days.")

    with pytest.raises(GenerationError, match="earlier"):
        kb.rollback()


def test_a_document_that_was_changed_since_the_build_is_said_to_await_one(workspace: Make) -> None:
    kb = workspace(TOML)
    released(kb, "Thirty days.")
    kb.ingest(write(kb, "Forty-five days."))

    ((_, ((stage, reason), *_)),) = kb.explain("days", why_not=["docs/policy.md"]).why_not

    assert stage == "scope"
    assert "evidex build" in reason


def test_another_tenants_document_of_the_same_name_changes_nothing_of_a_why_not(workspace: Make) -> None:
    kb = workspace(TOML)
    released(kb, "---\nid: plan\ntenant: south\n---\nThirty days.")
    file = kb.root / "docs" / "own.md"
    file.write_text("---\nid: plan\n---\nForty-five days.", "utf-8")
    kb.ingest(file)

    ((_, ((_, reason), *_)),) = kb.explain("days", why_not=[DocumentId("plan")]).why_not

    assert "evidex build" in reason


def test_doctor_sees_settings_with_which_no_question_can_be_answered(workspace: Make) -> None:
    kb = workspace(TOML)
    released(kb, "Thirty days.")
    broken = workspace(f'{TOML}[reranking]\nmethod = "late"\n')

    assert [finding.severity for finding in broken.doctor()] == ["error"]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_an_error(workspace: Make, limit: int) -> None:
    kb = workspace(TOML)
    released(kb, "Thirty days.")

    with pytest.raises(ConfigError, match=str(limit)):
        kb.search("days", limit=limit)
