"""Do citations hold, and do the quotes behind them say what the claims say?"""

from __future__ import annotations

from evidex.evaluation.metrics.content import content
from evidex.evaluation.metrics.support import clauses, supports
from evidex.types import Answer, Claim


def citation_validity(answer: Answer) -> float | None:
    """The share of citations that are verified: verbatim, in this context, of a revision in force; in [0, 1].

    Those of rejected claims count too, for the generator gave them. None when nothing was cited.
    """
    citations = [citation for claim in (*answer.claims, *answer.rejected) for citation in claim.citations]
    if not citations:
        return None
    return sum(citation.status == "verified" for citation in citations) / len(citations)


def citation_containment(answer: Answer, *, language: str = "en") -> float | None:
    """The share of claims whose verified quotes contain them, word for word but in any order; in [0, 1].

    The quotes of one claim are read one after another, so each may bear a part of it. They contain it when some run of
    their clauses has every content term of it and as many negations (`support`), as a quote of the claim itself has.
    A claim without content terms ("", "the", "Do not") does not count. None when nothing was claimed.
    """
    claims = [claim for claim in answer.claims if content(claim.text, language=language).substance]
    if not claims:
        return None
    return sum(_is_contained(claim, language) for claim in claims) / len(claims)


def _is_contained(claim: Claim, language: str) -> bool:
    quotes = [citation.quote for citation in claim.citations if citation.status == "verified"]
    given = [clause for quote in quotes for clause in clauses(quote, language=language)]
    return supports(given, content(claim.text, language=language), share=1.0)
