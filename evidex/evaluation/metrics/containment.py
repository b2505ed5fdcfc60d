"""Containment: how much of the evidence did one delivered passage hold whole?"""

from __future__ import annotations

from collections.abc import Sequence

from evidex.grounding.locate import places


def containment(evidence: Sequence[str], passages: Sequence[str]) -> float | None:
    """The share of evidence texts that one passage says in whole, word for word; in [0, 1].

    White space and invisible characters may differ. Evidence that two passages hold only together is not held, for
    neither alone shows the answer. Texts are compared, not chunks, so that every way of cutting is measured alike.
    None without evidence.
    """
    if not evidence:
        return None
    return sum(any(_says(passage, words) for passage in passages) for words in evidence) / len(evidence)


def _says(passage: str, words: str) -> bool:
    return next(places(words, passage, 0, len(passage)), None) is not None
