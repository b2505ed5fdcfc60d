"""B11: unsupported, incomplete, contradicted, or made from something else."""

from __future__ import annotations

from evidex.diagnosis import answer
from evidex.diagnosis.judge import judge
from evidex.types import Case, ChunkId, Draft, DraftClaim, Quote
from tests.diagnosis.told import Line, Page, asked, case, quoting

WORDS = "Refunds are paid within 45 days."
MORE = "They are paid to the card that was used."
TEXT = f"{WORDS} {MORE}"
POLICY = Page("policy", TEXT)
OLD = Page("policy", "Refunds are paid within 30 days.", "0", in_force=False, in_scope=False, sealed=False)
OTHER = Page("other", "Refunds are discussed each Monday.")
QUESTION = case("When are refunds paid?", WORDS)


def found(draft: Draft, *pages: Page, of: Case = QUESTION) -> str | None:
    return answer.check(asked([POLICY, *pages], of, Line(say=lambda _: draft))).type


def test_an_answer_that_cites_the_evidence_passes() -> None:
    assert judge(asked([POLICY], QUESTION)).status == "passed"


def test_part_of_the_evidence_is_enough_to_cite() -> None:
    line = Line(say=lambda _: quoting("policy@1#0", "within 45 days"))

    assert judge(asked([POLICY], QUESTION, line)).status == "passed"


def test_a_quote_that_only_runs_into_the_evidence_does_not_cite_it() -> None:
    line = Line(say=lambda _: quoting("policy@1#0", f"45 days. {MORE}"))

    assert not asked([POLICY], QUESTION, line).is_used(asked([POLICY], QUESTION).needs[0])


def test_a_statement_that_cites_nothing_is_unsupported() -> None:
    assert found(Draft((DraftClaim(WORDS, ()),))) == "UNSUPPORTED"


def test_a_figure_that_nothing_delivered_has_is_unsupported_though_its_citation_stands() -> None:
    assert found(quoting("policy@1#0", WORDS, "Refunds are paid within 99 days.")) == "UNSUPPORTED"


def test_a_figure_of_another_version_contradicts_the_evidence() -> None:
    assert found(quoting("policy@1#0", WORDS, "Refunds are paid within 30 days."), OLD) == "CONTRADICTED"


def test_words_of_another_version_passed_off_as_quotes_contradict_the_evidence() -> None:
    assert found(quoting("policy@1#0", OLD.text), OLD) == "CONTRADICTED"


def test_one_fact_of_two_is_incomplete() -> None:
    both = case("When and how are refunds paid?", WORDS, MORE)

    assert found(quoting("policy@1#0", WORDS), of=both) == "INCOMPLETE"


def test_one_fact_of_two_is_incomplete_though_its_citation_does_not_stand() -> None:
    train, ship = "Parts go by train in 876 hours.", "Parts go by ship in 234 hours."
    both = case("How do parts go?", train, ship)
    draft = Draft((DraftClaim(train, (Quote(ChunkId("policy@1#9"), train),)),))
    inquiry = asked([Page("policy", f"{train} {ship}")], both, Line(say=lambda _: draft))

    assert answer.check(inquiry).type == "INCOMPLETE"


def test_citing_the_evidence_without_the_figure_that_the_answer_needs_is_incomplete() -> None:
    needed = case("When are refunds paid?", WORDS, nuggets=("45 days",))

    assert found(quoting("policy@1#0", "Refunds are paid within"), of=needed) == "INCOMPLETE"


def test_an_answer_from_something_else_left_the_evidence_unused() -> None:
    assert found(quoting("other@1#0", OTHER.text), OTHER) == "NOT_EXTRACTED"


def test_a_right_statement_with_a_citation_that_does_not_stand_is_left_to_the_next_boundary() -> None:
    assert found(Draft((DraftClaim(WORDS, (Quote(ChunkId("policy@1#0"), "within days 45"),)),))) is None
