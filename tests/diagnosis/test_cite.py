"""B12: rightly said, wrongly cited."""

from __future__ import annotations

import pytest

from evidex.diagnosis.judge import judge
from evidex.types import ChunkId, Draft, DraftClaim, Quote
from tests.diagnosis.told import Line, Page, asked, case

WORDS = "Refunds are paid within 45 days."
PAGES = [Page("policy", WORDS), *(Page(f"n-{n}", f"Office number {n}.") for n in range(2))]


def said(chunk: str, quote: str) -> Draft:
    return Draft((DraftClaim(WORDS, (Quote(ChunkId(chunk), quote),)),))


@pytest.mark.parametrize(
    ("draft", "revoked", "expected"),
    [
        (said("policy@1#9", WORDS), False, "INVALID_ID"),
        (said("n-0@1#0", WORDS), False, "NOT_IN_CONTEXT"),
        (said("policy@1#0", "45 days within which refunds are paid"), False, "NOT_VERBATIM"),
        (said("policy@1#0", WORDS), True, "STALE_VERSION"),
    ],
    ids=["no such chunk", "not delivered", "other words", "revoked meanwhile"],
)
def test_a_citation_that_does_not_stand_is_named_by_why(draft: Draft, revoked: bool, expected: str) -> None:
    line = Line(found=(("sparse", ("policy@1#0",)),), say=lambda _: draft, revoked=revoked)
    judged = judge(asked(PAGES, case("When are refunds paid?", WORDS), line))

    assert judged.lost is not None
    assert (judged.lost.boundary.id, judged.lost.finding.type) == ("B12", expected)
