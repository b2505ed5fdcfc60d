"""How did a case go, and where was it lost? The boundaries are walked in order, and the first that lost it is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from evidex.diagnosis import (
    answer,
    assemble,
    authority,
    channels,
    chunk,
    cite,
    decide,
    evaluator,
    filter,
    fuse,
    index,
    parse,
    rerank,
    understand,
)
from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.taxonomy import BOUNDARIES
from evidex.diagnosis.verdict import Finding, Status, Step

CHECKS: tuple[Callable[[Inquiry], Finding], ...] = tuple(
    boundary.check
    for boundary in (
        *(authority, parse, chunk, index, understand, filter, channels, fuse, rerank, assemble),
        *(decide, answer, cite, evaluator),
    )
)
"""One for each of `BOUNDARIES`, in their order."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """How a case went; for one that failed, the boundaries up to the one that lost it, which comes last."""

    status: Status
    sentence: str
    steps: tuple[Step, ...] = ()

    @property
    def lost(self) -> Step | None:
        return self.steps[-1] if self.steps else None


def judge(inquiry: Inquiry) -> Judgment:
    """Judge what came of one case. Every one that failed has a last step with a type."""
    if inquiry.outcome.error is not None:
        return Judgment("error", inquiry.outcome.error)
    gone = tuple(need for need in inquiry.unmet if _turned_over(need, inquiry))
    standing = replace(inquiry, needs=tuple(need for need in inquiry.needs if need not in gone))
    if _exposed(standing):
        return _walked(standing)
    if inquiry.abstention_is_right:
        return _withheld(standing)
    if standing.unmet or _unsupported(standing):
        wrong = evaluator.wrong_judgment(standing)
        return _walked(standing) if wrong is None else _failed((Step(BOUNDARIES[-1], wrong),))
    if gone:
        return Judgment("turnover", "; ".join(_why_gone(need, standing) for need in gone))
    return Judgment("passed", _how_it_passed(standing))


def _walked(inquiry: Inquiry) -> Judgment:
    steps: list[Step] = []
    for boundary, check in zip(BOUNDARIES, CHECKS, strict=True):
        steps.append(Step(boundary, check(inquiry)))
        if steps[-1].finding.type is not None:
            return _failed(tuple(steps))
    raise AssertionError(f"no boundary lost case {inquiry.case.id!r}, which failed")


def _failed(steps: tuple[Step, ...]) -> Judgment:
    return Judgment("failed", steps[-1].finding.sentence, steps)


def _exposed(inquiry: Inquiry) -> bool:
    """Whether the asker is shown, or may be shown, what they must not see."""
    widened = any(
        revision.readable and revision.in_force
        for document in inquiry.case.withheld
        for revision in inquiry.revisions(document)
    )
    return widened or filter.leak(inquiry) is not None


def _withheld(inquiry: Inquiry) -> Judgment:
    given = inquiry.outcome.answer
    if given is None or given.abstention is not None:
        return Judgment("withheld", "rightly no answer" + (f": {given.abstention}" if given else ""))
    wrong = evaluator.wrong_judgment(inquiry)
    return _walked(inquiry) if wrong is None else _failed((Step(BOUNDARIES[-1], wrong),))


def _unsupported(inquiry: Inquiry) -> bool:
    """Whether a case that names no evidence, and only says that there is an answer, got none."""
    return inquiry.case.answerable is True and not inquiry.case.evidence and inquiry.abstained


def _turned_over(need: Need, inquiry: Inquiry) -> bool:
    """Whether the evidence is gone from the corpus, and neither its owner, parser nor index lost it."""
    if need.facts:
        return False
    alone = replace(inquiry, needs=(need,))
    checks = (authority.check, parse.check, index.check)
    return all(check(alone).type is None for check in checks)


def _why_gone(need: Need, inquiry: Inquiry) -> str:
    """Why nothing in force has the evidence, and what took its document's place."""
    reasons = "; ".join(gone.reason for gone in need.gone)
    successors = (authority.successor(evidence, inquiry) for evidence in need.evidences)
    instead = next((authority.named(found) for found in successors if found is not None), None)
    return reasons if instead is None else f"{reasons}; {instead} took its place"


def _how_it_passed(inquiry: Inquiry) -> str:
    if inquiry.case.answerable is None or inquiry.outcome.answer is None:
        return "the evidence was delivered" if inquiry.needs else "nothing is judged"
    return f"the answer cites {', '.join(str(need) for need in inquiry.needs)}" if inquiry.needs else "it was answered"
