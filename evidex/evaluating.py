"""How well does a workspace answer? Runs over golden sets, what they would cost, and sweeps over settings."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import product
from statistics import fmean, median
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evidex.catalog.runs import RunRecord, RunStore
from evidex.config import Settings, parse_settings
from evidex.encoding import as_json
from evidex.errors import ConfigError
from evidex.evaluation.check import check_against
from evidex.evaluation.comparing import RunComparison, compare_reports
from evidex.evaluation.derive import report_of
from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.leakage import Finding, leakage
from evidex.evaluation.measures import measures, panel
from evidex.evaluation.report import Identity, Report, Row
from evidex.evaluation.resolve import place_of, resolve
from evidex.evaluation.run import ROUTES, Plan, Route, run
from evidex.evaluation.statistics.medians import median_interval
from evidex.judging import System
from evidex.storage import digest_of

_ROW = TypeAdapter(Row)
_IDENTITY = TypeAdapter(Identity)

DEV = "dev"
"""The split that settings may be chosen on."""

Progress = Callable[[str, int, int], None]


# --- before a run


@dataclass(frozen=True, slots=True)
class GoldenCheck:
    """What is to be known of a golden set before it judges anything.

    `problems` keep it from being asked; `turnover` is evidence that the corpus has moved on from; `leaks` tie its test
    questions to what settings were chosen on.
    """

    name: str
    cases: int
    splits: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]
    turnover: tuple[str, ...]
    leaks: tuple[Finding, ...]


def check_golden(
    golden: GoldenSet, system: System, synonyms: Mapping[str, str], *, exercises: Callable[[str], frozenset[str]]
) -> GoldenCheck:
    """Check a golden set against a system; `exercises` names the phrases of `synonyms` that a text makes it replace."""
    problems = check_against(golden, system)
    gone = (
        ()
        if problems
        else (f"{place_of(case)}: {gone.reason}" for case in golden.cases for gone in resolve(case, system).turnover)
    )
    return GoldenCheck(
        name=golden.name,
        cases=len(golden.cases),
        splits=tuple(sorted(Counter(case.split for case in golden.cases).items())),
        problems=problems,
        turnover=tuple(gone),
        leaks=leakage(golden, synonyms, exercises=exercises, terms=system.terms),
    )


# --- one run


def plan_of(
    golden: GoldenSet, system: System, *, split: str, catalog: str, route: Route, ids: Sequence[str] = ()
) -> Plan:
    """What a run of a golden set's cases on a system does; `ids` name measures in place of the whole panel."""
    if route not in ROUTES:
        raise ConfigError(f"There is no route {route!r}.", f"Routes: {', '.join(ROUTES)}.")
    settings = system.settings
    wanted = measures(
        ids
        or panel(
            settings.retrieval.channels,
            depth=settings.retrieval.limit,
            candidates=settings.reranking.candidates,
            kept=settings.reranking.limit,
            answers=route != "search",
        )
    )
    unasked = [measure.id for measure in wanted if measure.needs_answer and route == "search"]
    if unasked:
        raise ConfigError(
            f"{unasked[0]!r} cannot be measured of a search alone.", "Ask for answers: --route answer, or leave it out."
        )
    identity = Identity(
        generation=system.generation,
        corpus=system.corpus,
        catalog=catalog,
        settings=digest_of(settings.asking),
        golden=golden.digest,
        split=split,
        route=route,
        measures=tuple(measure.id for measure in wanted),
        evidex=version("evidex"),
    )
    recorded = {"built": system.built_with, **settings.asking}
    return Plan(golden.name, golden.path, identity, route, golden.cases, wanted, _environment(), recorded)


