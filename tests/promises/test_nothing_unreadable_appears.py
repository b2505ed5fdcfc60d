"""Promises 1 and 2: what an asker may not see appears nowhere, and its absence would change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.encoding import as_json
from evidex.errors import ConfigError
from evidex.workspace import Workspace
from tests.promises.conftest import USERS, WORDS, Page, library, pages

questions = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
days = st.sampled_from([None, date(2024, 6, 1), date(2023, 1, 1), date(2026, 12, 31), date(2027, 12, 1)])


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with library(tmp_path_factory.mktemp("all"), pages()) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def readable_only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Workspace]]:
    made = {
        user: library(tmp_path_factory.mktemp(user), tuple(page for page in pages() if page.readable_by(user)))
        for user in USERS
    }
    yield made
    for workspace in made.values():
        workspace.close()


def in_force(page: Page, day: date) -> bool:
    began = not page.begins or date.fromisoformat(page.begins) <= day
    ended = page.ends and date.fromisoformat(page.ends) <= day
    return began and not ended and not page.retired


@given(text=questions, user=st.sampled_from(USERS), day=days)
def test_a_page_that_is_unreadable_retired_or_not_in_force_appears_nowhere(
    everything: Workspace, text: str, user: str, day: date | None
) -> None:
    hidden = [page for page in pages() if not page.readable_by(user) or not in_force(page, day or everything.today)]

    found = everything.explain(text, user=user, as_of=day)

    printed = json.dumps(as_json([found.trace, found.ledger, found.answer]))
    assert [page.id for page in hidden if page.id in printed] == []


@given(text=questions, user=st.sampled_from(USERS), day=days)
def test_removing_what_an_asker_may_not_read_changes_nothing_for_them(
    everything: Workspace, readable_only: dict[str, Workspace], text: str, user: str, day: date | None
) -> None:
    here, there = (w.explain(text, user=user, as_of=day) for w in (everything, readable_only[user]))

    assert as_json(here.ledger) == as_json(there.ledger)
    assert as_json(here.answer) == as_json(there.answer)
    assert [record.notes for record in here.trace.stages] == [record.notes for record in there.trace.stages]


@given(user=st.sampled_from(USERS))
def test_a_reader_lists_only_what_they_may_read(everything: Workspace, user: str) -> None:
    assert {record.id for record in everything.documents(user=user)} == {p.id for p in pages() if p.readable_by(user)}


def test_an_unreadable_page_is_spoken_of_exactly_as_one_that_does_not_exist(everything: Workspace) -> None:
    unreadable = next(page.id for page in pages() if not page.readable_by("bob"))

    def sentences(id: str) -> tuple[str, str]:
        with pytest.raises(ConfigError) as error:
            everything.show(id, user="bob")
        ((_, ((stage, sentence), *_)),) = everything.explain("refund", user="bob", why_not=[id]).why_not
        return str(error.value).replace(id, "ID"), f"{stage} {sentence}".replace(id, "ID")

    assert sentences(unreadable) == sentences("no-such-page")


def test_a_revoked_reader_loses_a_page_at_the_next_question(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("revoked")
    with library(folder, pages()) as workspace:
        page = next(
            p for p in pages() if p.readable_by("ann") and p.readers == ("hr",) and in_force(p, workspace.today)
        )
        before = workspace.search(page.text, user="ann")
        file = folder / "docs" / f"{page.id}.md"
        file.write_text(file.read_text("utf-8").replace("readers: [hr]", "readers: [finance]"), "utf-8")
        workspace.ingest(file)

        after = workspace.search(page.text, user="ann")

    assert page.id in {chunk.document for chunk in before.chunks}
    assert page.id not in {chunk.document for chunk in after.chunks}


def test_a_deleted_page_is_gone_at_the_next_question_and_no_rollback_brings_it_back(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("deleted")
    with library(folder, pages()) as workspace:
        page = next(p for p in pages() if p.readable_by("ann") and in_force(p, workspace.today))
        (folder / "docs" / f"{page.id}.md").unlink()
        workspace.ingest(folder / "docs", sync=True)
        at_once = workspace.explain(page.text, user="ann")
        workspace.publish(workspace.build().id)
        workspace.rollback()
        rolled_back = workspace.explain(page.text, user="ann")

    assert page.id not in {candidate.document for candidate in at_once.ledger}
    assert page.id not in {candidate.document for candidate in rolled_back.ledger}
