from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evidex.errors import ConfigError
from evidex.evaluation.golden import read_golden
from evidex.evaluation.proposals import add_proposal, confirm, proposals_path, propose, read_proposals
from evidex.trace import Trace
from evidex.types import Case, DocumentId, Evidence, GenerationId

TRACE = Trace(GenerationId("g"), "Who pays?")
EVIDENCE = (Evidence(DocumentId("d"), quote="the buyer pays"),)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "golden.jsonl"
    path.write_text('{"question":"What?",   "id":"a"}', "utf-8")
    return path


def proposal(note: str = "") -> Case:
    return propose(TRACE, evidence=EVIDENCE, answerable=True, answer="The buyer.", note=note)


def test_a_proposal_asks_what_was_asked_and_says_that_nobody_confirmed_it() -> None:
    case = proposal("a user complained")
    assert (case.question, case.evidence, case.answerable, case.answer) == ("Who pays?", EVIDENCE, True, "The buyer.")
    assert (case.adjudication, case.annotator) == ("proposed: a user complained", "")
    assert proposal().adjudication == "proposed"


def test_a_proposal_is_for_the_split_slice_and_fact_that_it_is_said_to_be_for() -> None:
    case = propose(TRACE, evidence=(), answerable=False, split="dev", category="fees", group="g")
    assert (case.split, case.category, case.group) == ("dev", "fees", "g")


def test_the_same_proposal_has_the_same_id_in_any_generation_and_another_has_another() -> None:
    elsewhere = propose(
        replace(TRACE, generation=GenerationId("h")), evidence=EVIDENCE, answerable=True, answer="The buyer."
    )
    assert elsewhere.id == proposal().id
    assert propose(TRACE, evidence=(), answerable=False).id != proposal().id


def test_a_confirmed_proposal_moves_into_the_golden_set_and_leaves_the_other_rows_byte_for_byte(golden: Path) -> None:
    before = golden.read_bytes()
    case, other = proposal("a complaint"), propose(TRACE, evidence=(), answerable=False)
    assert add_proposal(golden, case) == add_proposal(golden, other) == golden.with_name("golden.proposed.jsonl")
    assert len(read_golden(golden).cases) == 1
    confirmed = confirm(golden, case.id, "ann")
    assert confirmed == replace(case, annotator="ann", adjudication="confirmed: a complaint")
    assert golden.read_bytes().startswith(before + b"\n")
    assert [(found.id, found.line) for found in read_golden(golden).cases] == [("a", 1), (case.id, 2)]
    assert [found.id for found in read_proposals(golden)] == [other.id]
    assert confirm(golden, other.id, "ann").adjudication == "confirmed"
    assert not proposals_path(golden).exists()


def test_a_golden_file_begins_with_its_first_confirmed_proposal(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    add_proposal(path, proposal())
    confirm(path, proposal().id, "ann")
    assert [case.id for case in read_golden(path).cases] == [proposal().id]


def test_nothing_is_proposed_or_confirmed_twice(golden: Path) -> None:
    add_proposal(golden, proposal())
    with pytest.raises(ConfigError, match="already proposed"):
        add_proposal(golden, proposal())
    with pytest.raises(ConfigError, match="has a case 'a' already"):
        add_proposal(golden, replace(proposal(), id="a"))
    confirm(golden, proposal().id, "ann")
    with pytest.raises(ConfigError, match=r"no proposal .* Proposed: none"):
        confirm(golden, proposal().id, "ann")
    add_proposal(golden.with_name("other.jsonl"), replace(proposal(), id="a"))
    proposals_path(golden.with_name("other.jsonl")).rename(proposals_path(golden))
    with pytest.raises(ConfigError, match="has a case 'a' already"):
        confirm(golden, "a", "ann")


def test_a_confirmation_that_was_stopped_between_its_two_files_goes_on(golden: Path) -> None:
    add_proposal(golden, proposal())
    proposed = proposals_path(golden).read_bytes()
    confirm(golden, proposal().id, "ann")
    after = golden.read_bytes()
    proposals_path(golden).write_bytes(proposed)
    confirm(golden, proposal().id, "ann")
    assert golden.read_bytes() == after
    assert not proposals_path(golden).exists()


def test_who_confirms_has_a_name_and_a_file_gets_the_case(golden: Path) -> None:
    add_proposal(golden, proposal())
    with pytest.raises(ConfigError, match="annotator"):
        confirm(golden, proposal().id, " ")
    with pytest.raises(ConfigError, match="not a JSON Lines file"):
        confirm(golden.parent, proposal().id, "ann")
