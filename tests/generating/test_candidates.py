from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evidex.analysis.markers import BULLETS
from evidex.generating.candidates import LONGEST_WORDS, Sentence, candidates
from tests.generating.world import context, passage

GUIDE = """\
# Passwords

How do I reset it? Open the portal.

Do this:

1. Choose *Forgot password*.
2. Enter the code
   from your phone.

```
reset --now
```

| Plan | Retention |
|------|-----------|
| Team | 90 days   |
"""


def quotes(text: str, title: str = "") -> list[str]:
    return [sentence.quote for sentence in candidates(context(passage(text, title=title)))]


def test_sentences_list_items_and_table_rows_may_answer() -> None:
    assert quotes(GUIDE) == [
        "Open the portal.",
        "Choose *Forgot password*.",
        "Enter the code\n   from your phone.",
        "| Team | 90 days   |",
    ]


def test_a_claim_reads_as_one_line_and_a_row_names_its_columns() -> None:
    claims = [sentence.claim for sentence in candidates(context(passage(GUIDE)))]
    assert claims[2:] == ["Enter the code from your phone.", "Plan: Team, Retention: 90 days"]


def test_a_row_of_a_continued_table_takes_the_columns_from_the_repeated_header() -> None:
    rows = passage("| Team | 90 days |", header="| Plan | Retention |\n|---|---|")
    assert [sentence.claim for sentence in candidates(context(rows))] == ["Plan: Team, Retention: 90 days"]


def test_a_row_without_a_header_is_its_cells() -> None:
    assert [sentence.claim for sentence in candidates(context(passage("| Team | 90 days |")))] == ["Team, 90 days"]


def test_list_items_know_the_line_that_leads_them_in() -> None:
    sentences = candidates(context(passage("To reset:\n\n- Open the portal.\n- Enter the code.")))
    assert "To reset:" in sentences[1].nearby and "Open the portal." in sentences[1].nearby


def test_every_marker_that_begins_a_line_of_a_list_is_left_out_of_the_answer() -> None:
    markers = [*BULLETS, "1.", "12)", "(3)"]
    items = "\n".join(f"{marker} Open the portal now." for marker in markers)
    assert quotes(items) == ["Open the portal now."] * len(markers)


def test_questions_code_titles_and_fragments_are_no_answers() -> None:
    assert quotes("Is it open?\n\n```\nopen()\n```\n\nOffice hours\n\nThe office") == ["Office hours"][:0]
    assert quotes("Office hours overview\n\nWe open at nine.", title="Office hours overview") == ["We open at nine."]


def test_a_title_underlined_with_tildes_opens_no_code_and_a_fence_of_tildes_does() -> None:
    assert quotes("Hours\n~~~~~\n\nWe open at nine.") == ["We open at nine."]
    assert quotes("We open at nine.\n\n~~~\nopen early now.\n~~~") == ["We open at nine."]


def test_a_line_that_only_leads_in_is_no_answer() -> None:
    assert quotes("Bring the following documents:\n\n- Your passport") == ["Your passport"]


def test_long_sentences_are_passed_over_unless_there_is_no_other() -> None:
    long = "word " * (LONGEST_WORDS + 1) + "end."
    assert quotes(f"{long} It is short.") == ["It is short."]
    assert quotes(long) == [long]


def test_sentences_know_the_place_of_their_passage() -> None:
    found = candidates(context(passage("It is one.", id="a"), passage("It is two.", id="b")))
    assert found == (Sentence(0, "It is one.", "It is one."), Sentence(1, "It is two.", "It is two."))


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# A b",
            "Words are here.",
            "more words",
            "- an item",
            "2) two",
            "| a | b |",
            "|--|--|",
            "```",
            "",
            " x",
            "a?",
            "\u2028",
        ]
    ),
    max_size=10,
).map("\n".join)


@given(MARKDOWN | st.text(max_size=60))
def test_every_quote_is_a_slice_of_its_passage(text: str) -> None:
    for sentence in candidates(context(passage(text))):
        assert sentence.quote in text
        assert sentence.claim == " ".join(sentence.claim.split()) != ""
