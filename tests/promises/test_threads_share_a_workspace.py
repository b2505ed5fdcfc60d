"""A workspace that several threads ask gives each the answer it would have got alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from evidex.encoding import as_json
from evidex.workspace import Workspace
from tests.promises.conftest import USERS, WORDS, library, pages


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with library(tmp_path_factory.mktemp("threads"), pages()) as workspace:
        yield workspace


def test_threads_that_ask_for_different_people_do_not_mix_what_they_may_read(kb: Workspace) -> None:
    asked = [(user, f"{first} {second}") for user in USERS for first, second in zip(WORDS, WORDS[3:], strict=False)]
    alone = [as_json(kb.ask(text, user=user).answer) for user, text in asked]

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda pair: as_json(kb.ask(pair[1], user=pair[0]).answer), asked * 3))

    assert together == alone * 3


def test_ingesting_while_others_ask_loses_no_question(kb: Workspace) -> None:
    folder = kb.root / "docs"
    page = next(page for page in pages() if page.readable_by("ann"))

    def ask(number: int) -> bool:
        if number % 5 == 0:
            (folder / f"{page.id}.md").write_text(page.file.replace("[all]", f"[all, n{number}]"), "utf-8")
            kb.ingest(folder / f"{page.id}.md")
        return bool(kb.search("refund window", user="ann").ledger)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(ask, range(40)))
