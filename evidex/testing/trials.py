"""What does a diagnosis say of faults that were planted? One at a time, and two on one question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from evidex.diagnosis.diagnose import diagnose
from evidex.diagnosis.verdict import CaseVerdict
from evidex.judging import System
from evidex.testing.faults import Fault
from evidex.testing.knowledge import Knowledge
from evidex.testing.laboratory import Laboratory
from evidex.testing.pipeline import Pipeline, healthy
from evidex.testing.repairs import mended
from evidex.types import Case

SHOWN = frozenset({"failed", "error", "turnover"})
"""How a case goes on which a fault shows; on others something made up for it, or the answer passes all the same."""

MASKED = frozenset({("heading lost", "chunk left out"), ("chunk in no index", "filtered too much")})
"""Pairs of which the later hides the earlier from anyone: a chunk that is not there has no headings to look at, and
what a filter hides is in no ranking, whether an index has it or not."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A fault, the pipeline it was planted in, the system that became of it, and how each of its cases went."""

    fault: Fault
    whole: Pipeline
    faulty: Pipeline
    system: System
    cases: tuple[Case, ...]
    rows: tuple[CaseVerdict, ...]

    @property
    def shown(self) -> tuple[CaseVerdict, ...]:
        """The cases on which the fault shows."""
        return tuple(row for row in self.rows if row.status in SHOWN)


def trial(laboratory: Laboratory, fault: Fault, base: Knowledge, *, most: int) -> Trial:
    """Plant a fault for at most so many cases, spread over those that it suits, and diagnose them."""
    whole = healthy(base, fault.bench)
    cases = _spread([case for case in base.cases if fault.suits(case)], most)
    faulty = fault.plant(whole, cases)
    system = laboratory.system(faulty)
    judged = asked_of(faulty, cases)
    return Trial(fault, whole, faulty, system, judged, diagnose(judged, system).rows)


def asked_of(pipeline: Pipeline, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases as the pipeline has them: a judgment may be what is wrong."""
    ids = {case.id for case in cases}
    return tuple(case for case in pipeline.cases if case.id in ids)


def is_mended(laboratory: Laboratory, trial: Trial, boundary: str) -> frozenset[str]:
    """The cases that go as they should once the trial's pipeline is mended at a boundary."""
    pipeline = mended(trial.faulty, trial.whole, boundary)
    rows = diagnose(asked_of(pipeline, trial.cases), laboratory.system(pipeline)).rows
    return frozenset(row.case for row in rows if row.status not in SHOWN)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two faults on one case, and the boundaries that were named: each mended before the next was asked for."""

    earlier: Fault
    later: Fault
    case: str
    named: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether the earlier was named first, then the later, and with both mended the case went as it should."""
        return self.named == (self.earlier.boundary, self.later.boundary)


def pairs(trials: Sequence[Trial]) -> Iterator[tuple[Trial, Trial, Case]]:
    """Every two faults at different boundaries that show on a common case of one bench, the earlier first.

    A wrong judgment is in no pair, for what is judged then is not what the other fault lost; nor are those `MASKED`.
    """
    able = [each for each in trials if each.fault.boundary != "B13"]
    for first, second in combinations(able, 2):
        names = (first.fault.name, second.fault.name)
        same = first.fault.boundary == second.fault.boundary
        if same or first.fault.bench != second.fault.bench or names in MASKED:
            continue
        both = {row.case for row in first.shown} & {row.case for row in second.shown}
        for case in (case for case in first.cases if case.id in both):
            yield first, second, case
            break


def pair(laboratory: Laboratory, first: Fault, second: Fault, base: Knowledge, case: Case) -> Pair:
    """Plant both for one case, and mend what is named until the case goes as it should, or nothing new is named."""
    whole = replace(healthy(base, first.bench), cases=base.cases)
    pipeline = first.plant(second.plant(whole, [case]), [case])  # of two in one part, the earlier has the last word
    named: list[str] = []
    while True:
        (row,) = diagnose(asked_of(pipeline, [case]), laboratory.system(pipeline)).rows
        if row.verdict is None or row.verdict.boundary.id in named:
            return Pair(first, second, case.id, tuple(named if row.status not in SHOWN else [*named, row.status]))
        named.append(row.verdict.boundary.id)
        pipeline = mended(pipeline, whole, named[-1])


def _spread(cases: Sequence[Case], most: int) -> tuple[Case, ...]:
    """At most so many, evenly from all of them."""
    if len(cases) <= most:
        return tuple(cases)
    return tuple(cases[place * len(cases) // most] for place in range(most))
