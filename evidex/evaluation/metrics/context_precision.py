"""Context precision: do the relevant passages come first?"""

from __future__ import annotations

from collections.abc import Sequence


def context_precision(relevant: Sequence[bool]) -> float | None:
    """Σ P@i over the places i of relevant passages, over their number (Es and others 2024, RAGAS); in [0, 1].

    `relevant` has a flag for each delivered passage, in order, of a case that has evidence. It says nothing of what was
    not delivered. 0 when no passage is relevant; None when none was delivered.
    """
    if not relevant:
        return None
    found, total = 0, 0.0
    for place, flag in enumerate(relevant, start=1):
        if flag:
            found += 1
            total += found / place
    return total / found if found else 0.0
