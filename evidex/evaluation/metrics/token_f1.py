"""TokenF1: how many words does the answer share with the reference?"""

from __future__ import annotations

from collections import Counter

from evidex.evaluation.metrics.content import content


def token_f1(answer: str, reference: str, *, language: str = "en") -> float | None:
    """The harmonic mean of precision and recall over content terms, counted as often as they occur; in [0, 1].

    As in SQuAD (Rajpurkar and others 2016), with stop words dropped and words stemmed. Sharing words is not being
    right: a swapped figure costs little here. None when the reference has no content terms.
    """
    said, wanted = (Counter(content(text, language=language).terms) for text in (answer, reference))
    if not wanted:
        return None
    return 2 * (said & wanted).total() / (said.total() + wanted.total())
