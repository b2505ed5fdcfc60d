from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidex.analysis.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Use e.g. the VPN.", "Then stop."],
        ["The U.S. office pays 3.5 dollars.", "See v1.2 and Fig. 3 for more.", "It ends."],
        ["Dr. Smith and J. Doe et al. wrote it.", "He agreed."],
        ["It moved to the U.S.", "The rest stayed."],
        ["The answer is no.", "See No. 5."],
        ["Wait 5 min.", "Then try again."],
        ["It began in 2019.", "Nobody knew."],
        ["He said “Stop!” and left.", "“Why?” she asked.", "Really?!", "Yes."],
        ["It came… and went.", "Wait...", "What?"],
        ["The rule (see p. 4) holds.[1]", "Next."],
        ["Das gilt z. B. für Reisen.", "Es gilt bzw. galt."],
        ["Ask Acme Inc. about it.", "Done."],
    ],
)
def test_full_stops_of_abbreviations_and_numbers_end_no_sentence(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [["これは文です。", "次の文！", "「はい。」", "終わり"], ["第一句。", "第二句？", "第三句"]],
)
def test_cjk_terminators_end_a_sentence_without_white_space(expected: list[str]) -> None:
    assert sentences("".join(expected)) == expected


@pytest.mark.parametrize("expected", [["यह है।", "वह है।"], ["هذا؟", "نعم."]])
def test_terminators_of_other_scripts_end_a_sentence(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


def test_a_blank_line_ends_a_sentence_and_a_single_line_break_does_not() -> None:
    assert sentences("first line\nwrapped\n \nsecond\r\n\r\nthird") == ["first line\nwrapped", "second", "third"]


def test_list_items_headings_and_table_rows_stand_by_themselves() -> None:
    text = "# Head\nThese:\n- one\n  wrapped\n* two\n1. Three. Four\n2) five\na) six\n| a | b |\n| 1 | 2 |\nafter"
    assert sentences(text) == [
        *("# Head", "These:", "- one\n  wrapped", "* two", "1. Three.", "Four", "2) five", "a) six"),
        *("| a | b |", "| 1 | 2 |", "after"),
    ]


def test_spans_of_a_part_of_a_text_are_offsets_into_the_whole() -> None:
    text = "One. Two. Three."
    assert sentence_spans(text, 5, 12) == [(5, 9), (10, 12)]


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_a_text_without_visible_characters_has_no_sentences(text: str) -> None:
    assert sentence_spans(text) == []


PIECES = st.sampled_from(
    ["e.g.", "No. 5", "U.S.", "word", "A", ".", "?", "。", "\n", "\n\n", " ", "- ", "1. ", "|", "”", "…", "é"]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)), st.integers(0, 20), st.integers(0, 60))
def test_sentences_are_in_order_and_hold_every_visible_character(text: str, start: int, length: int) -> None:
    end = min(len(text), start + length)
    covered = [False] * len(text)
    last = start
    for begin, stop in sentence_spans(text, start, end):
        assert last <= begin < stop <= end
        assert text[begin:stop] == text[begin:stop].strip()
        covered[begin:stop] = [True] * (stop - begin)
        last = stop
    assert all(covered[at] or text[at].isspace() for at in range(start, end))


@pytest.mark.parametrize("unit", [".", "a. ", "\n", ".'", "。", "[1]", "1. ", "| ", "?!", " "])
def test_long_texts_are_worked_off(unit: str) -> None:
    text = unit * 50_000 + "x"
    assert "".join(sentences(text)).replace(" ", "").replace("\n", "") == text.replace(" ", "").replace("\n", "")
