"""B7: in a channel's list, not among the fused candidates."""

from __future__ import annotations

from evidex.diagnosis import channels, fuse
from evidex.types import Draft
from tests.diagnosis.told import Line, Page, asked, case

WORDS = "Refunds are paid within 45 days."
PAGES = [Page("policy", WORDS), *(Page(f"n-{n}", f"Refunds are paid slowly, says {n}.") for n in range(4))]
OTHERS = tuple(f"n-{n}@1#0" for n in range(4))
QUESTION = case("When are refunds paid?", WORDS)
LINE = Line(
    found=(("sparse", ("policy@1#0", "n-0@1#0")), ("dense", OTHERS[:3])),
    fused=(*OTHERS[:3], "policy@1#0", OTHERS[3]),
    say=lambda _: Draft(abstention="no"),
)


def test_a_chunk_that_a_channel_found_and_fusion_put_too_low_is_dropped_with_both_ranks() -> None:
    inquiry = asked(PAGES, QUESTION, LINE)
    found = fuse.check(inquiry)

    assert channels.check(inquiry).type is None
    assert found.type == "FUSION_DROP"
    assert "sparse has it at rank 1" in found.sentence
    assert "rank 4, and 3 go on" in found.sentence


def test_a_chunk_among_those_that_go_on_is_not_dropped() -> None:
    line = Line(found=LINE.found, fused=("n-0@1#0", "n-1@1#0", "policy@1#0"), say=LINE.say)

    assert fuse.check(asked(PAGES, QUESTION, line)).type is None
