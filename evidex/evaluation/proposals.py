"""How does a question of a user become a case? It is proposed from its trace, then confirmed by a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evidex.errors import ConfigError
from evidex.evaluation.cases import row_of
from evidex.evaluation.golden import PROPOSED, golden_line, read_golden, write_golden
from evidex.storage import Folder, digest_of
from evidex.trace import Trace
from evidex.types import Case, Evidence

_PROPOSED = "proposed"
_CONFIRMED = "confirmed"


def propose(
    trace: Trace,
    *,
    evidence: Sequence[Evidence],
    answerable: bool | None,
    answer: str = "",
    split: str = "",
    category: str = "",
    group: str = "",
    note: str = "",
) -> Case:
    """A case from the question of a kept trace. Its id is a digest of what it says, so the same proposal has the same.

    `note` says why; it stands behind `proposed:` in the adjudication.
    """
    case = Case(
        id="",
        question=trace.question,
        evidence=tuple(evidence),
        answerable=answerable,
        answer=answer,
        split=split,
        category=category,
        group=group,
        adjudication=f"{_PROPOSED}: {note}" if note else _PROPOSED,
    )
    return replace(case, id=f"asked-{digest_of(row_of(case))[:12]}")


def proposals_path(golden: Path) -> Path:
    """The file beside a golden file (or folder) that holds what is proposed for it."""
    return golden.with_name(golden.name.removesuffix(".jsonl") + PROPOSED)


def read_proposals(golden: Path) -> tuple[Case, ...]:
    """What is proposed for a golden file, by id; () where nothing is. Raises `ConfigError` like `read_golden`."""
    path = proposals_path(golden)
    return read_golden(path).cases if path.exists() else ()


def add_proposal(golden: Path, case: Case) -> Path:
    """Add a case to the proposals for a golden file; returns their file.

    Raises `ConfigError` for an id that is proposed already or is that of a case of the golden set.
    """
    path = proposals_path(golden)
    if case.id in {other.id for other in read_proposals(golden)}:
        raise ConfigError(f"Case {case.id!r} is already proposed in {str(path)!r}.", "Confirm it, or remove its line.")
    _refuse_known(golden, case.id)
    _append(path, case)
    return path


def confirm(golden: Path, id: str, annotator: str) -> Case:
    """Move a proposal into its golden file, with who confirms it; returns the case as it stands there.

    The golden file is written before the proposal is taken away: stopped in between, the same call goes on. Raises
    `ConfigError` for an id that is not proposed or that another case of the golden set has, for an empty annotator, and
    for a golden set that is not a JSON Lines file.
    """
    if not annotator.strip():
        raise ConfigError("Nobody is named who confirms the case.", "Name an annotator.")
    if golden.is_dir() or golden.suffix.lower() != ".jsonl":
        raise ConfigError(f"{str(golden)!r} is not a JSON Lines file.", "Name the file that gets the case.")
    proposals = read_proposals(golden)
    proposal = next((case for case in proposals if case.id == id), None)
    if proposal is None:
        there = ", ".join(case.id for case in proposals) or "none"
        raise ConfigError(f"There is no proposal {id!r} in {str(proposals_path(golden))!r}.", f"Proposed: {there}.")
    note = proposal.adjudication.removeprefix(_PROPOSED)
    case = replace(proposal, annotator=annotator, adjudication=f"{_CONFIRMED}{note}", line=0)
    if case not in _cases(golden):
        _refuse_known(golden, id)
        _append(golden, case)
    _take_away(golden, proposals, id)
    return case


def _cases(golden: Path) -> tuple[Case, ...]:
    if not golden.exists() or (golden.is_file() and not golden.read_bytes().strip()):
        return ()
    return tuple(replace(case, line=0) for case in read_golden(golden).cases)


def _refuse_known(golden: Path, id: str) -> None:
    if id in {case.id for case in _cases(golden)}:
        raise ConfigError(f"The golden set {str(golden)!r} has a case {id!r} already.", "Mend or remove one of them.")


def _append(path: Path, case: Case) -> None:
    """Add a line to a file, which keeps the others byte for byte, as a whole or not at all."""
    before = path.read_bytes() if path.exists() else b""
    joint = b"\n" if before and not before.endswith(b"\n") else b""
    Folder(path.parent).write(path.name, before + joint + golden_line(case).encode())


def _take_away(golden: Path, proposals: tuple[Case, ...], id: str) -> None:
    path = proposals_path(golden)
    left = sorted((case for case in proposals if case.id != id), key=lambda case: case.line)
    if left:
        write_golden(path, left)
    else:
        path.unlink()
