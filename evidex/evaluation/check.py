"""Does a golden set speak of this corpus? What it names that was never there, and words that stand nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from evidex.errors import AccessError, ConfigError, EvidexError
from evidex.evaluation.golden import GoldenSet
from evidex.evaluation.resolve import Turnover, place_of, resolve
from evidex.grounding.locate import places
from evidex.judging import Revision, System
from evidex.types import Case, DocumentId, Evidence


def check_against(golden: GoldenSet, system: System) -> tuple[str, ...]:
    """One sentence for each thing that is wrong with a golden set beside a system, in the order of cases.

    Wrong are documents that no revision has ever had in the asker's tenant, words or spans in no revision, words that
    occur twice, and askers and filters that there are not. Evidence of which the corpus has moved on is not wrong:
    `resolve` gives it as turnover; nor is a case that this generation cannot be asked, such as one of an earlier day.
    """
    known = frozenset(system.documents())
    return tuple(
        problem if problem.startswith(place_of(case)) else f"{place_of(case)}: {problem}"
        for case in golden.cases
        for problem in _problems(case, system, known)
    )


def _problems(case: Case, system: System, known: frozenset[DocumentId]) -> Iterator[str]:
    for document in case.withheld:
        if document not in known:
            yield f"there has never been a document {document!r}, which it withholds."
    try:
        system.visible_chunks(case)  # raises where the asker or a filter is unknown, evidence or not
        gone = resolve(case, system).turnover
    except (AccessError, ConfigError) as error:
        yield str(error)
        return
    except EvidexError:
        return
    for turnover in gone:
        yield from _never_there(turnover, case, system, known)


def _never_there(turnover: Turnover, case: Case, system: System, known: frozenset[DocumentId]) -> Iterator[str]:
    evidence = turnover.evidence
    revisions = system.revisions(evidence.document, case)
    versions = {revision.metadata.version for revision in revisions}
    if not revisions:
        near = [
            id for id in get_close_matches(evidence.document, sorted(known)) if system.revisions(DocumentId(id), case)
        ]
        meant = f" Is it {near[0]!r}?" if near else ""
        yield f"there has never been a document {evidence.document!r} in the tenant of its asker.{meant}"
    elif evidence.version and evidence.version not in versions:
        yield f"there has never been a version {evidence.version!r} of {evidence.document!r}."
    elif not any(_may_hold(revision, evidence, system) for revision in revisions):
        what = f"{evidence.quote!r} stands" if evidence.quote else f"the span {evidence.span} is"
        yield f"{what} in no version of {evidence.document!r}."


def _may_hold(revision: Revision, evidence: Evidence, system: System) -> bool:
    """Whether a revision holds the evidence; one whose text is no longer there may."""
    if evidence.version and revision.metadata.version != evidence.version:
        return False
    text = revision.text if revision.text is not None else system.source_text(revision.key)
    if text is None:
        return True
    if evidence.quote:
        return any(True for _ in places(evidence.quote, text, 0, len(text)))
    return evidence.span is None or evidence.span[1] <= len(text)
