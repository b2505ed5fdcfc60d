"""What was observed of one case: the rankings of every stage, at every level, beside the judgments of that level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from evidex.evaluation.resolve import Fact, Resolved
from evidex.judging import Outcome, System
from evidex.types import Case, ChunkId

Level: TypeAlias = Literal["chunk", "source", "family", "fact"]
"""What is counted: chunks, documents, families of versions, or facts (the evidences of a case)."""
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True)
class Observed:
    """One case, where its evidence stands, and what the system gave for it."""

    resolved: Resolved
    outcome: Outcome
    system: System

    @property
    def case(self) -> Case:
        return self.resolved.case

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The relevant evidence that was found in the generation."""
        return tuple(fact for fact in self.resolved.facts if fact.evidence.grade > 0)

    @cached_property
    def stages(self) -> dict[str, tuple[ChunkId, ...]]:
        """The chunks that each channel and stage gave, best first, under its name; each chunk once.

        A channel's wordings are merged by best rank; `candidates` are all channels together, `context` is what was
        delivered (chunks merged into a passage after it), `cited` what the answer cites, `final` the whole result.
        """
        found: dict[str, list[tuple[int, ChunkId]]] = {}
        for record in self.outcome.trace.stages:
            for ranking in record.rankings:
                found.setdefault(ranking.channel, []).extend((hit.rank, hit.chunk) for hit in ranking.hits)
                if record.name == "retrieve":
                    found.setdefault("candidates", []).extend((hit.rank, hit.chunk) for hit in ranking.hits)
        rankings = {name: tuple(dict.fromkeys(id for _, id in sorted(hits))) for name, hits in found.items()}
        # A question that failed after its search has no order of its own, and was found all the same.
        searched = (*rankings["reranked"], *rankings["fused"]) if "reranked" in rankings else ()
        rankings["final"] = self.outcome.order or tuple(dict.fromkeys(searched))
        if self.outcome.context is not None:
            rankings["context"] = tuple(
                id for passage in self.outcome.context.passages for id in (passage.chunk.id, *passage.merged)
            )
        if self.outcome.answer is not None:
            cited = [citation for claim in self.outcome.answer.claims for citation in claim.citations]
            rankings["cited"] = tuple(dict.fromkeys(c.chunk for c in cited if c.status == "verified"))
        return rankings

    def ranking(self, stage: str, level: Level, depth: int | None = None) -> tuple[str, ...]:
        """What the first `depth` chunks of a stage are at a level, best first, each thing once; () without any."""
        ids = self.stages.get(stage, ())[:depth]
        if level == "chunk":
            return tuple(ids)
        if level == "fact":
            return tuple(dict.fromkeys(name for id in ids for name in self._facts_of.get(id, ())))
        if level == "family":
            return tuple(dict.fromkeys(self.system.families(ids)))
        return tuple(dict.fromkeys(self.outcome.trace.documents[id] for id in ids))

    def grades(self, level: Level) -> dict[str, int]:
        """The judgments of a level. Chunks are judged only where evidence says where in its document it stands."""
        pairs: Sequence[tuple[str, int]]
        if level == "chunk":
            pairs = [(id, f.evidence.grade) for f in self.resolved.facts if f.located for id in f.chunks]
        elif level == "fact":
            pairs = [(name, fact.evidence.grade) for name, fact in self._named_facts]
        elif level == "family":
            pairs = [(fact.family, fact.evidence.grade) for fact in self.resolved.facts]
        else:
            pairs = [(fact.evidence.document, fact.evidence.grade) for fact in self.resolved.facts]
        best: dict[str, int] = {}
        for name, grade in pairs:
            best[name] = max(grade, best.get(name, grade))
        return best

    def rank_of(self, fact: Fact, stage: str) -> int | None:
        """The best rank of a fact's chunks in a stage; None where none of them is there."""
        positions = {id: rank for rank, id in enumerate(self.stages.get(stage, ()), start=1)}
        return min((positions[id] for id in fact.chunks if id in positions), default=None)

    @cached_property
    def visible_chunks(self) -> int:
        """How many chunks the asker may see."""
        return self.system.visible_chunks(self.case)

    def chunks_of(self, fact: Fact) -> frozenset[ChunkId]:
        """Every chunk of the document that a fact stands in."""
        revisions = self.system.revisions(fact.evidence.document, self.case)
        return frozenset(chunk.id for revision in revisions if revision.key == fact.key for chunk in revision.chunks)

    @cached_property
    def passages(self) -> tuple[str, ...]:
        """The texts that were delivered, in order."""
        context = self.outcome.context
        return () if context is None else tuple(passage.chunk.text for passage in context.passages)

    @cached_property
    def evidence_texts(self) -> tuple[str, ...]:
        """The words of each relevant fact that says where in its document it stands, as the revision has them."""
        texts = {
            revision.key: revision.text or ""
            for fact in self.facts
            for revision in self.system.revisions(fact.evidence.document, self.case)
        }
        return tuple(texts[fact.key][fact.start : fact.end] for fact in self.facts if fact.located)

    @cached_property
    def _named_facts(self) -> tuple[tuple[str, Fact], ...]:
        return tuple((f"fact {number}", fact) for number, fact in enumerate(self.facts, start=1))

    @cached_property
    def _facts_of(self) -> dict[ChunkId, list[str]]:
        by_chunk: dict[ChunkId, list[str]] = {}
        for name, fact in self._named_facts:
            for id in fact.chunks if fact.whole else ():
                by_chunk.setdefault(id, []).append(name)
        return by_chunk
