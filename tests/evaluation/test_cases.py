from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from evidex.evaluation.cases import NotACase, case_of, line_of, row_of
from evidex.types import Case, DocumentId, Evidence

FULL: dict[str, Any] = {
    "id": "a",
    "split": "dev",
    "category": "temporal",
    "group": "window",
    "question": "And before?",
    "history": ["How long is it now?"],
    "as": "erin",
    "tenant": "default",
    "as_of": "2024-05-05",
    "filters": {"language": "en", "tag": "refunds"},
    "answerable": True,
    "evidence": [{"document": "d", "grade": 3, "version": "2", "quote": "30 days", "span": [4, 11]}],
    "withheld": ["secret"],
    "answer": "30 days.",
    "nuggets": ["thirty days"],
    "annotator": "ann",
    "adjudication": "confirmed",
}


def words() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def said() -> st.SearchStrategy[str]:
    return words().filter(lambda text: bool(text.strip()))


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    start = draw(st.integers(0, 50))
    return Evidence(
        document=DocumentId(draw(said())),
        grade=draw(st.integers(0, 4)),
        version=draw(words()),
        quote=draw(st.just("") | words().map(lambda text: f"q{text}")),
        span=draw(st.none() | st.integers(start + 1, 99).map(lambda end: (start, end))),
    )


@st.composite
def cases(draw: st.DrawFn, id: str | None = None) -> Case:
    evidence = tuple(
        draw(st.lists(evidences(), max_size=3, unique_by=lambda e: (e.document, e.version, e.quote, e.span)))
    )
    relevant = {one.document for one in evidence if one.grade > 0}
    return Case(
        id=id if id is not None else draw(said()),
        question=draw(said()),
        evidence=evidence,
        answerable=draw(st.sampled_from([None, bool(relevant)])),
        answer=draw(words()),
        nuggets=tuple(draw(st.lists(said(), max_size=2))),
        withheld=tuple(DocumentId(name) for name in draw(st.lists(said(), max_size=2)) if name not in relevant),
        history=tuple(draw(st.lists(said(), max_size=2))),
        user=draw(st.none() | said()),
        tenant=draw(st.none() | said()),
        as_of=draw(st.none() | st.dates()),
        filters=tuple(sorted(draw(st.dictionaries(words(), said(), max_size=2)).items())),
        category=draw(words()),
        split=draw(words()),
        group=draw(words()),
        annotator=draw(words()),
        adjudication=draw(words()),
    )


def test_a_row_says_everything_that_a_case_holds() -> None:
    assert case_of(FULL) == Case(
        id="a",
        question="And before?",
        evidence=(Evidence(DocumentId("d"), 3, "2", "30 days", (4, 11)),),
        answerable=True,
        answer="30 days.",
        nuggets=("thirty days",),
        withheld=(DocumentId("secret"),),
        history=("How long is it now?",),
        user="erin",
        tenant="default",
        as_of=date(2024, 5, 5),
        filters=(("language", "en"), ("tag", "refunds")),
        category="temporal",
        split="dev",
        group="window",
        annotator="ann",
        adjudication="confirmed",
    )


def test_a_row_is_written_as_it_was_read() -> None:
    assert row_of(case_of(FULL)) == FULL
    assert list(json.loads(line_of(case_of(FULL)))) == list(FULL)


def test_an_id_and_a_question_are_enough_and_say_nothing_of_answers() -> None:
    assert case_of({"id": "a", "question": "What?"}) == Case("a", "What?")
    assert line_of(Case("a", "What?")) == '{"id": "a", "question": "What?"}\n'


def test_null_is_the_same_as_left_out() -> None:
    nothing = {key: None for key in FULL if key not in {"id", "question"}}
    assert case_of({**nothing, "id": "a", "question": "What?"}) == Case("a", "What?")


def test_a_query_of_beir_is_a_case() -> None:
    assert case_of({"_id": "1", "text": "What?", "metadata": {"url": "x"}}) == Case("1", "What?")


