"""B2: spans that are cut, and headings that are lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidex.diagnosis import chunk
from evidex.types import ChunkId
from tests.diagnosis.told import Line, Page, asked, case, quoting

STIPEND = "The stipend is 40 euro a day, and 5 euro more at night."
MARKED = "# Leave\n\n## Starter plan\n\nThe limit is 20 days.\n\n## Gold plan\n\nThe limit is 90 days."
LIMIT = "The limit is 90 days."
OTHER = Line(say=lambda _: quoting("other@1#0", "Nothing is settled."))
ELSEWHERE = Page("other", "Nothing is settled.")


def test_a_span_of_which_every_chunk_has_a_part_is_split() -> None:
    inquiry = asked([Page("policy", STIPEND, cuts=(30,)), ELSEWHERE], case("How high is the stipend?", STIPEND), OTHER)
    found = chunk.check(inquiry)

    assert found.type == "SPAN_SPLIT"
    assert found.evidence[1:] == ("policy@1#0", "policy@1#1")


def test_a_span_of_which_a_piece_is_in_no_chunk_is_not_split() -> None:
    page = Page("policy", STIPEND, cuts=(30,), left_out=(1,))

    assert chunk.check(asked([page, ELSEWHERE], case("How high is the stipend?", STIPEND), OTHER)).type is None


def test_a_span_that_one_of_two_chunks_has_whole_is_whole() -> None:
    page = Page("policy", f"{STIPEND} More follows.", cuts=(len(STIPEND) + 1,))

    assert chunk.check(asked([page, ELSEWHERE], case("How high is the stipend?", STIPEND), OTHER)).type is None


def test_a_heading_that_the_question_asks_by_and_no_chunk_carries_is_lost() -> None:
    page = Page("policy", MARKED, cuts=(MARKED.index(LIMIT),))
    found = chunk.check(asked([page, ELSEWHERE], case("What is the limit of the Gold plan?", LIMIT), OTHER))

    assert found.type == "HEADING_LOST"
    assert "“Gold plan”" in found.sentence


@pytest.mark.parametrize(
    ("section", "question"),
    [(("Leave", "Gold plan"), "What is the limit of the Gold plan?"), ((), "What is the limit in days?")],
    ids=["the chunk carries it", "the question does not need it"],
)
def test_a_heading_is_not_lost_where(section: tuple[str, ...], question: str) -> None:
    page = Page("policy", MARKED, cuts=(MARKED.index(LIMIT),), section=section)

    assert chunk.check(asked([page, ELSEWHERE], case(question, LIMIT), OTHER)).type is None


def test_headings_are_those_of_the_source_where_the_text_has_no_markup() -> None:
    text = "Starter plan\nThe limit is 20 days.\nGold plan\nThe limit is 90 days."
    html = "<h2>Starter plan</h2><p>The limit is 20 days.</p><h2>Gold <i>plan</i></h2><p>The limit is 90 days.</p>"
    page = Page("policy", text, source=html, cuts=(text.index(LIMIT),))

    assert chunk.check(asked([page, ELSEWHERE], case("Limit of the Gold plan?", LIMIT), OTHER)).type == "HEADING_LOST"


def test_a_comment_in_code_is_no_heading() -> None:
    text = f"```\n# gold\n```\n\n{LIMIT}"
    page = Page("policy", text, cuts=(text.index(LIMIT),))

    assert chunk.check(asked([page, ELSEWHERE], case("What is the limit for gold?", LIMIT), OTHER)).type is None


def test_a_chunk_whose_parent_has_the_span_whole_carries_it() -> None:
    page = Page("policy", STIPEND, cuts=(30,))
    inquiry = asked([page, ELSEWHERE], case("How high is the stipend?", STIPEND), OTHER)
    whole = Page("policy", STIPEND).chunks[0]
    parent = replace(whole, id=ChunkId("policy@1#parent"))
    revision = replace(page.revision, chunks=tuple(replace(c, parent=parent.id) for c in page.chunks))
    system = replace(
        inquiry.system,
        revisions=lambda id, case: (revision,) if id == "policy" else (),
        chunks=lambda ids: tuple(parent for id in ids if id == parent.id),
    )

    assert chunk.check(replace(inquiry, system=system)).type is None
