"""B5: did the search see what this asker may see, all of it and nothing else?"""

from __future__ import annotations

from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding
from evidex.judging import Revision
from evidex.types import Metadata


def check(inquiry: Inquiry) -> Finding:
    """Whether the search saw every unmet need, and nothing that it should not have seen."""
    leaked = leak(inquiry)
    if leaked is not None:
        return leaked
    for need in inquiry.unmet:
        found = _hidden(need, inquiry)
        if found is not None:
            return found
    seen = len(inquiry.outcome.trace.documents)
    return Finding(f"none of {seen} candidates is outside what this asker may see", ("scope",))


def leak(inquiry: Inquiry) -> Finding | None:
    """A document that the search saw although this asker may not read it, it is not in force, or a filter bars it."""
    for document in inquiry.case.withheld:
        for revision in inquiry.revisions(document):
            if revision.in_scope and not revision.readable:
                return _leaked(revision, "is in scope, and not readable by this asker")
    delivered = [passage.chunk for passage in inquiry.passages]
    candidates = inquiry.system.chunks(sorted(inquiry.outcome.trace.documents))
    for chunk in {chunk.key: chunk for chunk in (*delivered, *candidates)}.values():
        known = next((r for r in inquiry.revisions(chunk.document) if r.key == chunk.key), None)
        if known is None:
            sentence = f"{chunk.document} was a candidate, and nothing of the asker's tenant has that name and text"
            return Finding(sentence, (chunk.document, chunk.id), "UNDER_FILTER")
        if not known.readable:
            return _leaked(known, "was a candidate, and is not readable by this asker")
        if not known.in_force:
            return _leaked(known, "was a candidate, and is not in force")
        if barred := _barred(known.metadata, inquiry):
            return _leaked(known, f"was a candidate, and does not pass the filter {barred}")
    return None


def _leaked(revision: Revision, what: str) -> Finding:
    name = f"{revision.metadata.id} v{revision.metadata.version}"
    return Finding(f"{name} {what}", (revision.metadata.id, revision.key), "UNDER_FILTER")


def _hidden(need: Need, inquiry: Inquiry) -> Finding | None:
    standing = [inquiry.revision(fact) for fact in need.facts]
    if not standing or any(revision.in_scope for revision in standing):
        return None
    first = standing[0]
    barred = _barred(first.metadata, inquiry)
    why = f"the filter {barred} that the case asks with bars it" if barred else "no filter that was asked for bars it"
    return Finding(
        f"{first.metadata.id} v{first.metadata.version} is readable and in force, and was not searched: {why}",
        ("scope", first.key),
        "OVER_FILTER",
    )


def _barred(metadata: Metadata, inquiry: Inquiry) -> str | None:
    """The first filter of the case that a document does not pass."""
    values = {
        "tag": metadata.tags,
        "document": {metadata.id},
        "family": {metadata.family},
        "language": {metadata.language},
    }
    failing = (f"{field}={value}" for field, value in inquiry.case.filters if value not in values.get(field, {value}))
    return next(failing, None)
