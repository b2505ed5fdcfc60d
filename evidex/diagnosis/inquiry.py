"""What is known of one case: what its answer needs, where that stands, and what the trace says became of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from evidex.diagnosis.content import figures, foreign_figures
from evidex.errors import ConfigError, EvidexError
from evidex.evaluation.resolve import Fact, Turnover, resolve
from evidex.grounding.locate import places
from evidex.judging import Outcome, Revision, System
from evidex.trace import StageRecord
from evidex.types import (
    Case,
    Channel,
    Chunk,
    ChunkId,
    Citation,
    Claim,
    DocumentId,
    DocumentKey,
    Evidence,
    Passage,
    Ranking,
    Variant,
)

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that an answer rests on: evidences, any of which is enough, and where they stand."""

    evidences: tuple[Evidence, ...]
    facts: tuple[Fact, ...]
    gone: tuple[Turnover, ...]

    @property
    def documents(self) -> tuple[DocumentId, ...]:
        return tuple(dict.fromkeys(evidence.document for evidence in self.evidences))

    def __str__(self) -> str:
        evidence = self.evidences[0]
        words = " ".join(evidence.quote.split())
        short = words if len(words) <= _LONGEST_NAME else f"{words[:_LONGEST_NAME].rsplit(' ', 1)[0]} …"
        return f"“{short}” ({evidence.document})" if short else evidence.document


def needs_of(case: Case, system: System, *, any_of: bool = False) -> tuple[Need, ...]:
    """What a case requires: its evidence of the highest grade, all of it, or any where nobody says that it is answered.

    Evidence that pins no version may stand in each that is in force. Raises `ConfigError` for a quote that occurs
    twice.
    """
    best = max((evidence.grade for evidence in case.evidence), default=0)
    required = tuple(evidence for evidence in case.evidence if evidence.grade == best > 0)
    if any_of or case.answerable is None:
        return (_need(required, case, system),) if required else ()
    return tuple(_need((evidence,), case, system) for evidence in required)


def _need(evidences: tuple[Evidence, ...], case: Case, system: System) -> Need:
    found = resolve(replace(case, evidence=evidences), system)
    others = tuple(
        other
        for fact in found.facts
        if not fact.evidence.version and (fact.evidence.quote or not fact.located)
        for revision in system.revisions(fact.evidence.document, case)
        if revision.in_force and revision.key != fact.key
        for other in _in_version(fact.evidence, revision, case, system)
    )
    return Need(evidences, (*found.facts, *others), found.turnover)


def _in_version(evidence: Evidence, revision: Revision, case: Case, system: System) -> tuple[Fact, ...]:
    pinned = replace(evidence, version=revision.metadata.version, span=None)
    try:
        return resolve(replace(case, evidence=(pinned,)), system).facts
    except ConfigError:
        return ()  # said twice there, so it is not told apart


class Spot(NamedTuple):
    """A place in a revision; `located` is False for one that is a whole document."""

    key: DocumentKey
    start: int
    end: int
    located: bool