def evaluate(plan: Plan, system: System, store: RunStore, *, at: str, progress: Progress) -> Report:
    """Run a plan, going on where an earlier run of the same was stopped, and keep it."""
    head = {
        "name": plan.name,
        "source": plan.source,
        "identity": as_json(plan.identity),
        "environment": dict(plan.environment),
        "settings": plan.settings,
        "cases": len(plan.cases),
        "chunks": system.chunk_count,
    }
    kept = _rows(store, plan.id)
    store.begin(plan.id, at=at, head=head)
    return run(
        plan,
        system,
        kept=kept,
        keep=lambda row: store.add(plan.id, row.case, as_json(row)),
        progress=lambda done, whole: progress("ask", done, whole),
    )


def report_on(record: RunRecord, store: RunStore) -> Report:
    """The report on a run that was kept. Raises `ConfigError` for one that was stopped before its end."""
    rows = _rows(store, record.id)
    if len(rows) < record.head["cases"]:
        raise ConfigError(
            f"Run {record.id} has {len(rows)} of its {record.head['cases']} questions.",
            "Run 'evidex eval run' as before: it goes on where it stopped.",
        )
    identity = _IDENTITY.validate_python(record.head["identity"])
    head = record.head
    return report_of(
        record.id, identity, head["name"], head["environment"], head["settings"], rows.values(), head["chunks"]
    )


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would ask of models: questions that have no row yet, and calls and tokens at most."""

    questions: int
    done: int
    generator: str
    generator_calls: int
    prompt_tokens: int
    reply_tokens: int
    embedder: str
    embedder_calls: int


def estimate(plan: Plan, settings: Settings, store: RunStore) -> Estimate:
    """What a run of this plan would cost; nothing is asked."""
    kept = _rows(store, plan.id)
    left = sum(case.id not in kept for case in plan.cases)
    asked = left if plan.route != "search" and settings.answering.method == "chat" else 0
    remote = left if settings.embedding.provider == "openai" else 0
    return Estimate(
        questions=len(plan.cases),
        done=len(plan.cases) - left,
        generator=settings.answering.method,
        generator_calls=asked,
        prompt_tokens=asked * settings.context.budget_tokens,
        reply_tokens=asked * settings.answering.max_tokens,
        embedder=settings.embedding.provider,
        embedder_calls=remote * settings.understanding.max_variants,
    )


def _rows(store: RunStore, run: str) -> dict[str, Row]:
    """The rows of a run by case; without those that an evidex wrote which knew other rows."""
    rows: dict[str, Row] = {}
    for case, row in store.rows(run).items():
        with suppress(ValidationError):
            rows[case] = _ROW.validate_python(row)
    return rows


def _environment() -> dict[str, str]:
    names = ("evidex", "numpy", "numba")
    return {"python": platform.python_version(), "platform": platform.platform(), **{n: version(n) for n in names}}


# --- many runs


@dataclass(frozen=True, slots=True)
class Point:
    """One choice of settings: what it gives and what it costs.

    `quality` is the mean of the sweep's measure with its interval; `tokens` are those of a delivered context (mean) and
    `seconds` those of a question (median) between `fastest` and `slowest`, its interval. `on_front` tells that no other
    point is better in one of the three and worse in none; a time is better or worse when the intervals do not meet.
    """

    changed: Mapping[str, Any]
    run: str
    quality: float | None
    low: float | None
    high: float | None
    tokens: float | None
    seconds: float | None
    fastest: float | None
    slowest: float | None
    on_front: bool = False


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep over settings found on the dev split, and whether its best choice holds on the other cases.

    `points` are in the order in which they were tried, the settings as they are first; `best` is the position of the
    one with the greatest quality, of equals the one with the fewest tokens, then the first. `on_dev` compares it with
    the settings as they are; so does `held_out`, on cases that nothing was chosen on. They are None where the best is
    those settings, and `held_out` where there are no other cases.
    """

    golden: str
    measure: str
    questions: int
    points: tuple[Point, ...]
    best: int
    on_dev: RunComparison | None
    held_out: RunComparison | None


