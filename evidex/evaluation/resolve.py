"""Where does the evidence of a case stand in this generation? Quotes and spans become chunks, however they were cut."""

from __future__ import annotations

from dataclasses import dataclass

from evidex.errors import ConfigError
from evidex.grounding.locate import places
from evidex.judging import Revision, System
from evidex.types import Case, Chunk, ChunkId, DocumentKey, Evidence


@dataclass(frozen=True, slots=True)
class Fact:
    """One evidence of a case where it stands: `text[start:end]` of a revision in force.

    `chunks` hold it whole; where no chunk does, they are those that share text with it, and `whole` is False.
    `located` is False for evidence that is a whole document.
    """

    evidence: Evidence
    key: DocumentKey
    family: str
    start: int
    end: int
    chunks: tuple[ChunkId, ...]
    whole: bool
    located: bool


@dataclass(frozen=True, slots=True)
class Turnover:
    """Evidence that no version in force holds any more, and why: the corpus has moved on, which is no one's failure."""

    evidence: Evidence
    reason: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A case with its evidence found in a generation, in the order of the case."""

    case: Case
    facts: tuple[Fact, ...]
    turnover: tuple[Turnover, ...]


def resolve(case: Case, system: System) -> Resolved:
    """Find the evidence of a case. Raises `ConfigError`, with line and id, for a quote that occurs twice."""
    found = [_resolved(evidence, case, system) for evidence in case.evidence]
    return Resolved(
        case,
        tuple(fact for fact in found if isinstance(fact, Fact)),
        tuple(gone for gone in found if isinstance(gone, Turnover)),
    )


def place_of(case: Case) -> str:
    """How a sentence names a case: by its id, and its line where it has been read from a file."""
    return f"Case {case.id!r}" + (f" (line {case.line})" if case.line else "")


def _resolved(evidence: Evidence, case: Case, system: System) -> Fact | Turnover:
    revisions = system.revisions(evidence.document, case)
    standing = [revision for revision in revisions if revision.in_force and revision.text is not None]
    if evidence.version:
        standing = [revision for revision in standing if revision.metadata.version == evidence.version]
    if not standing:
        return Turnover(evidence, _why_gone(evidence, revisions))
    for revision in standing:
        span = _span(evidence, revision, case)
        if span is not None:
            return _fact(evidence, revision, *span)
    version = standing[0].metadata.version
    what = f"{evidence.quote!r}" if evidence.quote else f"the span {evidence.span}"
    return Turnover(evidence, f"{what} is not in version {version} of {evidence.document!r}")


def _span(evidence: Evidence, revision: Revision, case: Case) -> tuple[int, int] | None:
    text = revision.text or ""
    if evidence.quote:
        found = list(places(evidence.quote, text, 0, len(text)))
        if evidence.span is not None:
            found = [place for place in found if place == evidence.span] or found
        if len(found) > 1:
            raise ConfigError(
                f"{place_of(case)}: {evidence.quote!r} occurs {len(found)} times in {evidence.document!r}.",
                "Quote more of it, or give its span beside it.",
            )
        return found[0] if found else None
    if evidence.span is not None:
        start, end = evidence.span
        return (start, end) if end <= len(text) else None
    return 0, len(text)


def _fact(evidence: Evidence, revision: Revision, start: int, end: int) -> Fact:
    located = bool(evidence.quote or evidence.span)
    holding = revision.chunks if not located else tuple(c for c in revision.chunks if _holds(c, start, end))
    sharing = holding or tuple(c for c in revision.chunks if c.start < end and start < c.end)
    return Fact(
        evidence=evidence,
        key=revision.key,
        family=revision.family,
        start=start,
        end=end,
        chunks=tuple(chunk.id for chunk in sharing),
        whole=bool(holding),
        located=located,
    )


def _holds(chunk: Chunk, start: int, end: int) -> bool:
    return chunk.start <= start and end <= chunk.end


def _why_gone(evidence: Evidence, revisions: tuple[Revision, ...]) -> str:
    name = f"{evidence.document!r}" + (f", version {evidence.version!r}," if evidence.version else "")
    if not [revision for revision in revisions if revision.state != "deleted"]:
        return f"there is no document {name} any more"
    if not any(revision.in_force for revision in revisions):
        return f"no revision of {name} is in force"
    return f"the generation does not hold what is in force of {name}"
