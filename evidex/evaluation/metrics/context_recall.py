"""Context recall: how much of what an answer needs was delivered?"""

from __future__ import annotations

from collections.abc import Sequence


def context_recall(delivered: Sequence[bool]) -> float | None:
    """The share of a case's facts that the context holds; in [0, 1] (after Es and others 2024, RAGAS).

    `delivered` has a flag for each fact of the evidence, in any order. None without facts.
    """
    return sum(map(bool, delivered)) / len(delivered) if delivered else None
