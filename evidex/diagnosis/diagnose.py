"""What went wrong with these cases, and what to mend first? Each is asked, judged, and if it failed, walked."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar, get_args

from evidex.diagnosis.inquiry import Inquiry, Need, needs_of
from evidex.diagnosis.judge import Judgment, judge
from evidex.diagnosis.substitutions import confirmation, is_confirmed
from evidex.diagnosis.taxonomy import BOUNDARIES, TYPES
from evidex.diagnosis.verdict import CaseVerdict, Diagnosis, Fix, Rerun, Status, Step, Verdict
from evidex.errors import EvidexError
from evidex.judging import Substitution, System
from evidex.types import Case, DocumentId, Draft

Name = TypeVar("Name", bound=str)

ONE_QUESTION = "why"
"""The id of a case that is made for one question, and is in no golden set."""

_UNASKED = Draft(abstention="Only what was found is judged, so no answer was asked for.")


def diagnose(
    cases: Iterable[Case],
    system: System,
    *,
    confirm: bool = False,
    progress: Callable[[int, int], None] = lambda done, whole: None,  # noqa: ARG005
) -> Diagnosis:
    """Ask every case once, name what lost those that failed, and group that. A question that raises is a row.

    Verdicts at B10 to B12 are confirmed by one or two reruns each, and with `confirm` those before by one, where
    there is something to put in. `progress` is told how many of how many cases are done.
    """
    ordered = sorted(cases, key=lambda case: case.id)
    rows: list[CaseVerdict] = []
    for number, case in enumerate(ordered, start=1):
        rows.append(diagnose_case(case, system, confirm=confirm))
        progress(number, len(ordered))
    return _grouped(tuple(rows), system)


def diagnose_case(case: Case, system: System, *, confirm: bool = False, any_of: bool = False) -> CaseVerdict:
    """Ask one case and say how it went. With `any_of`, any of its evidence is enough."""
    try:
        needs = needs_of(case, system, any_of=any_of)
        outcome = system.outcome(case, Substitution(draft=_UNASKED) if case.answerable is None else Substitution())
        inquiry = Inquiry(case, needs, outcome, system)
        judgment = judge(inquiry)
        row = _row(inquiry, judgment)
        if judgment.lost is None:
            return row
        reruns = confirmation(inquiry, judgment.lost, confirm=confirm)
        return _with_verdict(row, case, judgment.lost, reruns=reruns)
    except EvidexError as error:
        return CaseVerdict(case.id, case.question, case.category, _expected(case, ()), "", "error", str(error))


def verdict_of(case: Case, lost: Step) -> Verdict:
    """The verdict that a boundary's finding amounts to."""
    finding = lost.finding
    assert finding.type is not None
    kind = TYPES[finding.type]
    document = _document(case, finding.evidence)
    question = shlex.quote(case.question)
    again = f"evidex diagnose GOLDEN --case {shlex.quote(case.id)}"
    if case.id == ONE_QUESTION:
        again = f"evidex why {question} --expected QUOTE"
    experiment = kind.experiment.format(case=case.id, question=question, document=shlex.quote(document), again=again)
    return Verdict(
        case.id, lost.boundary, kind.id, finding.sentence, finding.evidence, kind.owner, experiment, kind.barnett
    )


def _with_verdict(row: CaseVerdict, case: Case, lost: Step, reruns: tuple[Rerun, ...]) -> CaseVerdict:
    return replace(row, verdict=verdict_of(case, lost), reruns=reruns, confirmed=is_confirmed(lost, reruns))


def _row(inquiry: Inquiry, judgment: Judgment) -> CaseVerdict:
    case = inquiry.case
    return CaseVerdict(
        case=case.id,
        question=case.question,
        category=case.category,
        expected=_expected(case, inquiry.needs),
        said="" if case.answerable is None else inquiry.outcome.said,
        status=judgment.status,
        sentence=judgment.sentence,
        steps=judgment.steps,
    )


def _expected(case: Case, needs: tuple[Need, ...]) -> str:
    if case.answerable is False:
        return "no answer"
    return case.answer or "; ".join(str(need) for need in needs) or "an answer"


def _document(case: Case, evidence: tuple[str, ...]) -> str:
    """The document that a finding is about: the one it names, or else the first of the case's evidence."""
    judged = [evidence.document for evidence in case.evidence if evidence.grade > 0]
    named = [document for document in (*case.withheld, *judged) if document in evidence]
    return (named or judged or list(case.withheld) or [DocumentId("DOCUMENT")])[0]


def _grouped(rows: tuple[CaseVerdict, ...], system: System) -> Diagnosis:
    verdicts = [row.verdict for row in rows if row.verdict is not None]
    by_type: dict[str, list[Verdict]] = {type: [] for type in TYPES}
    for verdict in verdicts:
        by_type[verdict.type].append(verdict)
    found = [group for group in by_type.values() if group]
    return Diagnosis(
        generation=system.generation,
        settings=system.settings.digest,
        rows=rows,
        counts=_counted((row.status for row in rows), get_args(Status)),
        boundaries=_counted((verdict.boundary.id for verdict in verdicts), [boundary.id for boundary in BOUNDARIES]),
        slices=_slices(rows),
        fixes=tuple(_fix(group) for group in sorted(found, key=lambda group: -len(group))),
    )


def _slices(rows: tuple[CaseVerdict, ...]) -> Mapping[str, Mapping[str, int]]:
    """How many cases of each category failed at each boundary; categories without a failure are left out."""
    order = [boundary.id for boundary in BOUNDARIES]
    categories = sorted({row.category for row in rows if row.verdict is not None})
    return {
        category: _counted((row.verdict.boundary.id for row in rows if row.verdict and row.category == category), order)
        for category in categories
    }


def _fix(verdicts: list[Verdict]) -> Fix:
    first = verdicts[0]
    return Fix(first.boundary, first.type, tuple(verdict.case for verdict in verdicts), first.owner, first.experiment)


def _counted(found: Iterable[Name], order: Iterable[Name]) -> dict[Name, int]:
    """How often each name was found, in this order, those that were not left out."""
    counts = Counter(found)
    return {name: counts[name] for name in order if counts[name]}
