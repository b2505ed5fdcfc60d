"""B1: did the parser keep the words? Those of the source are compared with those of the parsed text."""

from __future__ import annotations

from evidex.diagnosis.content import holds_words
from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is in the parsed text."""
    for need in inquiry.unmet:
        found = parser_loss(need, inquiry)
        if found is not None:
            return found
    read = tuple(dict.fromkeys(fact.key for need in inquiry.unmet for fact in need.facts))
    return Finding("the parsed text has every word of the evidence" if read else "nothing to look for", read)


def parser_loss(need: Need, inquiry: Inquiry) -> Finding | None:
    """The finding of a need whose words a revision in force has in its source and not in its text."""
    if need.facts:
        return None
    for evidence in need.evidences:
        for revision in inquiry.revisions(evidence.document):
            if not revision.in_force or evidence.version not in ("", revision.metadata.version):
                continue
            if revision.text is None or not evidence.quote or holds_words(revision.text, evidence.quote):
                continue
            if holds_words(inquiry.system.source_text(revision.key) or "", evidence.quote):
                return Finding(
                    f"the source of {evidence.document} v{revision.metadata.version} has {need}, its parsed text does "
                    "not",
                    (revision.key,),
                    "PARSER_LOSS",
                )
    return None
