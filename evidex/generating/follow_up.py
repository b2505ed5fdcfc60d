"""What does a follow-up ask about by itself? Its turn before helps to find evidence, and must not answer in its place.

"How long is the refund window?" followed by "And what is the dental plan?" is searched for with both, but a sentence
that says nothing of a dental plan answers the first question only.
"""

from __future__ import annotations

from evidex.ports import Analyzer
from evidex.types import Query

_POINTING = (
    "and or but what which who when where how about it its that this those these they them their one ones there same "
    "also for long much many often far soon late big large take takes need needs cost costs apply applies happen "
    "happens work works mean means go goes get gets do does"
)
"""Words with which a follow-up points back or asks for a measure; they name nothing that it is about."""


def own_terms(query: Query, analyzer: Analyzer) -> frozenset[str]:
    """The terms that a follow-up names itself; empty for a question that stands alone, or names nothing."""
    asked = " ".join(query.question.text.split())
    if query.text == asked:
        return frozenset()
    return frozenset(analyzer.terms(asked)) - frozenset(analyzer.terms(_POINTING))
