"""Which items of a ranking are relevant? Those graded above 0; a lower grade is a judgment, too, and none is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


def top(ranking: Sequence[str], k: int | None) -> Sequence[str]:
    """The first `k` items, all without `k`; fewer where the ranking is shorter.

    Raises `ValueError` for `k` below 1, and for an id that the ranking has twice, wherever it stands.
    """
    if k is not None and k < 1:
        raise ValueError(f"k is {k}; it has to be 1 or more")
    if len(set(ranking)) < len(ranking):
        twice = next(id for id, times in Counter(ranking).items() if times > 1)
        raise ValueError(f"the ranking has {twice!r} twice; keep each id at its best rank alone")
    return ranking[:k]


def flags(ranking: Sequence[str], grades: Mapping[str, int], k: int | None) -> list[bool]:
    """Whether each of the first `k` items is relevant. Raises what `top` does."""
    return [grades.get(id, 0) > 0 for id in top(ranking, k)]


def relevant_count(grades: Mapping[str, int]) -> int:
    """R: how many items are relevant, ranked or not."""
    return sum(grade > 0 for grade in grades.values())
