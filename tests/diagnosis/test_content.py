"""What two texts have in common, as far as words and figures tell."""

from __future__ import annotations

import pytest

from evidex.diagnosis.content import foreign_figures, holds_words, share


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("<td>Gold</td><td><b>45</b>&nbsp;euro</td>", "Gold | 45 euro"),
        ("It costs **45** euro.", "costs 45 euro"),
        ("Straße 5", "STRASSE 5"),
    ],
)
def test_markup_punctuation_and_case_between_words_do_not_matter(text: str, quote: str) -> None:
    assert holds_words(text, quote)


@pytest.mark.parametrize(("text", "quote"), [("145 euro", "45 euro"), ("45 or more euro", "45 euro"), ("45", "")])
def test_words_have_to_be_whole_and_one_after_another(text: str, quote: str) -> None:
    assert not holds_words(text, quote)


@pytest.mark.parametrize(
    ("text", "known", "foreign"),
    [
        ("within 45 days", "a 45-day window", ()),
        ("1,000 rows", "1000 rows", ()),
        ("error E1492", "error A1492", ("e1492",)),
        ("within 30 days", "within 45 days", ("30",)),
        ("since 2025-03-01", "since March", ()),
        ("no figures", "", ()),
    ],
)
def test_a_figure_is_foreign_where_the_other_text_does_not_have_it(
    text: str, known: str, foreign: tuple[str, ...]
) -> None:
    assert foreign_figures(text, known) == foreign


def test_the_share_is_that_of_the_shorter_text() -> None:
    assert share(frozenset("abc"), frozenset("abdefg")) == 2 / 3
    assert share(frozenset(), frozenset("a")) == 0
