"""B9: did the words reach the context, whole?"""

from __future__ import annotations

from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding
from evidex.types import ChunkId, Passage


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is in the context with all its words."""
    if inquiry.outcome.context is None or not inquiry.unmet:
        return Finding("nothing was to be delivered")
    for need in inquiry.unmet:
        if not inquiry.is_delivered(need):
            return _undelivered(need, inquiry)
    context = inquiry.outcome.context
    return Finding(
        f"delivered, in {len(context.passages)} passages of {context.tokens} of {context.budget} tokens",
        ("assemble", *(id for need in inquiry.unmet for id in inquiry.ids(need))),
    )


def _undelivered(need: Need, inquiry: Inquiry) -> Finding:
    """What became of the best ranked chunk that went in."""
    context = inquiry.outcome.context
    assert context is not None
    record = inquiry.stage("rerank")
    carriers = frozenset(inquiry.ids(need))
    order = [id for id in ((record.kept or ()) if record else inquiry.outcome.order) if id in carriers]
    shortened = {passage.chunk.id: passage for passage in inquiry.passages}
    merged = {id: passage for passage in inquiry.passages for id in passage.merged}
    for id in order:
        if id in shortened:
            return _shortened(need, id, shortened[id])
        if id in merged:
            return Finding(
                f"the passage was merged into {merged[id].chunk.id} of {merged[id].chunk.document}, which does not "
                f"have {need}",
                ("assemble", id, merged[id].chunk.id),
                "MERGED_AWAY",
            )
    reasons = [fall.reason for fall in context.evicted if fall.chunk in carriers]
    return Finding(
        f"{reasons[0] if reasons else 'it was not delivered'}: {context.tokens} of {context.budget} tokens were spent "
        f"on {len(context.passages)} passages before it",
        ("assemble", *order),
        "BUDGET_EVICTION",
    )


def _shortened(need: Need, id: ChunkId, passage: Passage) -> Finding:
    start, end = next(((fact.start, fact.end) for fact in need.facts if fact.key == passage.chunk.key), (0, 0))
    return Finding(
        f"the passage was cut to {passage.chunk.start}–{passage.chunk.end} ({passage.tokens} tokens); {need} stands at "
        f"{start}–{end}",
        ("assemble", id),
        "CONTEXT_TRUNCATION",
    )
