from __future__ import annotations

import re
from pathlib import Path

import pytest

import evidex
from evidex.analysis.sentences import sentence_spans
from evidex.evaluation.metrics.content import content
from evidex.evaluation.metrics.lexical_faithfulness import lexical_faithfulness

PASSAGES = (
    "Error E1492 means that the upload timed out after 60 seconds. Retry with a smaller file.",
    "A customer may request a refund within 45 calendar days of purchase. Final-sale items are not refundable.",
)


@pytest.mark.parametrize(
    "claim",
    [
        "Error E1492 means that the upload timed out after 60 seconds.",
        "e1492 means the upload timed out after 60 seconds",
        "The upload timed out after 60 seconds.",
        "Final-sale items aren't refundable.",
        "A customer can request a refund within 45 days of purchase.",
    ],
)
def test_what_a_sentence_says_in_about_the_same_words_is_supported(claim: str) -> None:
    assert lexical_faithfulness([claim], PASSAGES) == 1


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("Error E1492 does not mean that the upload timed out after 60 seconds.", "negated"),
        ("Final-sale items are refundable.", "negation dropped"),
        ("Final-sale items are never not refundable.", "negated twice"),
        ("Error E1492 means that the upload timed out after 90 seconds.", "another number"),
        ("A customer may request a refund within 60 calendar days of purchase.", "a number of another sentence"),
        ("Error A1492 means that the upload timed out after 60 seconds.", "another identifier"),
        ("Error E1493 means that the upload timed out after 60 seconds.", "another identifier"),
        ("The moon is made of cheese.", "other words"),
    ],
)
def test_a_negation_a_figure_or_an_identifier_that_differs_is_no_support(claim: str, why: str) -> None:
    assert lexical_faithfulness([claim], PASSAGES) == 0, why


def test_every_sentence_is_a_statement_and_the_share_supported_is_the_value() -> None:
    claims = ["Retry with a smaller file. The moon is made of cheese.", "Final-sale items are not refundable."]

    assert lexical_faithfulness(claims, PASSAGES) == 2 / 3


@pytest.mark.parametrize("claims", [[], [""], ["the", "Do not."], ["  \n"]])
def test_where_nothing_is_stated_it_is_undefined(claims: list[str]) -> None:
    assert lexical_faithfulness(claims, PASSAGES) is None


def test_without_a_context_nothing_is_supported() -> None:
    assert lexical_faithfulness(["Retry with a smaller file."], []) == 0


def test_it_reads_other_languages() -> None:
    passages = ["Reduzierte Ware kann nicht zurückgegeben werden."]

    assert lexical_faithfulness(["Reduzierte Ware kann nicht zurückgegeben werden."], passages, language="de") == 1
    assert lexical_faithfulness(["Reduzierte Ware kann zurückgegeben werden."], passages, language="de") == 0


SAMPLE = [path.read_text("utf-8") for path in sorted(Path(evidex.__file__).parent.joinpath("sample").rglob("*.md"))]
SENTENCES = [
    (text[start:end], text)
    for text in SAMPLE
    for start, end in sentence_spans(text)
    if len(content(text[start:end]).substance) >= 3
]


def test_every_sentence_of_a_real_collection_is_supported_by_its_document() -> None:
    assert len(SENTENCES) > 200
    assert [sentence for sentence, text in SENTENCES if lexical_faithfulness([sentence], [text]) != 1] == []


@pytest.mark.parametrize(
    ("pattern", "changed", "least"),
    [
        (r"(?<![\w.,-])(\d+)(?![\w-]|[.,]\d)", r"7\1", 100),  # a number
        (r"\b([A-Z]{1,5}-?)(\d{3,})\b", r"Q\1\2", 15),  # an identifier
        (r"\b(is|are|can|must|may|will|should)\b(?! not)", r"\1 not", 90),  # negated
    ],
)
def test_no_sentence_of_it_is_supported_once_a_number_an_identifier_or_a_negation_is_changed(
    pattern: str, changed: str, least: int
) -> None:
    swapped = [(re.sub(pattern, changed, sentence, count=1), text) for sentence, text in SENTENCES]
    swapped = [pair for pair, original in zip(swapped, SENTENCES, strict=True) if pair != original]

    assert len(swapped) >= least
    assert [sentence for sentence, text in swapped if lexical_faithfulness([sentence], [text]) == 1] == []
