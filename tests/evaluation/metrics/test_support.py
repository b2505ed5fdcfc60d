from __future__ import annotations

from evidex.evaluation.metrics.content import content
from evidex.evaluation.metrics.support import clauses, supports


def carried(claim: str, sentence: str, share: float = 1.0) -> bool:
    return supports(clauses(sentence), content(claim), share=share)


def test_clauses_end_at_marks_but_not_inside_numbers() -> None:
    assert [clause.terms for clause in clauses("Pay 1,000.50 now, or (later): never.")] == [
        ("pay", "1000.50", "now"),
        ("later",),
        ("never",),
    ]


def test_a_negation_counts_in_the_clause_in_which_it_stands() -> None:
    sentence = "You can cancel at any time, but refunds are not possible after shipping."

    assert carried("You can cancel at any time.", sentence)
    assert not carried("You cannot cancel at any time.", sentence)
    assert not carried("Refunds are possible after shipping.", sentence)
    assert carried("Refunds are not possible after shipping.", sentence)


def test_a_negation_is_not_borrowed_from_a_clause_before() -> None:
    sentence = "Refunds are not possible, but you can cancel a refund."

    assert carried("You can cancel a refund.", sentence)
    assert not carried("You cannot cancel a refund.", sentence)


def test_a_claim_may_take_several_clauses_together() -> None:
    assert carried("Final-sale items are excluded.", "Final-sale items, opened or not opened, are excluded.") is False
    assert carried("Opened items are excluded.", "Opened items, however new, are excluded.")


def test_a_sentence_carries_itself_whatever_its_clauses_hold() -> None:
    for sentence in ("It comes at once, as a daily digest, or never.", "Never: it is not, no, not the digest."):
        assert carried(sentence, sentence)


def test_the_share_asks_for_terms_and_never_lets_a_figure_go() -> None:
    sentence = "A customer must request a refund within 45 calendar days of purchase."

    assert carried("A refund has to be requested within 45 days of buying.", sentence, share=0.6)
    assert not carried("A refund has to be requested within 45 days of buying.", sentence)
    assert not carried("A customer must request a refund within 30 calendar days of purchase.", sentence, share=0.6)


def test_what_says_nothing_is_carried_by_nothing() -> None:
    for claim in ("", "the", "Do not", "…"):
        assert not carried(claim, "Do not do the thing.", share=0.0)
