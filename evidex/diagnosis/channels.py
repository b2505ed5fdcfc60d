"""B6: did any channel bring the evidence among its candidates, and did the approximate ones find what exact ones do?"""

from __future__ import annotations

from evidex.diagnosis.inquiry import Inquiry, Need
from evidex.diagnosis.verdict import Finding

EXACT = " (exact)"
"""What follows the name of a channel that approximates, where it is asked exactly."""


def check(inquiry: Inquiry) -> Finding:
    """Whether every unmet need is in a channel's list."""
    if inquiry.stage("retrieve") is None or not inquiry.unmet:
        return Finding("no candidate was needed")
    for need in inquiry.unmet:
        found = _approximated(need, inquiry) or _missed(need, inquiry)
        if found is not None:
            return found
    return Finding(
        "; ".join(_brought(need, inquiry) for need in inquiry.unmet),
        ("retrieve", *(id for need in inquiry.unmet for id in inquiry.ids(need))),
    )


def _approximated(need: Need, inquiry: Inquiry) -> Finding | None:
    """Lost to the fused candidates because a channel that approximates skipped what it finds when it does not."""
    carriers, limit = frozenset(inquiry.ids(need)), inquiry.system.settings.retrieval.limit
    fuse = inquiry.stage("fuse")
    if fuse is not None and not carriers.isdisjoint(fuse.kept or ()):
        return None
    for name, ranks in inquiry.ranks(need).items():
        channel = name.removesuffix(EXACT)
        exact = min(ranks.values(), default=limit + 1)
        if name != channel and exact <= limit and carriers.isdisjoint(inquiry.found.get(channel, {})):
            return Finding(
                f"{channel} searched exactly has it at rank {exact} of {limit}; searched as set, it does not bring it",
                ("retrieve", *sorted(carriers)),
                "ANN_MISS",
            )
    return None


def _missed(need: Need, inquiry: Inquiry) -> Finding | None:
    carriers = frozenset(inquiry.ids(need))
    if any(not carriers.isdisjoint(found) for found in inquiry.found.values()):
        return None
    limit = inquiry.system.settings.retrieval.limit
    ranks = inquiry.ranks(need)
    where = ", ".join(
        f"{channel} has it at rank {min(found.values())}" if found else f"{channel} does not match it"
        for channel, found in ranks.items()
    )
    unread = max((inquiry.system.unread_tokens(id) for id in sorted(carriers)), default=0)
    cut = f"; the embedder did not read its last {unread} tokens" if unread else ""
    return Finding(
        f"no channel brought it among its first {limit}; with nothing cut off, {where or 'no channel was asked'}{cut}",
        ("retrieve", *sorted(carriers)),
        "CANDIDATE_MISS",
    )


def _brought(need: Need, inquiry: Inquiry) -> str:
    carriers = inquiry.ids(need)
    ranks = {
        channel: min(found[id] for id in carriers if id in found)
        for channel, found in inquiry.found.items()
        if not found.keys().isdisjoint(carriers)
    }
    return ", ".join(f"{channel} has it at rank {rank}" for channel, rank in ranks.items()) or "found in other words"
