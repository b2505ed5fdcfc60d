from __future__ import annotations

import pytest

from evidex.grounding.substance import has_substance

TEXT = """\
Do not submit the charge. Reimbursement follows. It works.

| Plan | Retention |
|------|-----------|
| Team | 90 days |

- Keep calm
2. Go on. Or stop.
"""


def carries(quote: str, text: str = TEXT) -> bool:
    start = text.index(quote)
    return has_substance(text, start, start + len(quote))


@pytest.mark.parametrize("quote", ["Do not submit", "submit the charge", "Reimbursement"])
def test_three_words_or_twelve_letters_carry_a_claim(quote: str) -> None:
    assert carries(quote)


@pytest.mark.parametrize("quote", ["Do not", "the", "charge.", "|------|-----------|", ".", "- "])
def test_fewer_words_out_of_a_sentence_and_punctuation_do_not(quote: str) -> None:
    assert not carries(quote)


@pytest.mark.parametrize("quote", ["It works.", "It works", "90 days", "Team", "Keep calm", "Go on.", "Or stop"])
def test_a_whole_sentence_cell_or_list_item_does(quote: str) -> None:
    assert carries(quote)


def test_a_bare_identifier_out_of_a_sentence_does_not() -> None:
    assert not carries("E1492", "Error E1492 means a timeout.")


def test_wide_letters_count_double() -> None:
    assert carries("退款期限为四", "当前退款期限为四十五天。")
    assert not carries("退款", "当前退款期限为四十五天。")
