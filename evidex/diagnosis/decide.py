"""B10: was it right to answer, or right not to?"""

from __future__ import annotations

from evidex.diagnosis.inquiry import Inquiry, verified
from evidex.diagnosis.verdict import Finding


def check(inquiry: Inquiry) -> Finding:
    """Whether there is an answer exactly where there should be one."""
    answer = inquiry.outcome.answer
    if answer is None:
        return Finding("no answer was asked for")
    if inquiry.abstention_is_right:
        return _answered(inquiry) if answer.claims else Finding(f"rightly no answer: {answer.abstention}", ("answer",))
    if answer.claims or answer.rejected:
        return Finding("an answer was given" if answer.claims else "an answer was drafted, and none of it stood")
    return Finding(
        f"the evidence was delivered, and no answer was given: {answer.abstention}",
        ("answer", *(id for need in inquiry.unmet for id in inquiry.ids(need))),
        "FALSE_ABSTENTION",
    )


def _answered(inquiry: Inquiry) -> Finding:
    cited = [citation for claim in inquiry.claims for citation in verified(claim)]
    documents = ", ".join(dict.fromkeys(f"{citation.document} v{citation.version}" for citation in cited))
    return Finding(
        f"there is nothing to answer from, and an answer was given from {documents}: “{inquiry.claims[0].text}”",
        ("answer", *dict.fromkeys(citation.chunk for citation in cited)),
        "FALSE_ANSWER",
    )
