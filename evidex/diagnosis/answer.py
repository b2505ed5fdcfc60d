"""B11: does the answer say what the evidence says, all of it, and nothing that its citations do not?"""

from __future__ import annotations

from collections.abc import Iterable

from evidex.diagnosis.content import SAME, figures, foreign_figures, holds_words, share
from evidex.diagnosis.inquiry import Inquiry, Need, said_by, verified
from evidex.diagnosis.verdict import Finding
from evidex.types import Claim

_FEWEST_TERMS = 2


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is said, and by claims that rest on what stands."""
    if inquiry.outcome.answer is None or inquiry.abstention_is_right:
        return Finding("nothing was to be said")
    for need in inquiry.unmet:
        contradicted = _contradicted(need, inquiry)
        if contradicted is not None:
            return contradicted
        if not any(misquoted(inquiry, need)):
            return _unsaid(need, inquiry)
    if not inquiry.needs and not inquiry.claims:
        return _unsupported(inquiry)
    return Finding("the answer says what the evidence says", ("answer",))


def misquoted(inquiry: Inquiry, need: Need) -> Iterable[Claim]:
    """The claims that say what the evidence says, with citations none of which stands."""
    return (
        claim
        for claim in (*inquiry.claims, *inquiry.rejected)
        if claim.citations and not verified(claim) and _says(claim, need, inquiry)
    )


def _says(claim: Claim, need: Need, inquiry: Inquiry) -> bool:
    """Whether the words of a claim are those of this need, more than of any other, with no figure of their own."""
    nearest = max(_shared(claim, other, inquiry) for other in inquiry.needs)
    if _shared(claim, need, inquiry) < max(SAME, nearest):
        return False
    around = [chunk.indexed_text for chunk in inquiry.carriers(need)]
    words = [inquiry.words(fact) for fact in need.facts]
    return not foreign_figures(claim.text, inquiry.case.question, *words, *around)


def _shared(claim: Claim, need: Need, inquiry: Inquiry) -> float:
    """The share of terms that a claim has in common with a need's words; 0 where that is a single term of several."""
    said = inquiry.terms(claim.text)
    shares = [0.0]
    for fact in need.facts:
        common = inquiry.terms(inquiry.words(fact))
        if len(said & common) >= min(_FEWEST_TERMS, len(common)):
            shares.append(share(said, common))
    return max(shares)


def _unsaid(need: Need, inquiry: Inquiry) -> Finding:
    inventing = next((c for c in inquiry.claims if inquiry.cites(c, need) and inquiry.invented(c)), None)
    if inventing is not None:
        return Finding(
            f"“{inventing.text}” says {', '.join(inquiry.invented(inventing))}, which nothing that was delivered says",
            _links(inventing),
            "UNSUPPORTED",
        )
    citing = [claim for claim in inquiry.claims if inquiry.cites(claim, need)]
    if citing:
        return Finding(
            f"the answer cites {need}, and does not say {', '.join(inquiry.unsaid_figures(need, citing))}",
            ("answer", *inquiry.ids(need)),
            "INCOMPLETE",
        )
    said = [other for other in inquiry.needs if other not in inquiry.unmet or any(misquoted(inquiry, other))]
    if said:
        return Finding(
            f"the answer says {len(said)} of {len(inquiry.needs)} evidences; {need} was delivered, and is not in it",
            ("answer", *inquiry.ids(need)),
            "INCOMPLETE",
        )
    return _unsupported(inquiry) if inquiry.rejected or not inquiry.claims else _elsewhere(need, inquiry)


def _contradicted(need: Need, inquiry: Inquiry) -> Finding | None:
    """A claim cites another version of the document, or says a figure or quotes words that only that one has."""
    for other in inquiry.others(need):
        text = said_by(other, inquiry.system)
        for claim in (*inquiry.claims, *inquiry.rejected):
            if _is_of(claim, need, inquiry, other.key, text):
                version = f"{other.metadata.id} v{other.metadata.version}"
                return Finding(
                    f"“{claim.text}” is what {version} says, and not what {need} says",
                    (*_links(claim), other.key),
                    "CONTRADICTED",
                )
    return None


def _is_of(claim: Claim, need: Need, inquiry: Inquiry, key: str, text: str) -> bool:
    if any(citation.key == key for citation in verified(claim)):
        return True
    right = [inquiry.revision(fact).text or "" for fact in need.facts]
    quotes = [citation.quote for citation in claim.citations if citation.status != "verified"]
    if any(holds_words(text, quote) and not any(holds_words(own, quote) for own in right) for quote in quotes):
        return True
    stated = foreign_figures(claim.text, inquiry.case.question, *right)
    if not stated or foreign_figures(" ".join(stated), text):
        return False
    return share(inquiry.terms(claim.text), inquiry.terms(text)) >= SAME


def _unsupported(inquiry: Inquiry) -> Finding:
    claim = inquiry.rejected[0] if inquiry.rejected else None
    if claim is None:
        return Finding("the generator drafted nothing", ("answer",), "UNSUPPORTED")
    how = "cites nothing" if not claim.citations else f"cites what does not stand ({_statuses(claim)})"
    figured = f", with figures {', '.join(figures(claim.text))}" if inquiry.invented(claim) else ""
    return Finding(f"“{claim.text}” {how}{figured}", _links(claim), "UNSUPPORTED")


def _elsewhere(need: Need, inquiry: Inquiry) -> Finding:
    cited = [citation for claim in inquiry.claims for citation in verified(claim)]
    places = ", ".join(dict.fromkeys(f"{c.document} v{c.version}, {c.unit} {c.number}" for c in cited))
    return Finding(
        f"{need} was delivered, and the answer was made from {places}",
        ("answer", *dict.fromkeys(citation.chunk for citation in cited)),
        "NOT_EXTRACTED",
    )


def _statuses(claim: Claim) -> str:
    return ", ".join(dict.fromkeys(citation.status for citation in claim.citations))


def _links(claim: Claim) -> tuple[str, ...]:
    return ("answer", *dict.fromkeys(citation.chunk for citation in claim.citations))
