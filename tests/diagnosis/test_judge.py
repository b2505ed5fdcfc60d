"""How cases go that are neither plainly passed nor lost."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from evidex.diagnosis.diagnose import diagnose_case
from evidex.diagnosis.judge import judge
from evidex.types import Case, ChunkId, Draft, DraftClaim, Quote
from tests.diagnosis.told import Line, Page, asked, case, passage, system

PAGE = Page("policy", "Refunds are paid within 45 days.")
ANYTHING = case("When are refunds paid?")


def test_a_case_without_evidence_passes_when_it_is_answered() -> None:
    assert judge(asked([PAGE], ANYTHING)).status == "passed"


def test_and_fails_when_it_is_not() -> None:
    abstaining = judge(asked([PAGE], ANYTHING, Line(say=lambda _: Draft(abstention="no"))))
    unfounded = judge(asked([PAGE], ANYTHING, Line(say=lambda _: Draft((DraftClaim("Whenever.", ()),)))))

    assert [found.lost.finding.type for found in (abstaining, unfounded) if found.lost] == [
        "FALSE_ABSTENTION",
        "UNSUPPORTED",
    ]


def test_turnover_of_one_evidence_does_not_hide_the_loss_of_another() -> None:
    both = case("When are refunds paid?", PAGE.text, "They are paid by cheque.")
    judged = judge(asked([PAGE], both, Line(say=lambda _: Draft(abstention="no"))))

    assert judged.lost is not None
    assert judged.lost.finding.type == "FALSE_ABSTENTION"


def test_turnover_beside_evidence_that_is_used_is_turnover() -> None:
    both = case("When are refunds paid?", PAGE.text, "They are paid by cheque.")

    assert judge(asked([PAGE], both)).status == "turnover"


def test_evidence_in_two_versions_in_force_may_be_cited_in_either() -> None:
    twin = Page("policy", f"{PAGE.text} At once.", "2", in_force=True)
    inquiry = asked([twin, PAGE], case("When are refunds paid?", PAGE.text))

    assert judge(inquiry).status == "passed"


TEXTS = ("Refunds are paid within 45 days.", "Refunds are paid within 30 days.", "Trains run at noon.", "Refunds: ask.")
BOOLS = st.booleans()
IDS = tuple(f"p{n}@1#0" for n in range(len(TEXTS)))
SOME = st.lists(st.sampled_from(IDS), unique=True, max_size=4).map(tuple)
PAGES = st.lists(
    st.builds(
        lambda force, readable, scope, sealed: {
            "in_force": force,
            "readable": readable,
            "in_scope": scope and sealed,
            "sealed": sealed,
        },
        *[BOOLS] * 4,
    ),
    min_size=len(TEXTS),
    max_size=len(TEXTS),
)
CLAIMS = st.builds(
    lambda said, ids, quoted: DraftClaim(said, tuple(Quote(ChunkId(id), quoted) for id in ids)),
    st.sampled_from(TEXTS),
    st.lists(st.sampled_from((*IDS, "none")), max_size=2),
    st.sampled_from((*TEXTS, "within 45 days", "days 45")),
)
DRAFTS = st.one_of(st.just(Draft(abstention="no")), st.lists(CLAIMS, max_size=2).map(lambda c: Draft(tuple(c))))
CASES = st.builds(
    lambda quote, answerable, answer: case(
        "When are refunds paid?", quote, document="p0", answerable=answerable, answer=answer
    ),
    st.sampled_from(("Refunds are paid within 45 days.", "Nothing at all.")),
    st.sampled_from((True, None)),
    st.sampled_from(("", "Refunds are paid within 45 days.", "At noon.")),
)


@given(PAGES, CASES, SOME, SOME, SOME, SOME, DRAFTS, BOOLS)
def test_whatever_goes_wrong_a_case_that_failed_has_a_verdict(
    standings: list[dict[str, bool]],
    one: Case,
    found: tuple[str, ...],
    fused: tuple[str, ...],
    reranked: tuple[str, ...],
    delivered: tuple[str, ...],
    draft: Draft,
    unanswerable: bool,
) -> None:
    pages = [Page(f"p{n}", text, **standing) for n, (text, standing) in enumerate(zip(TEXTS, standings, strict=True))]  # type: ignore[arg-type]
    chunks = {chunk.id: chunk for page in pages for chunk in page.chunks}
    line = Line(
        found=(("sparse", found),),
        fused=fused,
        reranked=reranked,
        passages=tuple(passage(chunks[ChunkId(id)]) for id in delivered),
        say=lambda _: draft,
    )
    asking = replace(one, answerable=False, evidence=()) if unanswerable else one
    row = diagnose_case(asking, system(pages, line), confirm=True)

    assert row.status != "error"
    assert (row.status == "failed") == (row.verdict is not None)
    assert len(row.reruns) <= 2
