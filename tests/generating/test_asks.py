from __future__ import annotations

import pytest

from evidex.generating.asks import gives, wanted


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How long is the refund window?", "amount"),
        ("How many vacation days do I get?", "amount"),
        ("When does a downgrade take effect?", "time"),
        ("Who approves a purchase?", "person"),
        ("Where do I export invoices?", "place"),
        ("How do I reset my password?", "steps"),
        ("Why was my card declined?", "reason"),
        ("How many days until who knows when?", "amount"),
        ("What does E1492 mean?", None),
        ("Wie lange dauert es?", None),
    ],
)
def test_a_question_wants_the_kind_that_it_names_first(question: str, kind: str | None) -> None:
    found = wanted(question)
    assert (found and found.name) == kind


@pytest.mark.parametrize(
    ("question", "giving", "other"),
    [
        ("How long?", "Requests close after 45 days.", "Requests close in time."),
        ("How often?", "Backups run twice a day.", "Backups run in a second region."),
        ("When?", "It renews on the first of May.", "It renews by itself."),
        ("Who?", "The finance team approves it.", "It has to be approved."),
        ("Where?", "Open Billing > Documents.", "They can be exported."),
        ("How do I do it?", "Choose a new password.", "Passwords are long."),
        ("Why?", "It failed because the clock is wrong.", "It failed today."),
    ],
)
def test_sentences_that_give_a_kind_look_like_it(question: str, giving: str, other: str) -> None:
    assert gives(wanted(question), giving) is True
    assert gives(wanted(question), other) is False


def test_where_nothing_in_particular_is_wanted_no_sentence_is_told_apart() -> None:
    assert gives(wanted("What does it mean?"), "Anything.") is None
