"""B7: is what a channel found among the fused candidates that go on?"""

from __future__ import annotations

from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is among the candidates that go on."""
    record = inquiry.stage("fuse")
    if record is None or not inquiry.unmet:
        return Finding("nothing was to be fused")
    for need in inquiry.unmet:
        if frozenset(inquiry.ids(need)).isdisjoint(record.kept or ()):
            return _dropped(need, inquiry)
    ranks = ", ".join(f"rank {_fused_rank(need, inquiry)}" for need in inquiry.unmet)
    return Finding(f"fused at {ranks}", ("fuse", *(id for need in inquiry.unmet for id in inquiry.ids(need))))


def _dropped(need: Need, inquiry: Inquiry) -> Finding:
    carriers = inquiry.ids(need)
    ranks = [
        f"{channel} has it at rank {min(found[id] for id in carriers if id in found)}"
        for channel, found in inquiry.found.items()
        if not found.keys().isdisjoint(carriers)
    ]
    rank, limit = _fused_rank(need, inquiry), inquiry.system.settings.reranking.candidates
    fused = "fusion does not have it" if rank is None else f"fusion has it at rank {rank}, and {limit} go on"
    return Finding(f"{', '.join(ranks)}; {fused}", ("fuse", *carriers), "FUSION_DROP")


def _fused_rank(need: Need, inquiry: Inquiry) -> int | None:
    record, carriers = inquiry.stage("fuse"), frozenset(inquiry.ids(need))
    rankings = record.rankings if record else ()
    return min((hit.rank for ranking in rankings for hit in ranking.hits if hit.chunk in carriers), default=None)
