"""B13: is it the judgment that is wrong? The answer is the reference answer, and its citations stand."""

from __future__ import annotations

from evidex.diagnosis.content import figures, foreign_figures
from evidex.diagnosis.inquiry import Inquiry, Need, verified
from evidex.diagnosis.verdict import Finding
from evidex.types import Citation

_MOST = 0.8
_FEWEST_TERMS = 2


def check(inquiry: Inquiry) -> Finding:
    """Whether anything speaks against the judgment of the case."""
    return wrong_judgment(inquiry) or Finding("nothing speaks against the judgment")


def wrong_judgment(inquiry: Inquiry) -> Finding | None:
    """The finding of a case whose answer is what the case says it should be, from another place.

    The answer has to have most terms and every figure of the reference answer (or of every nugget), the cited quotes
    every figure. The cited place has to match the question no less than the judged one does, unless the judged one
    does not hold the reference answer at all; and it may not be another version of the judged document.
    """
    cited = [citation for claim in inquiry.claims for citation in verified(claim)]
    references = inquiry.case.nuggets or ((inquiry.case.answer,) if inquiry.case.answer else ())
    if not cited or not references or any(inquiry.invented(claim) for claim in inquiry.claims):
        return None
    said = " ".join(claim.text for claim in inquiry.claims)
    if not all(_holds(said, reference, inquiry) for reference in references):
        return None
    if any(foreign_figures(reference, inquiry.case.question, *(c.quote for c in cited)) for reference in references):
        return None
    places = ", ".join(dict.fromkeys(f"{c.document} v{c.version}, {c.unit} {c.number}" for c in cited))
    links = ("answer", *dict.fromkeys(citation.chunk for citation in cited))
    if inquiry.abstention_is_right:
        sentence = f"the case says that there is no answer, and gives the one that was found in {places}"
        return Finding(sentence, links, "WRONG_JUDGMENT")
    if not inquiry.unmet or any(_is_version(cited, need, inquiry) for need in inquiry.unmet):
        return None
    for need in inquiry.unmet:
        if _judged_place_holds(need, references, inquiry) and not _matches_no_less(cited, need, inquiry):
            return None
    sentence = f"the answer is the reference answer, from {places}; the case judges {inquiry.unmet[0]} instead"
    return Finding(sentence, links, "WRONG_JUDGMENT")


def _holds(text: str, reference: str, inquiry: Inquiry) -> bool:
    wanted = inquiry.terms(reference)
    if len(wanted) < _FEWEST_TERMS and not figures(reference):
        return False
    return len(wanted & inquiry.terms(text)) >= _MOST * len(wanted) and not foreign_figures(
        reference, text, inquiry.case.question
    )


def _is_version(cited: list[Citation], need: Need, inquiry: Inquiry) -> bool:
    others = {revision.key for revision in inquiry.others(need)}
    return any(citation.key in others for citation in cited)


def _judged_place_holds(need: Need, references: tuple[str, ...], inquiry: Inquiry) -> bool:
    texts = [chunk.indexed_text for chunk in inquiry.carriers(need)] or [inquiry.words(fact) for fact in need.facts]
    return any(_holds(text, reference, inquiry) for text in texts for reference in references)


def _matches_no_less(cited: list[Citation], need: Need, inquiry: Inquiry) -> bool:
    asked = inquiry.terms(inquiry.case.question)
    titles = {passage.chunk.id: passage.title for passage in inquiry.passages}
    chunks = inquiry.system.chunks(list(dict.fromkeys(citation.chunk for citation in cited)))
    found = frozenset().union(*(inquiry.terms(f"{titles.get(c.id, '')}\n{c.indexed_text}") for c in chunks))
    judged = [asked & inquiry.terms(chunk.indexed_text) for chunk in inquiry.carriers(need)]
    return all(matched <= found for matched in judged)
