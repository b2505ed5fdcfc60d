"""What are p-values worth when several questions are asked at once?"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's (1979) step-down adjusted p-values, in the order given.

    The i-th smallest of m becomes the greatest of (m - j + 1) · p_j over j ≤ i, at most 1. The chance of even one false
    finding in the family stays below the level, however the tests depend on each other.
    """
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        reached = max(reached, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = reached
    return tuple(adjusted)