@dataclass(frozen=True)
class Inquiry:
    """One case that was asked, with what the system gave and everything that it knows of the evidence."""

    case: Case
    needs: tuple[Need, ...]
    outcome: Outcome
    system: System

    # --- what was asked for

    @cached_property
    def abstention_is_right(self) -> bool:
        """Whether there is nothing to answer from, or nothing that this asker may see."""
        wanted = [document for need in self.needs for document in need.documents]
        return self.case.answerable is False or bool(wanted and set(wanted) <= set(self.case.withheld))

    @cached_property
    def unmet(self) -> tuple[Need, ...]:
        """The needs that were not met, in the order of the case."""
        if self.abstention_is_right:
            return ()
        retrieval_alone = self.case.answerable is None or self.outcome.answer is None
        met = self.is_delivered if retrieval_alone else self.is_used
        return tuple(need for need in self.needs if not met(need))

    # --- where the evidence stands

    def revision(self, fact: Fact) -> Revision:
        return next(revision for revision in self.revisions(fact.evidence.document) if revision.key == fact.key)

    def revisions(self, document: DocumentId) -> tuple[Revision, ...]:
        if document not in self._revisions:
            self._revisions[document] = self.system.revisions(document, self.case)
        return self._revisions[document]

    @cached_property
    def _revisions(self) -> dict[DocumentId, tuple[Revision, ...]]:
        return {}

    def others(self, need: Need) -> tuple[Revision, ...]:
        """Every other revision of the documents that a need names and of their families, deleted ones left out."""
        own = {fact.key for fact in need.facts}
        documents = [revision for document in need.documents for revision in self.revisions(document)]
        families = sorted({revision.family for revision in documents})
        relatives = [revision for family in families for revision in self.system.relatives(family, self.case)]
        found = {revision.key: revision for revision in (*documents, *relatives)}
        return tuple(r for r in found.values() if r.key not in own and r.state != "deleted")

    def words(self, fact: Fact) -> str:
        """The evidence as the revision has it."""
        return (self.revision(fact).text or "")[fact.start : fact.end]

    def carriers(self, need: Need) -> tuple[Chunk, ...]:
        """The chunks that bring a need's evidence whole when they are delivered, themselves or as their parents."""
        if need not in self._carriers:
            found = {chunk.id: chunk for fact in need.facts for chunk in self._carriers_of(fact)}
            self._carriers[need] = tuple(found.values())
        return self._carriers[need]

    @cached_property
    def _carriers(self) -> dict[Need, tuple[Chunk, ...]]:
        return {}

    def _carriers_of(self, fact: Fact) -> Iterable[Chunk]:
        chunks = self.revision(fact).chunks
        if not fact.located:
            return chunks
        named = sorted({chunk.parent for chunk in chunks if chunk.parent is not None})
        parents = {parent.id: parent for parent in self.system.chunks(named)}
        delivered = ((chunk, chunk if chunk.parent is None else parents[chunk.parent]) for chunk in chunks)
        return [chunk for chunk, whole in delivered if whole.start <= fact.start and fact.end <= whole.end]

    def ids(self, need: Need) -> tuple[ChunkId, ...]:
        return tuple(chunk.id for chunk in self.carriers(need))

    def ranks(self, need: Need) -> Mapping[Channel, Mapping[ChunkId, int]]:
        """Where the carriers stand in every channel for the question as it was asked, with nothing cut off."""
        if need not in self._ranks:
            self._ranks[need] = self.system.ranks(self.case, self.ids(need))
        return self._ranks[need]

    def best_rank(self, need: Need, question: str | None = None) -> int | None:
        """The best rank of a need in any channel with nothing cut off, for the question or another one."""
        case = self.case if question is None else replace(self.case, question=question)
        ranks = self.ranks(need) if question is None else self.system.ranks(case, self.ids(need))
        return min((rank for found in ranks.values() for rank in found.values()), default=None)

    @cached_property
    def _ranks(self) -> dict[Need, Mapping[Channel, Mapping[ChunkId, int]]]:
        return {}

    # --- what the trace says

    def stage(self, name: str) -> StageRecord | None:
        return next((record for record in self.outcome.trace.stages if record.name == name), None)

    @cached_property
    def found(self) -> dict[Channel, dict[ChunkId, int]]:
        """The best rank of each chunk in each channel's list, over all wordings."""
        best: dict[Channel, dict[ChunkId, int]] = {}
        record = self.stage("retrieve")
        for ranking in record.rankings if record else ():
            ranks = best.setdefault(ranking.channel, {})
            for hit in ranking.hits:
                ranks[hit.chunk] = min(hit.rank, ranks.get(hit.chunk, hit.rank))
        return best

    @cached_property
    def routes(self) -> tuple[tuple[Variant, Ranking], ...]:
        """Every channel's ranking for every wording; () where the trace does not have them so."""
        record, query = self.stage("retrieve"), self.outcome.query
        if record is None or query is None or len(record.rankings) % len(query.variants):
            return ()
        wordings = len(query.variants)
        return tuple((query.variants[n % wordings], ranking) for n, ranking in enumerate(record.rankings))

    @property
    def passages(self) -> tuple[Passage, ...]:
        return () if self.outcome.context is None else self.outcome.context.passages

    def is_delivered(self, need: Need) -> bool:
        """Whether the words of a need reached the context, in whatever passage; where only a search was asked for,
        whether one of its carriers is among those that would have been kept."""
        if self.outcome.context is None:
            kept = self.outcome.order[: self.system.settings.reranking.limit]
            return not set(self.ids(need)).isdisjoint(kept)
        return any(
            chunk.key == key and (not located or (chunk.start <= start and end <= chunk.end))
            for chunk in (passage.chunk for passage in self.passages)
            for key, start, end, located in self.spots(need)
        )

    def spots(self, need: Need) -> tuple[Spot, ...]:
        """Where the evidence stands: in its revisions, and in passages that say the same and stand for a carrier."""
        carriers = frozenset(self.ids(need))
        twins = [passage.chunk for passage in self.passages if not carriers.isdisjoint(passage.merged)]
        own = [Spot(fact.key, fact.start, fact.end, fact.located) for fact in need.facts]
        merged = [
            Spot(twin.key, twin.start + start, twin.start + end, True)
            for twin in twins
            for fact in need.facts
            if fact.located
            for start, end in places(self.words(fact), twin.text, 0, len(twin.text))
        ]
        return (*own, *merged)

    # --- what was said

    @property
    def claims(self) -> tuple[Claim, ...]:
        return () if self.outcome.answer is None else self.outcome.answer.claims

    @property
    def rejected(self) -> tuple[Claim, ...]:
        return () if self.outcome.answer is None else self.outcome.answer.rejected

    @property
    def abstained(self) -> bool:
        return self.outcome.answer is not None and not self.outcome.answer.claims

    def is_used(self, need: Need) -> bool:
        """Whether claims that invent nothing cite the evidence, and say those of its figures that the answer needs."""
        citing = [claim for claim in self.claims if self.cites(claim, need) and not self.invented(claim)]
        return bool(citing) and not self.unsaid_figures(need, citing)

    def unsaid_figures(self, need: Need, claims: Sequence[Claim]) -> tuple[str, ...]:
        """The figures of the reference answer (or its nuggets) that the evidence has and these claims do not."""
        reference = " ".join(self.case.nuggets or (self.case.answer,))
        words = [self.words(fact) for fact in need.facts if fact.located]
        wanted = [figure for figure in figures(reference) if not foreign_figures(figure, *words)] if words else []
        said = [claim.text for claim in claims]
        return tuple(figure for figure in wanted if foreign_figures(figure, *said))

    def cites(self, claim: Claim, need: Need) -> bool:
        """Whether a verified citation of the claim has half of the evidence, or lies half within it."""
        return any(
            citation.key == key and _is_half_shared(citation.start, citation.end, start, end)
            for citation in verified(claim)
            for key, start, end, _ in self.spots(need)
        )

    def invented(self, claim: Claim) -> tuple[str, ...]:
        """The figures of a claim that neither the asker nor what was delivered gave."""
        return foreign_figures(claim.text, *self._given)

    @cached_property
    def _given(self) -> tuple[str, ...]:
        delivered = [
            f"{passage.title}\n{passage.chunk.version}\n{passage.chunk.indexed_text}" for passage in self.passages
        ]
        return (self.case.question, *self.case.history, self.case.answer, *delivered)

    def terms(self, text: str) -> frozenset[str]:
        return frozenset(self.system.terms(text))

    def exists(self, id: ChunkId) -> bool:
        """Whether the generation has a chunk with this id."""
        try:
            return bool(self.system.chunks([id]))
        except EvidexError:
            return False


def _is_half_shared(start: int, end: int, other_start: int, other_end: int) -> bool:
    shared = min(end, other_end) - max(start, other_start)
    return shared > 0 and 2 * shared >= min(end - start, other_end - other_start)


def verified(claim: Claim) -> tuple[Citation, ...]:
    """The citations of a claim that stand."""
    return tuple(citation for citation in claim.citations if citation.status == "verified")


def said_by(revision: Revision, system: System) -> str:
    """The text of a revision: as the generation has it, or as its source does."""
    return revision.text if revision.text is not None else system.source_text(revision.key) or ""


def keys_of(need: Need) -> frozenset[DocumentKey]:
    """The revisions that have a need's evidence."""
    return frozenset(fact.key for fact in need.facts)
