"""Better, worse, as good, or too little to tell? What a paired comparison comes to, with what it rests on."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum, log, log1p
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evidex.evaluation.statistics.bootstrap import Interval, mean_interval
from evidex.evaluation.statistics.groups import NOISE, group_sums
from evidex.evaluation.statistics.holm import holm
from evidex.evaluation.statistics.power import ALPHA, detectable, needed
from evidex.evaluation.statistics.proportions import upper_bound
from evidex.evaluation.statistics.randomisation import randomisation_p

Verdict: TypeAlias = Literal["BETTER", "WORSE", "EQUIVALENT", "INCONCLUSIVE"]
FEW = 10
"""Fewer facts than this that differ say little of how far others do."""
Values: TypeAlias = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of two systems on the same questions, candidate minus baseline.

    `n` pairs were compared and `excluded` left out, for one of the two was undefined; the pairs are of `groups`
    independent facts. `low` and `high` bound the difference (BCa, of level 1 - alpha). `p` is of the paired
    randomisation test, and `adjusted_p` Holm's over the family. `effect` is Cohen's d_z over the questions, None where
    nothing varies. `detectable` is the least difference that so many facts show with a power of .8, and `needed` how
    many show one of the margin. `reason` says it in words. Of an empty comparison all numbers but the counts are None.
    """

    verdict: Verdict
    reason: str
    n: int
    groups: int
    excluded: int
    baseline_mean: float | None
    candidate_mean: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted_p: float | None
    effect: float | None
    wins: int
    ties: int
    losses: int
    detectable: float | None
    needed: int | None


def compare(
    baseline: Values,
    candidate: Values,
    *,
    margin: float,
    groups: Sequence[Hashable] | None = None,
    alpha: float = ALPHA,
) -> Comparison:
    """Compare two systems by one measure; see `compare_family`."""
    return compare_family({"": (baseline, candidate)}, margin=margin, groups=groups, alpha=alpha)[""]


def compare_family(
    family: Mapping[str, tuple[Values, Values]],
    *,
    margin: float,
    groups: Sequence[Hashable] | None = None,
    alpha: float = ALPHA,
) -> dict[str, Comparison]:
    """Compare two systems, (baseline, candidate), by each measure of a family.

    BETTER and WORSE need an adjusted p of at most `alpha` and an interval without 0. EQUIVALENT needs the whole
    interval of level 1 - 2·alpha within ± `margin` (two one-sided tests, Schuirmann 1987) and enough questions to have
    shown the margin: by the spread of the differences, and where fewer than `FEW` facts differ, which is too few to
    tell a spread from, by how many of other facts may differ then, each by up to 1, the range of a measure. All else is
    INCONCLUSIVE. Differences are flipped and drawn by `groups`, where questions share a fact.
    """
    if margin <= 0:
        raise ValueError(f"the margin is {margin}; it has to be above 0")
    paired = {name: _paired(*values, groups) for name, values in family.items()}
    tested = [name for name, pairs in paired.items() if pairs.n]
    p_values = {name: randomisation_p(paired[name].sums) for name in tested}
    adjusted = dict(zip(tested, holm([p_values[name] for name in tested]), strict=True))
    return {
        name: _judged(pairs, p_values[name], adjusted[name], margin, alpha) if pairs.n else _empty(pairs)
        for name, pairs in paired.items()
    }


@dataclass(frozen=True, slots=True)
class _Pairs:
    baseline: NDArray[np.float64]
    candidate: NDArray[np.float64]
    differences: NDArray[np.float64]
    groups: tuple[Hashable, ...]
    sums: NDArray[np.float64]
    excluded: int

    @property
    def n(self) -> int:
        return len(self.baseline)


def _paired(baseline: Values, candidate: Values, groups: Sequence[Hashable] | None) -> _Pairs:
    named = range(len(baseline)) if groups is None else groups
    kept = [
        (one, other, group)
        for one, other, group in zip(baseline, candidate, named, strict=True)
        if one is not None and other is not None and not (np.isnan(one) or np.isnan(other))
    ]
    ours = np.array([one for one, _, _ in kept], np.float64)
    theirs = np.array([other for _, other, _ in kept], np.float64)
    of = tuple(group for _, _, group in kept)
    differences = theirs - ours
    # Values that are equal but for their rounding are ties: no count of wins, sign or spread may come of it.
    differences[np.abs(differences) <= NOISE * np.maximum(np.abs(ours), np.abs(theirs))] = 0.0
    sums, _ = group_sums(differences, of)
    return _Pairs(ours, theirs, differences, of, sums, len(baseline) - len(kept))


