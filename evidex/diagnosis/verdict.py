"""What a diagnosis says: a row for each case, a verdict for each that failed, and what to mend first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evidex.types import GenerationId

Status: TypeAlias = Literal["passed", "withheld", "turnover", "failed", "error"]
"""`withheld`: rightly no answer. `turnover`: the evidence is gone from the corpus, which is no failure of the system.
`error`: the question raised."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """One place that evidence has to pass on its way into an answer."""

    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.id} {self.name}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a boundary shows of one case. `type` is None where nothing was lost there.

    `evidence` names chunks, documents and stages: links into the trace and the catalog.
    """

    sentence: str
    evidence: tuple[str, ...] = ()
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a case's story: a boundary, and what it shows."""

    boundary: Boundary
    finding: Finding


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first boundary that lost what a case needed: what happened, whose it is, and what to try next.

    `barnett` is the failure point of Barnett et al. (CAIN 2024) to which the type belongs, "" where they have none.
    """

    case: str
    boundary: Boundary
    type: str
    sentence: str
    evidence: tuple[str, ...]
    owner: str
    experiment: str
    barnett: str


@dataclass(frozen=True, slots=True)
class Rerun:
    """One question asked again with something replaced, and what came of it. `passed` tells whether the case then did;
    `reached` is the boundary at which it failed instead."""

    substituted: str
    passed: bool
    reached: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """One case: how it went, the boundaries up to the one that lost it, and the reruns that were made to confirm that.

    `confirmed` is None where nothing was run again.
    """

    case: str
    question: str
    category: str
    expected: str
    said: str
    status: Status
    sentence: str
    steps: tuple[Step, ...] = ()
    verdict: Verdict | None = None
    reruns: tuple[Rerun, ...] = ()
    confirmed: bool | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """One type of failure, and the cases that were lost to it first; some may fail later once it is mended."""

    boundary: Boundary
    type: str
    cases: tuple[str, ...]
    owner: str
    experiment: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Every case in the order of ids, failures by boundary and by category, and what to mend first.

    `fixes` are in the order of how many cases were lost there first, equals in the order of the boundaries.
    """

    generation: GenerationId
    settings: str
    rows: tuple[CaseVerdict, ...]
    counts: Mapping[Status, int]
    boundaries: Mapping[str, int]
    slices: Mapping[str, Mapping[str, int]]
    fixes: tuple[Fix, ...]

    @property
    def fix_first(self) -> Fix | None:
        return self.fixes[0] if self.fixes else None

    @property
    def failed(self) -> tuple[CaseVerdict, ...]:
        return tuple(row for row in self.rows if row.status == "failed")
