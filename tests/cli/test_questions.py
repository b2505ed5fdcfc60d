"""`search`, `ask` and `explain`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.commands import Done

Run = Callable[..., Done]
QUESTION = "Within how many days of purchase may a customer ask for a refund?"


def test_ask_prints_the_claim_with_the_number_of_its_citation(run_in: Run) -> None:
    claim, _, citation, _, last, *_ = run_in("ask", QUESTION).out.splitlines()

    assert claim == "A customer may ask for a refund within 45 days of purchase. [1]"
    assert citation == (
        "[1] refund-3 v3, line 10 (verified): “A customer may ask for a refund within 45 days of purchase.”"
    )
    assert last.startswith("trace ") and ", generation " in last


def test_a_withheld_answer_says_why(run_in: Run) -> None:
    done = run_in("ask", "Who won the chess tournament?")

    assert done.out.startswith("No answer: ")
    assert done.err == ""


def test_search_shows_the_rank_in_every_channel_and_stage(run_in: Run) -> None:
    heading, first, *_ = run_in("search", "gateway error E1492").out.splitlines()

    assert heading.split() == ["#", "sparse", "dense", "fused", "reranker", "reranked", "document", "passage"]
    assert first.split()[:8] == ["1", "1", "1", "1", "1", "1", "docs/gateway.md", "v1"]


@pytest.mark.parametrize(("limit", "found"), [(1, 1), (2, 2), (1_000_000, 3)])
def test_search_returns_at_most_as_many_as_asked_for(run_in: Run, limit: int, found: int) -> None:
    searched = run_in("search", "a customer and the gateway", "--as", "ann", "-k", str(limit), "--json").json

    assert len(searched["chunks"]) == found


def test_search_says_when_there_is_nothing(run_in: Run) -> None:
    done = run_in("search", "zzz qqq")

    assert (done.code, done.out) == (0, "Nothing found.\n")


def test_as_of_answers_from_what_was_in_force_then(run_in: Run) -> None:
    assert "within 30 days" in run_in("ask", QUESTION, "--as-of", "2024-06-01").out
    assert "within 45 days" in run_in("ask", QUESTION, "--as-of", "2025-06-01").out


def test_after_completes_a_follow_up(run_in: Run) -> None:
    explained = run_in("explain", "And how long is it?", "--after", "What is the refund window?", "--json").json

    (understood,) = [stage for stage in explained["trace"]["stages"] if stage["name"] == "understand"]
    assert "What is the refund window? And how long is it?" in understood["notes"].values()


def test_filters_narrow_a_question_together(run_in: Run) -> None:
    billing = run_in("search", "a customer and the gateway", "--filter", "tag=billing", "--json").json
    neither = run_in(
        "search", "customer", "--filter", "tag=billing", "--filter", "document=docs/gateway.md", "--json"
    ).json

    assert {chunk["document"] for chunk in billing["chunks"]} == {"refund-3"}
    assert neither["chunks"] == []


def test_explain_prints_every_stage_and_the_fate_of_every_candidate(run_in: Run) -> None:
    done = run_in("explain", QUESTION)

    for stage in ("scope", "understand", "retrieve", "fuse", "rerank", "assemble", "answer"):
        assert f"\n{stage} " in done.out
    assert "refund-3" in done.out and "cited" in done.out


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("refund-2", "version 2 was in force until 2025-01-01"),
        ("salaries", "there is no document 'salaries' that this asker (tenant default) may read"),
        ("nonsense", "there is no document 'nonsense' that this asker (tenant default) may read"),
        ("docs/gateway.md", "delivered, not cited"),
    ],
)
def test_explain_tells_why_a_document_is_not_in_the_answer(run_in: Run, document: str, reason: str) -> None:
    done = run_in("explain", f"{QUESTION} Does the gateway tell?", "--why-not", document)

    assert f"\nWhy not {document}?\n" in done.out
    assert reason in done.out.split("Why not")[1]


def test_a_past_question_is_explained_by_its_trace(run_in: Run) -> None:
    trace = run_in("ask", QUESTION, "--json").json["trace_id"]

    done = run_in("explain", "--trace", trace)

    assert done.out.startswith(f"Question    {QUESTION}\n")
    assert done.out.endswith(f"\ntrace {trace}\n")


def test_a_trace_and_a_question_cannot_both_be_explained(run_in: Run) -> None:
    for words in (("explain",), ("explain", QUESTION, "--trace", "1234")):
        assert run_in(*words).code == 2
        assert run_in(*words).sentence == "Give a question or --trace ID, one of the two."
