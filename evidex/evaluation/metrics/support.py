"""Do these words carry that statement? A cheap rule judges by their terms alone and knows nothing of meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from evidex.evaluation.metrics.content import Content, content

_BETWEEN_CLAUSES = re.compile(r"[;:()\[\]—–!?。！？；：、，]|,(?!\d)|\.(?!\w)|\s-\s|\n\s*\n")


def clauses(text: str, *, language: str = "en") -> tuple[Content, ...]:
    """The content of every stretch of `text` between two marks, in order; those without content are left out."""
    found = (content(stretch, language=language) for stretch in _BETWEEN_CLAUSES.split(text))
    return tuple(clause for clause in found if clause.terms)


def supports(given: Sequence[Content], claim: Content, *, share: float) -> bool:
    """Whether some run of neighbouring clauses carries `claim`.

    The run has to hold at least `share` of the claim's distinct terms (negations aside), every figure and identifier
    of it, and as many negations as it has. A clause at either end has to give a term that the others do not, so no
    negation is borrowed from a neighbour. All clauses together carry a claim that is the same term for term. A claim
    without terms says nothing, and nothing carries it.
    """
    if not claim.substance or not _holds(frozenset().union(*(clause.substance for clause in given)), claim, share):
        return False
    if claim.terms == tuple(term for clause in given for term in clause.terms):
        return True
    return any(_run_from(given[first:], claim, share) for first in range(len(given)))


def _run_from(given: Sequence[Content], claim: Content, share: float) -> bool:
    """Whether a run that begins with the first clause carries `claim`."""
    first = given[0].substance & claim.substance
    held: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    negations = 0
    for place, clause in enumerate(given):
        terms = clause.substance & claim.substance
        adds = not terms <= held
        held |= terms
        later |= terms if place else frozenset()
        negations += clause.negations
        if first <= later:
            return False
        if adds and negations == claim.negations and _holds(held, claim, share):
            return True
    return False


def _holds(terms: Set[str], claim: Content, share: float) -> bool:
    return claim.exact <= terms and len(claim.substance & terms) >= share * len(claim.substance)
