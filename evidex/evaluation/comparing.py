"""Is one run better than another? The same questions, paired, measure by measure; or a refusal to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidex.errors import ConfigError
from evidex.evaluation.derive import value_of
from evidex.evaluation.report import Report
from evidex.evaluation.statistics.verdict import Comparison, compare_family

HEADLINE = ("source:nDCG(lin)@10", "source:R@10", "source:RR@10", "cited/fact:R")
"""What is compared unless one asks for something else: a family of few, for every further measure costs power."""


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs over the same questions. `moved` names what differs between them beside the rows."""

    baseline: str
    candidate: str
    golden: str
    split: str
    questions: int
    only_baseline: int
    only_candidate: int
    moved: tuple[str, ...]
    margin: float
    comparisons: tuple[tuple[str, Comparison], ...]


def compare_reports(
    baseline: Report, candidate: Report, *, measures: Sequence[str] = (), margin: float = 0.01, rebaseline: bool = False
) -> RunComparison:
    """Compare two reports on the questions that both have; Holm's correction goes over all measures.

    Raises `ConfigError` for runs of different golden sets or splits, of different corpora unless `rebaseline`, and for
    a measure that one of them lacks.
    """
    _require_comparable(baseline, candidate, rebaseline=rebaseline)
    ours, theirs = ({row.case: row for row in report.rows} for report in (baseline, candidate))
    both = sorted(ours.keys() & theirs.keys())
    common = [name for name in baseline.identity.measures if name in candidate.identity.measures]
    wanted = list(measures) or [name for name in HEADLINE if name in common] or common[:1]
    for name in wanted:
        if name not in common:
            raise ConfigError(
                f"Measure {name!r} is not in both runs.", f"In both: {', '.join(common) or 'none'}; or run them again."
            )
    family = {
        name: (
            [value_of(ours[case], name) for case in both],
            [value_of(theirs[case], name) for case in both],
        )
        for name in wanted
    }
    groups = [ours[case].group or case for case in both]
    found = compare_family(family, margin=margin, groups=groups)
    return RunComparison(
        baseline=baseline.run,
        candidate=candidate.run,
        golden=baseline.name,
        split=baseline.identity.split,
        questions=len(both),
        only_baseline=len(ours) - len(both),
        only_candidate=len(theirs) - len(both),
        moved=_moved(baseline, candidate),
        margin=margin,
        comparisons=tuple((name, found[name]) for name in wanted),
    )


def _require_comparable(baseline: Report, candidate: Report, *, rebaseline: bool) -> None:
    one, other = baseline.identity, candidate.identity
    if one.split != other.split:
        raise ConfigError(
            f"Run {baseline.run} is of split {one.split or 'all'!r}, and {candidate.run} of {other.split or 'all'!r}.",
            "Run both on the same questions.",
        )
    if one.golden != other.golden:
        raise ConfigError(
            f"Runs {baseline.run} and {candidate.run} are of different golden sets.", "Run both on the same questions."
        )
    if one.corpus != other.corpus and not rebaseline:
        raise ConfigError(
            f"Runs {baseline.run} and {candidate.run} are of different documents, so a difference may be theirs.",
            "Build both generations from the same documents, or compare all the same with --rebaseline.",
        )


def _moved(baseline: Report, candidate: Report) -> tuple[str, ...]:
    """What else the two runs differ in: settings by name, then the rest of their identities."""
    ours, theirs = _leaves(baseline.settings), _leaves(candidate.settings)
    changed = [
        f"{name}: {ours.get(name)} → {theirs.get(name)}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]
    one, other = baseline.identity, candidate.identity
    if one.generation != other.generation:
        changed.append(f"generation: {one.generation[:12]} → {other.generation[:12]}")
    changed += [name for name in ("corpus", "catalog", "route", "evidex") if getattr(one, name) != getattr(other, name)]
    return tuple(changed)


def _leaves(tree: object, name: str = "") -> dict[str, object]:
    if not isinstance(tree, dict):
        return {name: tree}
    found: dict[str, object] = {}
    for key, value in tree.items():
        found |= _leaves(value, f"{name}.{key}" if name else str(key))
    return found
