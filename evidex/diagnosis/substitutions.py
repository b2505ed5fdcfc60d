"""Would the case have passed, had that boundary not lost it? It is asked again with what should have been given."""

from __future__ import annotations

from dataclasses import replace

from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.judge import judge
from evidex.diagnosis.taxonomy import BOUNDARIES
from evidex.diagnosis.verdict import Rerun, Step
from evidex.judging import Substitution
from evidex.types import ChunkId, Draft, DraftClaim, Quote

UNLIMITED = 1_000_000
"""Tokens of a context that holds everything."""

_CANDIDATES = frozenset({"EMBED_CONTRACT", "TERMS_LOST", "CANDIDATE_MISS", "ANN_MISS", "FUSION_DROP"})
_FIRST = frozenset({"QUERY_DRIFT", "ENTITY_DROPPED", "ELLIPSIS_UNRESOLVED", "RERANKER_DROP", "RERANKER_TRUNCATION"})
_ONLY = frozenset({"WRONG_VERSION", "HEADING_LOST", "UNDER_FILTER", "MERGED_AWAY"})
_BUDGET = frozenset({"BUDGET_EVICTION", "CONTEXT_TRUNCATION"})
_GENERATOR = frozenset({"B10", "B11", "B12"})


def confirmation(inquiry: Inquiry, lost: Step, *, confirm: bool) -> tuple[Rerun, ...]:
    """The reruns that confirm a verdict, as few as do: none before B10 unless asked for, then one; two at most.

    A loss that nothing put in later can mend, such as a document that is not there, is not run again.
    """
    reruns: list[Rerun] = []
    for what, substitution in _substitutions(inquiry, lost, confirm=confirm):
        reruns.append(_rerun(inquiry, what, substitution))
        if reruns[-1].passed:
            break
    return tuple(reruns)


def is_confirmed(lost: Step, reruns: tuple[Rerun, ...]) -> bool | None:
    """Whether with its substitution the case passed, or failed only at a later boundary; None without a rerun.

    Of several reruns the last counts: it was given the most.
    """
    if not reruns:
        return None
    order, last = [boundary.id for boundary in BOUNDARIES], reruns[-1]
    return last.passed or (last.reached in order and order.index(last.reached) > order.index(lost.boundary.id))


def _substitutions(inquiry: Inquiry, lost: Step, *, confirm: bool) -> tuple[tuple[str, Substitution], ...]:
    type, gold = lost.finding.type, _gold(inquiry)
    if not gold:
        return ()
    if lost.boundary.id in _GENERATOR:
        alone = Substitution(only=gold)
        return (
            ("nothing but the evidence in the context", alone),
            (
                "nothing but the evidence in the context, and its words as the answer",
                replace(alone, draft=_draft(inquiry)),
            ),
        )
    if not confirm:
        return ()
    if type in _CANDIDATES:
        return (("the evidence first among the candidates", Substitution(candidates=gold)),)
    if type in _FIRST:
        return (("the evidence first of what is reranked", Substitution(first=gold)),)
    if type in _BUDGET:
        return (("a context without a budget", Substitution(budget=UNLIMITED)),)
    if type in _ONLY:
        return (("nothing but the evidence in the context", Substitution(only=gold)),)
    return ()


def _rerun(inquiry: Inquiry, what: str, substitution: Substitution) -> Rerun:
    again = replace(inquiry, outcome=inquiry.system.outcome(inquiry.case, substitution))
    judged = judge(again)
    reached = judged.lost.boundary.id if judged.lost is not None else ""
    return Rerun(what, judged.status in ("passed", "withheld"), reached, judged.sentence)


def _gold(inquiry: Inquiry) -> tuple[ChunkId, ...]:
    """One chunk for each need, the best ranked; none where one need has none that the asker's search sees."""
    chosen = [_best(need, inquiry) for need in inquiry.needs]
    return tuple(dict.fromkeys(id for id in chosen if id is not None)) if all(chosen) else ()


def _best(need: Need, inquiry: Inquiry) -> ChunkId | None:
    seen = {inquiry.revision(fact).key for fact in need.facts if inquiry.revision(fact).in_scope}
    ids = [chunk.id for chunk in inquiry.carriers(need) if chunk.key in seen]
    place = {id: rank for rank, id in enumerate(inquiry.outcome.order)}
    return min(ids, key=lambda id: (place.get(id, len(place)), id), default=None)


def _draft(inquiry: Inquiry) -> Draft:
    """The evidence as an answer that quotes it; of a whole document, the chunk that stands for it."""
    claims = []
    for need in inquiry.needs:
        id = _best(need, inquiry)
        assert id is not None
        chunk = next(chunk for chunk in inquiry.carriers(need) if chunk.id == id)
        fact = next(fact for fact in need.facts if fact.key == chunk.key)
        words = inquiry.words(fact) if fact.located else chunk.text
        claims.append(DraftClaim(words, (Quote(id, words),)))
    return Draft(tuple(claims))
