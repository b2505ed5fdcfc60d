"""B3: can the generation return the evidence, and is what it sealed of it what it is asked with?"""

from __future__ import annotations

from evidex.analysis.identifiers import identifiers
from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding
from evidex.types import ChunkId

LEAST_FIDELITY = 0.99
"""The least cosine of a sealed vector and a fresh one that the rounding of a model may account for."""

_MEASURED = 8  # chunks of a document that is evidence as a whole: each has to be embedded anew


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is sealed, can be returned, and was sealed as it is asked for."""
    for need in inquiry.unmet:
        found = _omitted(need, inquiry) or _unreachable(need, inquiry) or _unfaithful(need, inquiry)
        found = found or _blind(need, inquiry)
        if found is not None:
            return found
    ids = tuple(id for need in inquiry.unmet for id in inquiry.ids(need))
    return Finding("sealed, and what is sealed is what the question is asked with" if ids else "nothing sealed", ids)


def _omitted(need: Need, inquiry: Inquiry) -> Finding | None:
    if inquiry.carriers(need):
        return None
    if need.facts:
        fact = need.facts[0]
        return Finding(
            f"the generation holds {fact.evidence.document}, and no chunk of it has {fact.start}–{fact.end}: {need}",
            (fact.key,),
            "OMITTED",
        )
    for document in need.documents:
        for revision in inquiry.revisions(document):
            if revision.in_force and revision.text is None:
                return Finding(
                    f"{document} v{revision.metadata.version} is in force, and the generation does not hold it: it was "
                    "built before",
                    (revision.key,),
                    "OMITTED",
                )
    return None


def _unreachable(need: Need, inquiry: Inquiry) -> Finding | None:
    """In scope, of words that the question has, and in no channel's list however long."""
    if not any(inquiry.revision(fact).in_scope for fact in need.facts):
        return None
    ranks = inquiry.ranks(need)
    if any(ranks.values()):
        return None
    asked = inquiry.terms(inquiry.case.question)
    common = sorted({term for chunk in inquiry.carriers(need) for term in asked & inquiry.terms(chunk.indexed_text)})
    if not common:
        return None
    return Finding(
        f"no channel returns it at any rank ({', '.join(ranks)}), though it has words of the question: "
        f"{', '.join(common[:5])}",
        inquiry.ids(need),
        "OMITTED",
    )


def _unfaithful(need: Need, inquiry: Inquiry) -> Finding | None:
    measured: dict[ChunkId, float] = {}
    for id in inquiry.ids(need)[:_MEASURED]:
        fidelity = inquiry.system.fidelity(id)
        if fidelity is None or fidelity >= LEAST_FIDELITY:
            return None
        measured[id] = fidelity
    if not measured:
        return None
    best = max(measured.values())
    return Finding(
        f"the sealed vector and what the embedder makes of the passage now have a cosine of {best:.3f}, not 1: they "
        "were made with another prefix, model or revision",
        tuple(measured),
        "EMBED_CONTRACT",
    )


def _blind(need: Need, inquiry: Inquiry) -> Finding | None:
    terms = inquiry.system.terms(inquiry.case.question)
    asked = identifiers(inquiry.case.question)
    shared = {name for chunk in inquiry.carriers(need) for name in identifiers(chunk.indexed_text) if name in asked}
    lost = sorted(name for name in shared if not any(name in term for term in terms))
    if not lost:
        return None
    return Finding(
        f"question and evidence share {', '.join(lost)}, and keyword search has no term for it, only: "
        f"{', '.join(terms) or 'none'}",
        inquiry.ids(need),
        "TERMS_LOST",
    )
