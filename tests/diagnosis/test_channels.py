"""B6: no channel brought it, or the approximate one skipped it."""

from __future__ import annotations

from evidex.diagnosis import channels
from evidex.types import Draft
from tests.diagnosis.told import Line, Page, asked, case

WORDS = "Refunds are paid within 45 days."
PAGES = [Page("policy", WORDS), *(Page(f"n-{n}", f"Refunds are paid slowly, says {n}.") for n in range(4))]
OTHERS = tuple(f"n-{n}@1#0" for n in range(3))
QUESTION = case("When are refunds paid?", WORDS)


def line(
    ranks: dict[str, dict[str, int]], found: tuple[str, ...] = OTHERS, fused: tuple[str, ...] | None = None
) -> Line:
    return Line(
        found=(("sparse", found), ("dense", OTHERS)), fused=fused, ranks=ranks, say=lambda _: Draft(abstention="no")
    )


def test_a_chunk_beyond_every_limit_is_missed_with_the_rank_at_which_each_channel_has_it() -> None:
    found = channels.check(asked(PAGES, QUESTION, line({"sparse": {"policy@1#0": 7}, "dense": {}})))

    assert found.type == "CANDIDATE_MISS"
    assert "sparse has it at rank 7" in found.sentence
    assert "dense does not match it" in found.sentence


def test_a_chunk_that_exact_search_has_within_the_limit_was_skipped_by_approximation() -> None:
    ranks = {"sparse": {"policy@1#0": 7}, "dense": {"policy@1#0": 5}, "dense (exact)": {"policy@1#0": 2}}
    found = channels.check(asked(PAGES, QUESTION, line(ranks)))

    assert found.type == "ANN_MISS"
    assert "rank 2" in found.sentence


def test_a_chunk_that_exact_search_has_beyond_the_limit_is_missed_by_every_channel() -> None:
    ranks = {"dense": {}, "dense (exact)": {"policy@1#0": 4}}

    assert channels.check(asked(PAGES, QUESTION, line(ranks))).type == "CANDIDATE_MISS"


def test_a_chunk_that_another_channel_brought_among_the_fused_is_not_lost_to_approximation() -> None:
    ranks = {"sparse": {"policy@1#0": 1}, "dense": {}, "dense (exact)": {"policy@1#0": 1}}
    found = channels.check(asked(PAGES, QUESTION, line(ranks, found=("policy@1#0",))))

    assert found.type is None
    assert "sparse has it at rank 1" in found.sentence


def test_of_several_chunks_that_hold_a_fact_one_that_was_brought_is_enough() -> None:
    text = f"{WORDS} {WORDS}"
    pages = [Page("policy", WORDS), Page("policy", text, "2", cuts=(len(WORDS) + 1,), in_force=False), *PAGES[1:]]

    assert channels.check(asked(pages, QUESTION, line({}, found=("policy@1#0",)))).type is None