def _judged(pairs: _Pairs, p: float, adjusted_p: float, margin: float, alpha: float) -> Comparison:
    differences = pairs.differences
    difference = fsum(pairs.sums) / pairs.n
    interval = mean_interval(differences, groups=pairs.groups, level=1 - alpha)
    narrow = mean_interval(differences, groups=pairs.groups, level=1 - 2 * alpha)
    # The spread of the mean, as if every fact were one question with its share of the whole.
    sd = float(np.std(pairs.sums * (len(pairs.sums) / pairs.n), ddof=1)) if len(pairs.sums) > 1 else None
    least = None if sd is None else detectable(sd, len(pairs.sums), alpha=alpha)
    enough = None if sd is None else needed(sd, margin, alpha=alpha)
    differing = int(np.count_nonzero(pairs.sums))
    unseen = upper_bound(differing, len(pairs.sums), level=1 - alpha) if differing < FEW else 0.0
    shown = least is not None and least <= margin and unseen <= margin
    verdict = _verdict(difference, interval, narrow if shown else None, adjusted_p, margin, alpha)
    return Comparison(
        verdict=verdict,
        reason=_reason(verdict, difference, interval, adjusted_p, margin, least, enough, len(pairs.sums), unseen),
        n=pairs.n,
        groups=len(pairs.sums),
        excluded=pairs.excluded,
        baseline_mean=float(pairs.baseline.mean()),
        candidate_mean=float(pairs.candidate.mean()),
        difference=difference,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        p=p,
        adjusted_p=adjusted_p,
        effect=_effect(difference, differences),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        detectable=least,
        needed=enough,
    )


def _effect(difference: float, differences: NDArray[np.float64]) -> float | None:
    if len(differences) < 2 or np.ptp(differences) <= NOISE * np.abs(differences).max():
        return None
    return difference / float(np.std(differences, ddof=1))


def _verdict(
    difference: float, interval: Interval | None, narrow: Interval | None, p: float, margin: float, alpha: float
) -> Verdict:
    if interval is None:
        return "INCONCLUSIVE"
    if p <= alpha and not interval.holds(0.0):
        return "BETTER" if difference > 0 else "WORSE"
    if narrow is not None and -margin < narrow.low and narrow.high < margin:
        return "EQUIVALENT"
    return "INCONCLUSIVE"


def _reason(
    verdict: Verdict,
    difference: float,
    interval: Interval | None,
    p: float,
    margin: float,
    least: float | None,
    enough: int | None,
    groups: int,
    unseen: float,
) -> str:
    if interval is None or least is None:
        return f"{groups} independent question says nothing of others."
    where = f"{difference:+.4f}, between {interval.low:+.4f} and {interval.high:+.4f}"
    if verdict in {"BETTER", "WORSE"}:
        small = f"; that is within the margin of {margin:g}" if abs(difference) < margin else ""
        return f"The difference is {where}, and not chance (p {p:.4f}){small}."
    if verdict == "EQUIVALENT":
        return f"The difference is {where}: no more than the margin of {margin:g}, either way."
    if least > margin:
        return (
            f"The difference is {where}. {groups} independent questions show one of {least:.4f} or more; "
            f"to show {margin:g} it takes {enough}."
        )
    if unseen > margin:
        alike = ceil(log(ALPHA) / log1p(-min(margin, 0.5)))
        return (
            f"The difference is {where}. So few of {groups} independent questions differ that up to {unseen:.1%} "
            f"of others may; to show {margin:g} it takes {alike} without any."
        )
    return f"The difference is {where}: it may be none, and it may be more than the margin of {margin:g}."


def _empty(pairs: _Pairs) -> Comparison:
    reason = f"There is no question for which both are defined; {pairs.excluded} were left out."
    numbers = (None,) * 8
    return Comparison("INCONCLUSIVE", reason, 0, 0, pairs.excluded, *numbers, 0, 0, 0, None, None)
