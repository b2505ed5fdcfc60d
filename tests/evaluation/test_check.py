from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

import evidex
from evidex.evaluation.check import check_against
from evidex.evaluation.golden import GoldenSet, read_golden
from evidex.evaluation.resolve import resolve
from evidex.judging import System
from evidex.types import Case, DocumentId, Evidence
from evidex.workspace import Workspace
from tests.conftest import NOON

TOML = '[access]\nmode = "enforced"\n[access.users.pat]\ntenant = "partner"\n[embedding]\nprovider = "lsa"\n'
PAGES = {
    "fees": "The fee is five dollars. Members pay no fee.\n",
    "rules": "Bring a badge. Bring a badge on Mondays too. Leave by six.\n",
    "gone": "The pool opens at seven.\n",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Two documents in force; `fees` once said four dollars, and `gone` is deleted."""
    folder = tmp_path_factory.mktemp("check") / "kb"
    docs = folder / "docs"
    docs.mkdir(parents=True)
    (folder / "evidex.toml").write_text(TOML, "utf-8")
    with evidex.open(folder, now=lambda: NOON) as opened:
        for name, text in PAGES.items():
            (docs / f"{name}.txt").write_text(text.replace("five", "four"), "utf-8")
        opened.ingest(docs, sync=True)
        (docs / "fees.txt").write_text(PAGES["fees"], "utf-8")
        (docs / "gone.txt").unlink()
        opened.ingest(docs, sync=True)
        opened.publish(opened.build().id)
        yield opened


@pytest.fixture(scope="module")
def system(kb: Workspace) -> System:
    return kb.system()


@pytest.fixture(scope="module")
def named(kb: Workspace) -> Callable[[str], DocumentId]:
    ids = {Path(id).stem: id for id in kb.system().documents()}
    return lambda name: ids.get(name, DocumentId(name))


def case(*evidence: Evidence, **more: object) -> Case:
    return Case("a", "What?", evidence, line=7, **more)  # type: ignore[arg-type]


def problems(system: System, one: Case) -> tuple[str, ...]:
    return check_against(GoldenSet("kb", (one,)), system)


def test_the_golden_set_of_the_sample_speaks_of_the_sample(sample_folder: Path) -> None:
    with evidex.open(sample_folder, now=lambda: NOON) as kb:
        golden, system = read_golden(sample_folder / "golden"), kb.system()
        assert check_against(golden, system) == ()
        assert [gone for one in golden.cases for gone in resolve(one, system).turnover] == []


def test_words_spans_and_whole_documents_that_are_there_are_right(
    system: System, named: Callable[[str], DocumentId]
) -> None:
    evidence = (
        Evidence(named("fees"), quote="five  dollars"),
        Evidence(named("rules"), quote="Bring a badge", span=(0, 13)),
        Evidence(named("rules"), span=(0, 5)),
        Evidence(named("fees")),
    )
    assert problems(system, case(*evidence)) == ()


def test_a_document_that_never_was_is_wrong_and_named_with_line_and_id(system: System) -> None:
    (sentence,) = problems(system, case(Evidence(DocumentId("lost"))))
    assert sentence == "Case 'a' (line 7): there has never been a document 'lost' in the tenant of its asker."


def test_a_misspelt_document_is_named_with_the_one_that_is_meant(
    system: System, named: Callable[[str], DocumentId]
) -> None:
    (sentence,) = problems(system, case(Evidence(DocumentId(f"{named('fees')}s"))))
    assert sentence.endswith(f"in the tenant of its asker. Is it {named('fees')!r}?")


def test_words_that_stand_in_no_version_are_wrong(system: System, named: Callable[[str], DocumentId]) -> None:
    (sentence,) = problems(system, case(Evidence(named("fees"), quote="six dollars")))
    assert re.fullmatch(r"Case 'a' \(line 7\): 'six dollars' stands in no version of '.*fees.*'\.", sentence)
    (sentence,) = problems(system, case(Evidence(named("fees"), span=(0, 4_000))))
    assert "the span (0, 4000) is in no version" in sentence


def test_a_version_that_never_was_is_wrong(system: System, named: Callable[[str], DocumentId]) -> None:
    (sentence,) = problems(system, case(Evidence(named("fees"), version="9")))
    assert "there has never been a version '9'" in sentence


def test_words_that_occur_twice_are_wrong_and_told_once(system: System, named: Callable[[str], DocumentId]) -> None:
    (sentence,) = problems(system, case(Evidence(named("rules"), quote="Bring a badge")))
    assert sentence.startswith("Case 'a' (line 7): 'Bring a badge' occurs 2 times in ")
    assert sentence.count("Case 'a'") == 1


def test_what_the_corpus_has_moved_on_from_is_turnover_and_not_wrong(
    system: System, named: Callable[[str], DocumentId]
) -> None:
    moved_on = case(Evidence(named("fees"), quote="four dollars"), Evidence(named("gone"), quote="opens at seven"))
    assert problems(system, moved_on) == ()
    assert len(resolve(moved_on, system).turnover) == 2


def test_a_withheld_document_has_to_be_there_in_whatever_tenant(
    system: System, named: Callable[[str], DocumentId]
) -> None:
    assert problems(system, case(withheld=(named("rules"),), user="pat")) == ()
    (sentence,) = problems(system, case(withheld=(DocumentId("lost"),)))
    assert sentence == "Case 'a' (line 7): there has never been a document 'lost', which it withholds."


def test_an_asker_sees_the_documents_of_one_tenant(system: System, named: Callable[[str], DocumentId]) -> None:
    (sentence,) = problems(system, case(Evidence(named("fees")), user="pat"))
    assert "in the tenant of its asker" in sentence


def test_an_asker_that_there_is_not_is_wrong_but_a_day_that_the_generation_does_not_hold_is_not(
    system: System,
) -> None:
    (sentence,) = problems(system, case(user="nobody"))
    assert sentence.startswith("Case 'a' (line 7): There is no user 'nobody'.")
    assert problems(system, case(as_of=date(2020, 1, 1))) == ()
