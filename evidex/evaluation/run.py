"""A run, top to bottom: resolve the evidence, ask, observe, measure, keep the row; all else follows from the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from evidex.encoding import as_json
from evidex.evaluation.derive import report_of
from evidex.evaluation.measures import FINAL, Measure
from evidex.evaluation.observed import Observed
from evidex.evaluation.report import Identity, Report, Row
from evidex.evaluation.resolve import Resolved, resolve
from evidex.judging import AS_IT_IS, Outcome, Substitution, System
from evidex.storage import digest_of
from evidex.types import Case, DocumentId

Route: TypeAlias = Literal["answer", "search", "whole-corpus"]
"""What is asked of the system: an answer, a search alone, or an answer from everything that the asker may see."""
ROUTES: tuple[Route, ...] = get_args(Route)


_DOCUMENTS_KEPT = 100


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is going to do: the cases and where they were read from, what is asked, and what is measured."""

    name: str
    source: str
    identity: Identity
    route: Route
    cases: tuple[Case, ...]
    measures: tuple[Measure, ...]
    environment: Mapping[str, str]
    settings: Mapping[str, Any]

    @property
    def id(self) -> str:
        """16 hexadecimal digits over everything that decides the rows."""
        return digest_of(as_json(self.identity))[:16]


def run(
    plan: Plan,
    system: System,
    *,
    kept: Mapping[str, Row],
    keep: Callable[[Row], None],
    progress: Callable[[int, int], None],
) -> Report:
    """Ask every case that has no row in `kept` and report on all of them.

    `keep` is given each new row as soon as it is there, so a run that is stopped loses one question at most. Raises
    `EvidexError`, before anything is asked, for a case that cannot be: an unknown asker, evidence that stands twice.
    """
    pending = [case for case in plan.cases if case.id not in kept]
    resolved = {case.id: resolve(case, system) for case in pending}
    rows = dict(kept)
    for number, case in enumerate(plan.cases, start=1):
        if case.id not in rows:
            rows[case.id] = row_of(resolved[case.id], system, plan.route, plan.measures)
            keep(rows[case.id])
        progress(number, len(plan.cases))
    ordered = [rows[case.id] for case in plan.cases]
    return report_of(plan.id, plan.identity, plan.name, plan.environment, plan.settings, ordered, system.chunk_count)


def row_of(resolved: Resolved, system: System, route: Route, measures: Sequence[Measure]) -> Row:
    """Ask one case and measure what came of it."""
    case = resolved.case
    outcome = _asked(case, system, route)
    observed = Observed(resolved, outcome, system)
    values = tuple((measure.id, measure.of(observed)) for measure in measures)
    answer = None if outcome.answer is None else bool(outcome.answer.claims)
    stages = [record.name for record in outcome.trace.stages]
    support = outcome.trace.stages[stages.index("answer")].notes.get("support") if "answer" in stages else None
    return Row(
        case=case.id,
        question=case.question,
        split=case.split,
        category=case.category,
        group=case.group,
        answerable=case.answerable,
        answered=answer,
        values=values,
        ranks=tuple(
            (stage, tuple(observed.rank_of(fact, stage) for fact in observed.facts)) for stage in observed.stages
        ),
        documents=tuple(DocumentId(name) for name in observed.ranking(FINAL, "source")[:_DOCUMENTS_KEPT]),
        tokens=None if outcome.context is None else outcome.context.tokens,
        support=float(support) if isinstance(support, int | float) else None,
        said=outcome.said,
        expected=case.expected,
        turnover=tuple(gone.reason for gone in resolved.turnover),
        error=outcome.error,
        failed=tuple(m.id for m, (_, value) in zip(measures, values, strict=True) if value is None and m.asked_of(case))
        if outcome.error
        else (),
        seconds=tuple((record.name, record.seconds) for record in outcome.trace.stages),
    )


def _asked(case: Case, system: System, route: Route) -> Outcome:
    if route == "search":
        return system.search(case)
    return system.outcome(case, AS_IT_IS if route == "answer" else Substitution(only=system.everything(case)))
