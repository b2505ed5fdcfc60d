from __future__ import annotations

from evidex.evaluation.metrics.containment import containment


def test_evidence_has_to_stand_whole_in_one_passage() -> None:
    passages = ["Refunds take 45 days\nfrom purchase.", "Final sale items", "are excluded."]

    assert containment(["45 days from purchase", "Final sale items are excluded"], passages) == 1 / 2


def test_evidence_is_not_found_inside_other_words_or_numbers() -> None:
    assert containment(["5 days", "able to pay"], ["It takes 45 days if you are unable to pay."]) == 0


def test_nothing_delivered_holds_nothing_and_no_evidence_is_undefined() -> None:
    assert containment(["45 days"], []) == 0
    assert containment([], ["45 days"]) is None