def sweep(
    settings: Settings,
    varied: Mapping[str, Sequence[Any]],
    evaluated: Callable[[Settings, str], Report],
    *,
    golden: GoldenSet,
    measure: str,
    progress: Progress,
) -> Sweep:
    """Try every combination of the values on the dev split; `evaluated` runs the cases of a split under settings.

    Raises `ConfigError` for a golden set without a dev split, and for a setting or value that there is not.
    """
    held_out = require_dev(golden)
    tried = [({}, settings), *((c, s) for c, s in variants(settings, varied) if s.digest != settings.digest)]
    reports = []
    for number, (_, chosen) in enumerate(tried, start=1):
        reports.append(evaluated(chosen, DEV))
        progress("sweep", number, len(tried))
    points = _front([_point(changed, report, measure) for (changed, _), report in zip(tried, reports, strict=True)])
    best = min(range(len(points)), key=lambda at: _respects(points[at]))
    on_dev = held = None
    if best:
        on_dev = compare_reports(reports[0], reports[best], measures=[measure], rebaseline=True)
        if held_out:
            apart = [evaluated(chosen, held_out) for chosen in (settings, tried[best][1])]
            held = compare_reports(*apart, measures=[measure], rebaseline=True)
    questions = len(reports[0].rows)
    return Sweep(golden.name, measure, questions, points, best, on_dev, held)


def variants(settings: Settings, varied: Mapping[str, Sequence[Any]]) -> Iterator[tuple[dict[str, Any], Settings]]:
    """Every combination of the values of the varied settings, beside the settings that it gives.

    Raises `ConfigError` for a setting that is not there or a value that it cannot have.
    """
    for values in product(*varied.values()):
        changed = dict(zip(varied, values, strict=True))
        tree = settings.model_dump(mode="json")
        for name, value in changed.items():
            _put(tree, name, value)
        yield changed, parse_settings(tree)


def require_dev(golden: GoldenSet) -> str:
    """The name of a split beside `dev`, "" where there is none.

    Raises `ConfigError` for a golden set without a dev split: what settings are chosen on must not judge them.
    """
    splits = {case.split for case in golden.cases}
    if DEV not in splits:
        raise ConfigError(
            f"The golden set {golden.name!r} has no case of the split {DEV!r}.",
            f'Give "split": "{DEV}" to those that settings may be chosen on; the others keep the final figure honest.',
        )
    return next(iter(sorted(splits - {DEV, ""})), "")


def _point(changed: Mapping[str, Any], report: Report, measure: str) -> Point:
    mean = next(mean for mean in report.means if mean.measure == measure)
    tokens = [row.tokens for row in report.rows if row.tokens is not None]
    seconds = [sum(spent for _, spent in row.seconds) for row in report.rows if row.seconds]
    between = median_interval(seconds) if seconds else None
    return Point(
        changed=changed,
        run=report.run,
        quality=mean.mean,
        low=mean.low,
        high=mean.high,
        tokens=fmean(tokens) if tokens else None,
        seconds=median(seconds) if seconds else None,
        fastest=None if between is None else between.low,
        slowest=None if between is None else between.high,
    )


def _front(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(replace(one, on_front=not any(_beats(other, one) for other in points)) for one in points)


def _beats(one: Point, other: Point) -> bool:
    (worst, tokens), (their_worst, their_tokens) = _respects(one), _respects(other)
    if worst > their_worst or tokens > their_tokens or _is_faster(other, one):
        return False
    return worst < their_worst or tokens < their_tokens or _is_faster(one, other)


def _is_faster(one: Point, other: Point) -> bool:
    """Whether the times of two points tell them apart: those of one moment differ from those of the next."""
    return one.slowest is not None and other.fastest is not None and one.slowest < other.fastest


def _respects(point: Point) -> tuple[float, float]:
    """Quality and tokens, each so that less is better."""
    return (-(point.quality or 0.0), point.tokens or 0.0)


def _put(tree: dict[str, Any], name: str, value: Any) -> None:
    *path, last = name.split(".")
    for part in path:
        tree = tree[part] if isinstance(tree.get(part), dict) else {}
    if last not in tree:
        raise ConfigError(f"There is no setting {name!r} to vary.", "See docs/settings.md.")
    tree[last] = value
