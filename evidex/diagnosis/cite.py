"""B12: do the citations of what was rightly said stand?"""

from __future__ import annotations

from evidex.diagnosis.answer import misquoted
from evidex.diagnosis.inquiry import Inquiry
from evidex.diagnosis.verdict import Finding
from evidex.types import Citation


def check(inquiry: Inquiry) -> Finding:
    """Whether what was said of every unmet need has a citation that stands."""
    for need in inquiry.unmet:
        claim = next(iter(misquoted(inquiry, need)), None)
        if claim is not None:
            return _unfounded(claim.citations[0], inquiry)
    return Finding("what is cited stands", ("answer",))


def _unfounded(citation: Citation, inquiry: Inquiry) -> Finding:
    said = f"the answer says what the evidence says, and cites {citation.chunk}"
    if citation.status == "not_verbatim":
        sentence = f"{said}, where “{citation.quote}” does not stand word for word"
        return Finding(sentence, ("answer", citation.chunk), "NOT_VERBATIM")
    if citation.status == "not_in_force":
        sentence = f"{said}, of {citation.document} v{citation.version}, which was no longer in force"
        return Finding(sentence, ("answer", citation.chunk, citation.key), "STALE_VERSION")
    if inquiry.exists(citation.chunk):
        return Finding(f"{said}, which was not delivered", ("answer", citation.chunk), "NOT_IN_CONTEXT")
    return Finding(f"{said}, which does not exist", ("answer", citation.chunk), "INVALID_ID")
