"""What goes wrong when the evidence is there: generators that do not use it, and judgments that are not right.

Each wraps the real generator and spoils what it drafts for the questions that it names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from evidex.assembly import OpenedGeneration
from evidex.generating.candidates import candidates
from evidex.ports import Generator
from evidex.testing.at_question import named
from evidex.testing.pipeline import Gold, Pipeline, Wrap, wording
from evidex.types import Case, ChunkId, Context, DocumentKey, Draft, DraftClaim, Query, Quote, Scope

Spoil: TypeAlias = Callable[[str, Draft, Context, frozenset[ChunkId]], Draft]
"""From a question, what the real generator drafted, its context, and the chunks with the evidence, another draft."""

ABSENT = ChunkId("0" * 40)
"""The id of no chunk."""


def abstains(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The generator says that it cannot tell."""
    return _drafted(pipeline, "B10", cases, _abstaining)


def answers_anyway(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The generator answers with whatever sentence comes first."""
    return _drafted(pipeline, "B10", cases, _from_anywhere)


def answers_from_elsewhere(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The generator answers from a passage that is not the evidence."""
    return _drafted(pipeline, "B11", cases, _from_elsewhere)


def invents(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The generator says what stands nowhere, and cites nothing for it."""
    return _drafted(pipeline, "B11", cases, _invented)


def stops_early(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The generator gives the first of two facts."""
    return _drafted(pipeline, "B11", cases, _first_claim)


def says_the_old(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The generator says what the version before said, and passes it off as the new one's words."""
    return _drafted(pipeline, "B11", cases, _Remembering(_earlier(pipeline, cases)))


def paraphrases(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The answer is right, and its quotes are in other words than the passage."""
    return _drafted(pipeline, "B12", cases, _paraphrased)


def cites_nothing_there_is(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The answer is right, and cites a passage that does not exist."""
    return _drafted(pipeline, "B12", cases, _citing_nowhere)


def cites_another_passage(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The answer is right, and cites a passage that was not delivered."""
    return replace(pipeline, line=(*pipeline.line, Wrap("B12", _citing_strangers, (named(cases),))))


def revoked_meanwhile(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """While the answer was made, its document went out of force."""
    return replace(pipeline, line=(*pipeline.line, Wrap("B12", _revoking, (named(cases),))))


def judged_wrongly(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The evidence of the cases is that of others; their answers stay. Nothing is wrong with the line."""
    wrong = {case.id for case in cases}
    strangers = [case for case in pipeline.cases if case.answerable and case.evidence]

    def judged(case: Case) -> Case:
        others = [s for s in strangers if s.category == case.category and s.group != case.group and _alike(s, case)]
        return replace(case, evidence=others[len(case.id) % len(others)].evidence[:1]) if others else case

    changed = tuple(judged(case) if case.id in wrong else case for case in pipeline.cases)
    return replace(pipeline, cases=changed)


def _alike(one: Case, other: Case) -> bool:
    return (one.user, one.tenant) == (other.user, other.tenant)


def _drafted(pipeline: Pipeline, boundary: str, cases: Sequence[Case], spoil: Spoil) -> Pipeline:
    return replace(pipeline, line=(*pipeline.line, Wrap(boundary, _generating, (spoil, named(cases)))))


def _generating(opened: OpenedGeneration, gold: Gold, spoil: Spoil, asked: frozenset[str]) -> OpenedGeneration:
    mine = {name: gold(name) for name in sorted(asked)}
    return replace(opened, parts=replace(opened.parts, generator=_Spoilt(opened.parts.generator, mine, spoil)))


@dataclass(frozen=True, slots=True)
class _Spoilt:
    generator: Generator
    gold: Mapping[str, frozenset[ChunkId]]
    spoil: Spoil

    @property
    def name(self) -> str:
        return self.generator.name

    def answer(self, query: Query, context: Context) -> Draft:
        draft = self.generator.answer(query, context)
        asked = wording(query.question.text, query.question.history)
        return self.spoil(asked, draft, context, self.gold[asked]) if asked in self.gold else draft


def _abstaining(*_: object) -> Draft:
    return Draft(abstention="The passages do not say.")


def _invented(*_: object) -> Draft:
    return Draft((DraftClaim("That is settled anew on every first Monday by whoever arrives first.", ()),))


def _first_claim(_: str, draft: Draft, *__: object) -> Draft:
    return replace(draft, claims=draft.claims[:1])


def _from_anywhere(_: str, draft: Draft, context: Context, __: frozenset[ChunkId]) -> Draft:
    return _quoting(context, frozenset()) or draft


def _from_elsewhere(_: str, draft: Draft, context: Context, gold: frozenset[ChunkId]) -> Draft:
    return _quoting(context, gold) or draft


def _quoting(context: Context, without: frozenset[ChunkId]) -> Draft | None:
    """The first sentence of the first passage that is none of these."""
    for sentence in candidates(context):
        chunk = context.passages[sentence.passage].chunk
        if chunk.id not in without:
            return Draft((DraftClaim(sentence.claim, (Quote(chunk.id, sentence.quote),)),))
    return None


def _paraphrased(_: str, draft: Draft, *__: object) -> Draft:
    return _quotes(draft, lambda quote: replace(quote, text=" ".join(reversed(quote.text.split()))))


def _citing_nowhere(_: str, draft: Draft, *__: object) -> Draft:
    return _quotes(draft, lambda quote: replace(quote, chunk=ABSENT))


def _quotes(draft: Draft, change: Callable[[Quote], Quote]) -> Draft:
    claims = (replace(claim, quotes=tuple(change(quote) for quote in claim.quotes)) for claim in draft.claims)
    return replace(draft, claims=tuple(claims))


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """Cites chunks that exist and were not delivered."""

    ids: tuple[ChunkId, ...]

    def __call__(self, _: str, draft: Draft, context: Context, __: frozenset[ChunkId]) -> Draft:
        stranger = next(id for id in self.ids if id not in context.ids)
        return _quotes(draft, lambda quote: replace(quote, chunk=stranger))


def _citing_strangers(opened: OpenedGeneration, gold: Gold, asked: frozenset[str]) -> OpenedGeneration:
    return _generating(opened, gold, _Elsewhere(tuple(map(ChunkId, opened.generation.chunks.ids))), asked)


@dataclass(frozen=True, slots=True)
class _Remembering:
    """Says what the earlier version of a document said, and cites the current one for it."""

    earlier: frozenset[tuple[str, str]]

    def __call__(self, asked: str, draft: Draft, _: Context, gold: frozenset[ChunkId]) -> Draft:
        old = dict(self.earlier).get(asked)
        if old is None or not gold:
            return draft
        return Draft((DraftClaim(old, (Quote(min(gold), old),)),))


def _earlier(pipeline: Pipeline, cases: Sequence[Case]) -> frozenset[tuple[str, str]]:
    """For each question what the version that is over answers."""
    over = {item.metadata.family: item for item in pipeline.items if item.metadata.effective_to is not None}
    families = {item.metadata.id: item.metadata.family for item in pipeline.items}
    pairs = []
    for case in cases:
        item = over.get(families[case.evidence[0].document])
        if item is not None:
            sentence = item.content.decode().strip().rpartition("\n")[2]
            pairs.append((wording(case.question, case.history), sentence))
    return frozenset(pairs)


def _revoking(opened: OpenedGeneration, gold: Gold, asked: frozenset[str]) -> OpenedGeneration:
    text_within = opened.parts.text_within
    ids = sorted({id for name in asked for id in gold(name)})
    revoked = frozenset(chunk.key for chunk in opened.generation.chunks.get(ids))

    def within(scope: Scope, key: DocumentKey) -> str | None:
        return None if key in revoked else text_within(scope, key)

    return replace(opened, parts=replace(opened.parts, text_within=within))
