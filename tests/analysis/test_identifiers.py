from __future__ import annotations

import pytest

from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.identifiers import camel_parts, identifier, identifiers
from evidex.config import AnalysisSettings


@pytest.mark.parametrize(
    ("word", "family"),
    [
        ("CVE-2024-1234", "cve"),
        ("ERR-4012", "code"),
        ("err-4012", "code"),
        ("RULE-A002", "code"),
        ("E1492", "code"),
        ("hr-001", "code"),
        ("2024-Q3", "code"),
        ("03-2387", "number"),
        ("v1.2.3", "version"),
        ("v1.2", "version"),
        ("10.1.2", "version"),
        ("os.path.join", "dotted"),
        ("config.yaml", "dotted"),
        ("snake_case", "snake"),
        ("MAX_RETRIES", "snake"),
        ("getUserById", "camel"),
        ("HTTPServer", "camel"),
        ("C++", "language"),
        ("F#", "language"),
    ],
)
def test_the_shape_of_a_word_tells_its_family(word: str, family: str) -> None:
    found = identifier(word)
    assert found is not None
    assert found.family == family


@pytest.mark.parametrize(
    "word", ["word", "Word", "WORD", "PDFs", "4012", "3.5", "1,000", "10-20", "45-day", "T-cell", "well-known", "U.S", "10mg", "東京", "E"]
)  # fmt: skip
def test_ordinary_words_and_numbers_are_no_identifiers(word: str) -> None:
    assert identifier(word) is None


def test_identifiers_of_a_text_are_folded_unique_and_in_order() -> None:
    text = "Rule RULE-A002's text: getUserById fails with ERR‑4012 (see err-4012), not E1492,E7710 in C#."
    assert identifiers(text) == ("rule-a002", "getuserbyid", "err-4012", "e1492", "e7710", "c#")


def test_a_text_without_identifiers_has_none() -> None:
    assert identifiers("") == identifiers("Refunds take 30 days, don't they?") == ()


def test_neighbouring_codes_are_different_identifiers() -> None:
    assert set(identifiers("E1492")).isdisjoint(identifiers("A1492"))


@pytest.mark.parametrize(
    "text", ["ERR-4012", "getUserById", "os.path.join", "v1.2.3", "03-2387", "C++", "it's E1492's"]
)
def test_every_identifier_is_a_term_of_keyword_search(text: str) -> None:
    assert set(identifiers(text)) <= set(make_analyzer(AnalysisSettings()).terms(text))


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("getUserById", ["get", "User", "By", "Id"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("parseHTTP", ["parse", "HTTP"]),
        ("PDFs", ["PDFs"]),
        ("Title", ["Title"]),
        ("", [""]),
    ],
)
def test_camel_case_is_cut_where_a_capital_begins_a_word(word: str, parts: list[str]) -> None:
    assert camel_parts(word) == parts
