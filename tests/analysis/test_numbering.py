"""Numbers of terms against the analyzer's own terms, text by text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidex.analysis.analyzer import make_analyzer
from evidex.analysis.numbering import TermNumbering
from evidex.analysis.stretches import Stretches
from evidex.config import AnalysisSettings
from evidex.ports import Analyzer

ANALYZERS = [
    make_analyzer(AnalysisSettings(language="en", stop_words=True)),
    make_analyzer(AnalysisSettings(language="de", stop_words=False)),
    make_analyzer(AnalysisSettings(language="none", stop_words=True)),
]
ASCII = "abehisTXYZ019-.,'_+# \n/()\x00"
BEYOND = "é\u00df\u0130\u4e2d\u6587\u30ab\u306a\u1100\ud55c\ud55c\u0e01\u0e02\u03bc\ufb01\u0301\u200d\u2010\u2019\u2014\u0663\u00a0\ud800"

texts = st.lists(st.text(ASCII + BEYOND, max_size=30) | st.text(ASCII, max_size=40) | st.text(max_size=12), max_size=12)


def numbered(numbering: TermNumbering, batches: Sequence[Sequence[str]]) -> list[list[str]]:
    found: list[list[str]] = []
    for batch in batches:
        numbers, lengths = numbering.number(batch)
        assert len(lengths) == len(batch)
        terms, at = numbering.terms, iter(numbers.tolist())
        found += [[terms[number] for number in islice(at, length)] for length in lengths.tolist()]
        assert next(at, None) is None
    return found


def split(texts: Sequence[str], size: int) -> list[Sequence[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=lambda analyzer: analyzer.name)
@settings(deadline=None, max_examples=150)
@given(texts, st.integers(1, 5))
def test_the_numbers_of_a_text_are_those_of_its_terms(analyzer: Analyzer, found: list[str], size: int) -> None:
    assert numbered(TermNumbering(analyzer), split(found, size)) == [analyzer.terms(text) for text in found]


@pytest.mark.parametrize(
    "text",
    [
        "don't getUserById ERR-4012 v1.2.3 C++ c# 1,000 U.S. state-of-the-art os.path.join __init__ a_b",
        "x" * 300 + " y",
        "a-" * 5_000,
        "l'\u00e9t\u00e9 na\u00efve\u2014caf\u00e9\u2019s 10\u00b15 \u201cquoted\u201d",
        "a=\u0338b c<\u0338d >\u0338\u0301e",
        "",
        " \n\t",
    ],
)
def test_words_that_are_more_than_letters(text: str) -> None:
    for analyzer in ANALYZERS:
        assert numbered(TermNumbering(analyzer), [[text, text]]) == [analyzer.terms(text)] * 2


@given(texts.filter(bool), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_batches_change_no_number(found: list[str], size: int) -> None:
    whole, parts = TermNumbering(ANALYZERS[0]), TermNumbering(ANALYZERS[0])

    numbers = whole.number(found)[0].tolist()
    in_parts = [number for batch in split(found, size) for number in parts.number(batch)[0].tolist()]

    assert in_parts == numbers
    assert parts.terms == whole.terms


class Letters:
    """A plug-in: every letter is a term."""

    name = "letters/1"

    def terms(self, text: str) -> list[str]:
        return list(text)


def test_another_analyzer_is_asked_for_the_terms_of_each_text() -> None:
    assert numbered(TermNumbering(Letters()), [["abba", "", "cab"]]) == [list("abba"), [], list("cab")]


def test_what_is_forgotten_is_asked_for_again_and_has_the_same_numbers() -> None:
    asked: list[str] = []

    def lengths(stretches: Sequence[str], kinds: Sequence[int]) -> tuple[list[int], list[int]]:
        asked.extend(stretches)
        return [len(stretch) for stretch in stretches], [1] * len(stretches)

    words = [f"word{'x' * (number % 7)}{number}" for number in range(200)]
    numbers, counts = Stretches(lengths, remembered=8, step=4).number([" ".join(words * 2)])

    assert numbers.tolist() == [len(word) for word in words * 2]
    assert counts.tolist() == [400]
    assert len(asked) > len(words)


def test_real_documents_have_the_numbers_of_their_terms() -> None:
    shared = Path(os.environ.get("EVIDEX_SHARED", Path(__file__).parents[3] / "shared"))
    pages = sorted((shared / "data" / "documents" / "fastapi").rglob("*.md"))[:25]
    if not pages:
        pytest.skip("the shared documents are not there")
    read = [page.read_text("utf-8") for page in pages]

    assert numbered(TermNumbering(ANALYZERS[0]), [read]) == [ANALYZERS[0].terms(text) for text in read]
