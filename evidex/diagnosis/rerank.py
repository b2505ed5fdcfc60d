"""B8: did the reranker keep the evidence, and did it read as far as that stands?"""

from __future__ import annotations

from evidex.analysis.budget import count_tokens
from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding
from evidex.trace import StageRecord
from evidex.types import ChunkId

READS = "max_tokens"
"""The note in which a reranker says how many tokens of a passage it reads."""


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is among the chunks that are kept."""
    record = inquiry.stage("rerank")
    if record is None or not inquiry.unmet:
        return Finding("nothing was to be reranked")
    for need in inquiry.unmet:
        if frozenset(inquiry.ids(need)).isdisjoint(record.kept or ()):
            return _unread(need, inquiry, record) or _dropped(need, inquiry, record)
    ranks = ", ".join(f"rank {_rank(need, inquiry, record)}" for need in inquiry.unmet)
    kept = tuple(id for need in inquiry.unmet for id in inquiry.ids(need))
    return Finding(f"reranked to {ranks} of {len(record.kept or ())} kept", ("rerank", *kept))


def _unread(need: Need, inquiry: Inquiry, record: StageRecord) -> Finding | None:
    """Every candidate with the evidence was read only up to a token before the evidence's last."""
    reads = record.notes.get(READS)
    if not isinstance(reads, int | float) or reads <= 0:
        return None
    stands = _places_in_candidates(need, inquiry)
    if not stands or any(end <= reads for _, _, end in stands):
        return None
    id, start, end = stands[0]
    return Finding(
        f"{record.notes.get('reranker', 'the reranker')} truncated the passage at {reads:g} tokens; the evidence "
        f"stands at tokens {start} to {end}, and the passage fell to rank {_rank(need, inquiry, record)}",
        ("rerank", id),
        "RERANKER_TRUNCATION",
    )


def _places_in_candidates(need: Need, inquiry: Inquiry) -> list[tuple[ChunkId, int, int]]:
    """For every candidate with the evidence, how many tokens come before the evidence and before its end."""
    fuse = inquiry.stage("fuse")
    candidates = (fuse.kept or ()) if fuse else ()
    found = []
    for fact in need.facts:
        for chunk in inquiry.carriers(need):
            if chunk.key == fact.key and fact.located and chunk.id in candidates:
                text = chunk.indexed_text
                head = text[: len(text) - len(chunk.text)]
                start = count_tokens(head + chunk.text[: max(0, fact.start - chunk.start)])
                found.append((chunk.id, start, count_tokens(head + chunk.text[: max(0, fact.end - chunk.start)])))
    return found


def _dropped(need: Need, inquiry: Inquiry, record: StageRecord) -> Finding:
    rank, limit = _rank(need, inquiry, record), inquiry.system.settings.reranking.limit
    name = record.notes.get("reranker", "the reranker")
    where = (
        f"{name} does not return it" if rank is None else f"with {name} it falls to rank {rank}, and {limit} are kept"
    )
    fused = _rank(need, inquiry, inquiry.stage("fuse"))
    before = "" if fused is None else f"; fusion had it at rank {fused}"
    first = (record.kept or ())[:1]
    ahead = f"; first is {inquiry.outcome.trace.documents.get(first[0], first[0])}" if first else ""
    return Finding(f"{where}{before}{ahead}", ("rerank", *inquiry.ids(need), *first), "RERANKER_DROP")


def _rank(need: Need, inquiry: Inquiry, record: StageRecord | None) -> int | None:
    rankings = record.rankings[-1:] if record else ()
    carriers = frozenset(inquiry.ids(need))
    return min((hit.rank for ranking in rankings for hit in ranking.hits if hit.chunk in carriers), default=None)
