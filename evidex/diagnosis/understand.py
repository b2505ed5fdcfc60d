"""B4: did the search ask what was asked? The wordings are held against the question and the turn before it."""

from __future__ import annotations

import re

from evidex.analysis.identifiers import identifiers
from evidex.diagnosis.content import figures
from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.neutral import fused_rank
from evidex.diagnosis.verdict import Finding
from evidex.types import ChunkId, Query

_MOST_OF = 0.5
_DIGIT_RUNS = re.compile(r"\d+")


def check(inquiry: Inquiry) -> Finding:
    """Whether the wordings ask for every unmet need."""
    query = inquiry.outcome.query
    if query is None or not inquiry.unmet:
        return Finding("nothing was searched for that could be found")
    for need in inquiry.unmet:
        found = (
            _entity_dropped(inquiry, query)
            or _displaced(need, inquiry, query)
            or _ellipsis(need, inquiry, query)
            or _outvoted(need, inquiry, query)
        )
        if found is not None:
            return found
    wordings = "; ".join(f"{variant.origin}: “{variant.text}”" for variant in query.variants)
    return Finding(f"searched for {wordings}", ("understand",))


def _entity_dropped(inquiry: Inquiry, query: Query) -> Finding | None:
    """A name or number is in no wording, though a wording is the question otherwise."""
    wordings = " \n ".join(variant.text for variant in query.variants)
    names, runs = set(identifiers(wordings)), set(_DIGIT_RUNS.findall(wordings))
    named = identifiers(inquiry.case.question)
    lost = [
        entity
        for entity in dict.fromkeys((*named, *figures(inquiry.case.question)))
        if entity not in names and (entity in named or not runs.issuperset(_DIGIT_RUNS.findall(entity)))
    ]
    if not lost:
        return None
    rest = (word for word in inquiry.case.question.split() if not {*identifiers(word), *figures(word)} & {*lost})
    other = inquiry.terms(" ".join(rest))
    kept = max(len(other & inquiry.terms(variant.text)) for variant in query.variants)
    if other and kept < _MOST_OF * len(other):
        return None
    return Finding(f"no wording has {', '.join(lost)} of the question", ("understand",), "ENTITY_DROPPED")


def _displaced(need: Need, inquiry: Inquiry, query: Query) -> Finding | None:
    """The question as it was asked is no wording, has less of the vote than a rewrite, or is not what is ranked by."""
    original = _folded(inquiry.case.question)
    own = [variant for variant in query.variants if _folded(variant.text) == original]
    others = [variant for variant in query.variants if _folded(variant.text) != original]
    drifted = max(others, key=lambda variant: variant.weight, default=None)
    if not own:
        what = f"the question itself is not among the wordings: “{query.variants[0].text}”"
    elif drifted is not None and drifted.weight > max(variant.weight for variant in own):
        what = f"“{drifted.text}” has {drifted.weight:.2f} of the vote, the question itself {own[0].weight:.2f}"
    elif inquiry.terms(inquiry.case.question) - inquiry.terms(query.text):
        what = f"what is ranked and answered by is not the question, but “{query.text}”"
    else:
        return None
    return Finding(
        f"{what}; for the question as it was asked, {_standing(need, inquiry)}", _links(need, inquiry), "QUERY_DRIFT"
    )


def _ellipsis(need: Need, inquiry: Inquiry, query: Query) -> Finding | None:
    """No wording has a word of the turn before, the evidence has one, and is found no worse with it."""
    if not inquiry.case.history:
        return None
    before = inquiry.case.history[-1]
    earlier = inquiry.terms(" ".join(inquiry.case.history)) - inquiry.terms(inquiry.case.question)
    if any(earlier & inquiry.terms(variant.text) for variant in query.variants):
        return None
    needed = sorted({term for chunk in inquiry.carriers(need) for term in earlier & inquiry.terms(chunk.indexed_text)})
    if not needed:
        return None
    alone, whole = inquiry.best_rank(need), inquiry.best_rank(need, f"{before} {inquiry.case.question}")
    if whole is None or (alone is not None and whole > alone):
        return None
    ranks = f"rank {whole} with it, {'no rank' if alone is None else f'rank {alone}'} without"
    return Finding(
        f"no wording has anything of “{before}”, the turn before; the evidence has its "
        f"{', '.join(needed[:5])} ({ranks})",
        _links(need, inquiry),
        "ELLIPSIS_UNRESOLVED",
    )


def _outvoted(need: Need, inquiry: Inquiry, query: Query) -> Finding | None:
    """The routes of the original alone would have brought it among the candidates; all wordings together do not."""
    fuse, routes = inquiry.stage("fuse"), inquiry.routes
    if len(query.variants) < 2 or fuse is None:
        return None
    carriers = frozenset(inquiry.ids(need))
    if not carriers.isdisjoint(fuse.kept or ()):
        return None
    limit = inquiry.system.settings.reranking.candidates
    original = _folded(inquiry.case.question)
    alone = fused_rank(carriers, [(ranking, 1.0) for variant, ranking in routes if _folded(variant.text) == original])
    together = fused_rank(carriers, [(ranking, variant.weight) for variant, ranking in routes])
    if alone is None or alone > limit or (together is not None and together <= limit):
        return None
    return Finding(
        f"the question as it was asked has it at rank {alone} of {limit} candidates, with the other wordings it "
        f"{'is not there' if together is None else f'falls to {together}'}",
        _links(need, inquiry),
        "QUERY_DRIFT",
    )


def _standing(need: Need, inquiry: Inquiry) -> str:
    ranks = inquiry.ranks(need)
    found = [f"{channel} has it at rank {min(ranked.values())}" for channel, ranked in ranks.items() if ranked]
    return ", ".join(found) or "no channel has it"


def _links(need: Need, inquiry: Inquiry) -> tuple[str | ChunkId, ...]:
    return ("understand", *inquiry.ids(need))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
