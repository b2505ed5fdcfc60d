"""B0: may this asker be answered from the evidence at all? Is it there, in force, readable, and the only version?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from evidex.diagnosis.content import holds_words
from evidex.diagnosis.inquiry import Inquiry, Need, keys_of, said_by, verified
from evidex.diagnosis.verdict import Finding
from evidex.judging import Revision
from evidex.types import Evidence

_PARTS = re.compile(r"\d+|\D+")


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need may be answered from, and nothing that is withheld may be read."""
    for document in inquiry.case.withheld:
        for revision in inquiry.revisions(document):
            if revision.readable and revision.in_force:
                readers = ", ".join(sorted(revision.metadata.readers))
                return Finding(
                    f"{named(revision)} is readable by this asker (readers: {readers}); the case says that it must "
                    "not be shown to them",
                    (document, revision.key),
                    "ACCESS_WIDENED",
                )
    for need in inquiry.unmet:
        found = absent(need, inquiry) or _unreadable(need, inquiry) or _rivalled(need, inquiry)
        if found is not None:
            return found
    if not inquiry.unmet:
        return Finding("this asker can read nothing that is withheld from them", inquiry.case.withheld)
    standing = {inquiry.revision(fact).key: inquiry.revision(fact) for need in inquiry.unmet for fact in need.facts}
    names = ", ".join(named(revision) for revision in standing.values()) or "the documents"
    return Finding(f"in force and readable: {names}", tuple(revision.key for revision in standing.values()))


def absent(need: Need, inquiry: Inquiry) -> Finding | None:
    """Why no evidence of a need is in force; None where one is, or where something newer took its place."""
    if need.facts or not need.evidences:
        return None
    found = [_absence(evidence, inquiry) for evidence in need.evidences]
    return found[0] if all(finding is not None for finding in found) else None


def _absence(evidence: Evidence, inquiry: Inquiry) -> Finding | None:
    document = evidence.document
    there = [revision for revision in inquiry.revisions(document) if revision.state != "deleted"]
    if not there:
        return _missing(evidence, inquiry)
    wanted = _wanted_of(evidence, there)
    if any(revision.in_force for revision in wanted):
        return _overtaken(evidence, there, inquiry)
    if successor(evidence, inquiry) is not None:
        return None  # replaced by a newer one, as documents are
    now = [other for other in _family(there, inquiry) if other.in_force]
    instead = max((other for other in now if other.readable), key=_age, default=None)
    if instead is not None:
        return Finding(
            f"{named(instead)} is in force instead of {_wanted(evidence, wanted)}",
            (document, instead.key),
            "WRONG_VERSION",
        )
    if not wanted:
        return _missing(evidence, inquiry)
    latest = max(wanted, key=_age)
    if latest.metadata.retired:
        return Finding(f"{named(latest)} is retired, and nothing newer is in force", (latest.key,), "SOURCE_RETIRED")
    return Finding(f"{named(latest)} is not in force: {_interval(latest, inquiry)}", (latest.key,), "NOT_IN_FORCE")


def successor(evidence: Evidence, inquiry: Inquiry) -> Revision | None:
    """What is in force now in the place of the version that the evidence names, and is newer than that."""
    there = [revision for revision in inquiry.revisions(evidence.document) if revision.state != "deleted"]
    wanted = _wanted_of(evidence, there)
    if not wanted or any(revision.in_force for revision in wanted):
        return None
    saying = [r for r in wanted if evidence.quote and holds_words(said_by(r, inquiry.system), evidence.quote)]
    newest = max((other for other in _family(there, inquiry) if other.in_force), key=_age, default=None)
    return newest if newest is not None and _age(newest) > max(map(_age, saying or wanted)) else None


def _wanted_of(evidence: Evidence, revisions: Sequence[Revision]) -> list[Revision]:
    """The revisions that the evidence may mean: those of its version, where it pins one."""
    return [revision for revision in revisions if evidence.version in ("", revision.metadata.version)]


def _overtaken(evidence: Evidence, revisions: Sequence[Revision], inquiry: Inquiry) -> Finding | None:
    """An older version answers, and the newer one that has the words is not in force."""
    standing = max((revision for revision in revisions if revision.in_force), key=_age)
    for other in revisions:
        newer = not other.in_force and _age(other) > _age(standing)
        if newer and evidence.quote and holds_words(said_by(other, inquiry.system), evidence.quote):
            return Finding(
                f"{named(standing)} is in force instead of {named(other)}, which has the evidence",
                (evidence.document, standing.key, other.key),
                "WRONG_VERSION",
            )
    return None


