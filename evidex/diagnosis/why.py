"""Why is what somebody expected not in the answer? A case is made of the words, and diagnosed."""

from __future__ import annotations

from dataclasses import replace

from evidex.diagnosis.content import holds_words
from evidex.diagnosis.diagnose import ONE_QUESTION, diagnose_case, verdict_of
from evidex.diagnosis.taxonomy import BOUNDARIES
from evidex.diagnosis.verdict import CaseVerdict, Finding, Step
from evidex.grounding.locate import places
from evidex.judging import Revision, System
from evidex.types import Case, DocumentId, Evidence


def why(
    case: Case, expected: str, system: System, *, document: DocumentId | None = None, confirm: bool = False
) -> CaseVerdict:
    """Diagnose a question whose answer stands, word for word, in the `expected` quote, wherever that is.

    `case` says what is asked, by whom and as of when; its own evidence is left aside. Where several documents hold the
    words, any of them is enough; `document` narrows that to one. Where none does, that is the verdict.
    """
    asked = replace(case, id=case.id or ONE_QUESTION, answerable=True, answer="", nuggets=(), evidence=())
    documents = system.documents() if document is None else (document,)
    revisions = [(name, system.revisions(name, asked)) for name in documents]
    evidence = tuple(found for name, known in revisions for found in _evidence(name, known, expected, system))
    if evidence:
        verdict = diagnose_case(replace(asked, evidence=evidence), system, confirm=confirm, any_of=True)
        return replace(verdict, expected=expected)
    return _nowhere(asked, expected, document, any(known for _, known in revisions))


def _evidence(
    document: DocumentId, revisions: tuple[Revision, ...], quote: str, system: System
) -> tuple[Evidence, ...]:
    """Every place of a document's best revision that has the words; or the document, when only its source has them."""
    there = sorted((r for r in revisions if r.state != "deleted"), key=lambda r: not r.in_force)
    for revision in there:
        text = revision.text or ""
        version = "" if revision.in_force else revision.metadata.version
        found = tuple(places(quote, text, 0, len(text)))
        if len(found) == 1:
            return (Evidence(document, version=version, quote=quote),)
        if found:
            return tuple(Evidence(document, version=version, quote=quote, span=span) for span in found)
    for revision in there:
        if holds_words(system.source_text(revision.key) or "", quote):
            return (Evidence(document, version="" if revision.in_force else revision.metadata.version, quote=quote),)
    return ()


def _nowhere(case: Case, expected: str, document: DocumentId | None, exists: bool) -> CaseVerdict:
    if document is None:
        sentence = "no document of the asker's tenant has these words, neither its text nor its source"
    elif exists:
        sentence = f"{document} does not have these words, neither its text nor its source"
    else:
        sentence = f"there is no document {document} in the asker's tenant"
    finding = Finding(sentence, () if document is None else (document,), "SOURCE_MISSING")
    step = Step(BOUNDARIES[0], finding)
    verdict = verdict_of(case, step)
    return CaseVerdict(
        case.id, case.question, case.category, expected, "", "failed", sentence, steps=(step,), verdict=verdict
    )