@given(cases())
@hypothesis_settings(max_examples=60)
def test_what_is_written_is_read_again(case: Case) -> None:
    line = line_of(case)
    assert line.count("\n") == 1
    assert case_of(json.loads(line)) == case


@given(cases(), cases(), st.sampled_from(list(FULL)))
@hypothesis_settings(max_examples=40)
def test_cases_have_equal_rows_if_and_only_if_they_are_equal(one: Case, other: Case, key: str) -> None:
    field = {"as": "user"}.get(key, key)
    changed = replace(one, **{field: getattr(other, field)})
    assert (row_of(one) == row_of(changed)) == (one == changed)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": None}, "no 'id'"),
        ({"id": ""}, "empty 'id'"),
        ({"id": 7}, "'id' 7, which is not a text"),
        ({"question": None}, "no 'question'"),
        ({"question": " \n"}, "empty 'question'"),
        ({"relevant": []}, "unknown key 'relevant'"),
        ({"_id": "b"}, "both '_id' and 'id'"),
        ({"answerable": "yes"}, "'answerable' 'yes', which is not true or false"),
        ({"answerable": 1}, "'answerable' 1"),
        ({"answerable": False}, "not answerable but has evidence in 'd'"),
        ({"evidence": []}, "answerable but has no evidence"),
        ({"evidence": [{"document": "d", "grade": 0}]}, "answerable but has no evidence"),
        ({"evidence": {}}, "not a list of objects"),
        ({"evidence": ["d"]}, "not an object"),
        ({"evidence": [{"quote": "x"}]}, "no 'document'"),
        ({"evidence": [{"document": "d", "text": "x"}]}, "unknown key 'text'"),
        ({"evidence": [{"document": "d", "grade": True}]}, "'grade' True"),
        ({"evidence": [{"document": "d", "grade": -1}]}, "'grade' -1"),
        ({"evidence": [{"document": "d", "grade": 1.0}]}, r"'grade' 1\.0"),
        ({"evidence": [{"document": "d", "grade": float("nan")}]}, "'grade' nan"),
        ({"evidence": [{"document": "d", "quote": " "}]}, "empty 'quote'"),
        ({"evidence": [{"document": "d", "quote": "\u200b"}]}, "nobody sees"),
        ({"evidence": [{"document": "d", "version": 2}]}, "'version' 2, which is not a text"),
        ({"evidence": [{"document": "d", "span": [3, 3]}]}, "holds no character"),
        ({"evidence": [{"document": "d", "span": [-1, 3]}]}, "holds no character"),
        ({"evidence": [{"document": "d", "span": [False, 3]}]}, "two offsets"),
        ({"evidence": [{"document": "d", "span": [1]}]}, "two offsets"),
        ({"evidence": [{"document": "d"}, {"document": "d", "grade": 2}]}, "same evidence in 'd' twice"),
        ({"withheld": ["d"]}, "withholds 'd'"),
        ({"withheld": "d"}, "not a list of texts"),
        ({"as_of": "5 May 2024"}, "not a day such as"),
        ({"as_of": "20240505"}, "not a day such as"),
        ({"as_of": 2024}, "not a day such as"),
        ({"as": ""}, "empty 'as'"),
        ({"filters": [["tag", "x"]]}, "not an object"),
        ({"filters": {"tag": ""}}, "empty 'tag'"),
        ({"nuggets": ["one", ""]}, "empty 'nuggets'"),
        ({"history": [""]}, "empty 'history'"),
        ({"answer": ["30"]}, "not a text"),
        ({"answer": "\ud800"}, "half a surrogate pair in 'answer', at character 0"),
    ],
)
def test_what_cannot_be_is_refused_in_a_few_words(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(NotACase, match=problem) as refusal:
        case_of({**FULL, **change})
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize(
    "case",
    [
        Case("", "What?"),
        Case("a", "What?", user=""),
        Case("a", "What?", filters=(("tag", "x"), ("tag", "y"))),
        Case("a", "What?", answerable=True),
        Case("a", "What \udfff?"),
    ],
)
def test_a_case_that_could_not_be_read_again_is_not_written(case: Case) -> None:
    with pytest.raises(NotACase):
        line_of(case)