def _missing(evidence: Evidence, inquiry: Inquiry) -> Finding:
    document = evidence.document
    revisions = inquiry.revisions(document)
    if revisions:
        version = f", version {evidence.version}," if evidence.version else ""
        was = "was deleted" if all(revision.state == "deleted" for revision in revisions) else "was never ingested"
        return Finding(f"{document}{version} {was}", (document,), "SOURCE_MISSING")
    elsewhere = "; another tenant has one of that id" if document in inquiry.system.documents() else ""
    return Finding(f"{document} was never ingested for the asker's tenant{elsewhere}", (document,), "SOURCE_MISSING")


def _unreadable(need: Need, inquiry: Inquiry) -> Finding | None:
    standing = [inquiry.revision(fact) for fact in need.facts] or [
        revision for document in need.documents for revision in inquiry.revisions(document) if revision.in_force
    ]
    if not standing or any(revision.readable for revision in standing):
        return None
    first = standing[0]
    return Finding(
        f"{named(first)} is not readable by this asker (readers: {', '.join(sorted(first.metadata.readers))}), and "
        "the case says that they can be answered from it",
        (first.key,),
        "ACCESS_NARROWED",
    )


def _rivalled(need: Need, inquiry: Inquiry) -> Finding | None:
    """Another version in force at the same time that is cited, delivered, or found before the right one."""
    if not need.facts:
        return None
    languages = {inquiry.revision(fact).metadata.language for fact in need.facts}
    for rival in inquiry.others(need):
        spoken = rival.metadata.language
        if not (rival.in_force and rival.in_scope) or not (spoken in languages or not spoken or "" in languages):
            continue
        how = _how_it_shows(rival, need, inquiry)
        if how is not None:
            right = inquiry.revision(need.facts[0])
            chunks = tuple(chunk.id for chunk in rival.chunks)
            return Finding(
                f"{named(rival)} is in force beside {named(right)}, and {how}", (rival.key, *chunks), "WRONG_VERSION"
            )
    return None


def _how_it_shows(rival: Revision, need: Need, inquiry: Inquiry) -> str | None:
    if rival.key in keys_of(need):
        return None
    if _cited([rival], inquiry):
        return "the answer cites it"
    if any(passage.chunk.key == rival.key for passage in inquiry.passages):
        return "it was delivered"
    place = {id: rank for rank, id in enumerate(inquiry.outcome.order, start=1)}
    its = min((place[chunk.id] for chunk in rival.chunks if chunk.id in place), default=None)
    right = min((place[id] for id in inquiry.ids(need) if id in place), default=len(place) + 1)
    return f"it ranks {its}, before the right one" if its is not None and its < right else None


def _cited(revisions: Sequence[Revision], inquiry: Inquiry) -> bool:
    keys = {revision.key for revision in revisions}
    return any(citation.key in keys for claim in inquiry.claims for citation in verified(claim))


def _family(revisions: Sequence[Revision], inquiry: Inquiry) -> list[Revision]:
    families = sorted({revision.family for revision in revisions})
    relatives = [relative for family in families for relative in inquiry.system.relatives(family, inquiry.case)]
    return list({revision.key: revision for revision in (*revisions, *relatives)}.values())


def _age(revision: Revision) -> tuple[date, list[tuple[int, int | str]]]:
    """Newer is greater: by the first day in force, then by the version, numbers in it compared as numbers."""
    parts = _PARTS.findall(revision.metadata.version)
    version = [(1, int(part)) if part.isdecimal() else (0, part) for part in parts]
    return revision.metadata.effective_from or date.min, version


def _wanted(evidence: Evidence, wanted: Sequence[Revision]) -> str:
    return named(wanted[0]) if wanted else f"{evidence.document} v{evidence.version}, which was never ingested"


def named(revision: Revision) -> str:
    """A revision as people call it."""
    return f"{revision.metadata.id} v{revision.metadata.version}"


def _interval(revision: Revision, inquiry: Inquiry) -> str:
    begin, end = revision.metadata.effective_from, revision.metadata.effective_to
    if revision.state == "superseded":
        return "it was superseded"
    asked = "today" if inquiry.case.as_of is None else f"on {inquiry.case.as_of}"
    return f"it answers from {begin or 'ever'} until {end or 'ever'}, and is asked for {asked}"
