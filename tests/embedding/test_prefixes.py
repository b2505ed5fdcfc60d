from __future__ import annotations

import pytest

from evidex.embedding.prefixes import prefix_for, prefixed, warnings_for
from evidex.ports import EmbedderContract


def contract(model: str, query_prefix: str = "", passage_prefix: str = "") -> EmbedderContract:
    return EmbedderContract(model, "", "", query_prefix, passage_prefix, "mean", True, 384, 512, "cosine")


def test_queries_and_passages_get_their_own_prefix() -> None:
    e5 = contract("e5-small-v2", "query: ", "passage: ")
    assert (prefix_for(e5, "query"), prefix_for(e5, "passage")) == ("query: ", "passage: ")
    assert prefixed(["refund"], "query: ") == ["query: refund"]


def test_a_prefix_never_lends_a_blank_text_a_meaning() -> None:
    assert prefixed(["", "  \n"], "query: ") == ["", ""]


def test_a_lone_surrogate_becomes_something_that_can_be_encoded() -> None:
    assert prefixed(["a\ud800b"], "") == ["a?b"]


@pytest.mark.parametrize(
    "model", ["e5-small-v2", "intfloat/multilingual-e5-small", "nomic-embed-text-v1.5", "embeddinggemma-300m"]
)
def test_a_model_trained_with_two_prefixes_and_given_none_brings_two_warnings(model: str) -> None:
    query, passage = warnings_for(contract(model))
    assert "query_prefix" in query
    assert "passage_prefix" in passage


@pytest.mark.parametrize(
    "model",
    ["bge-small-en-v1.5", "mxbai-embed-large-v1", "snowflake-arctic-embed-l-v2.0", "multilingual-e5-large-instruct"],
)
def test_a_model_trained_with_a_query_prefix_only_brings_one_warning(model: str) -> None:
    (warning,) = warnings_for(contract(model))
    assert "query_prefix" in warning


def test_the_forgotten_prefix_alone_is_warned_of() -> None:
    (warning,) = warnings_for(contract("e5-base-v2", query_prefix="query: "))
    assert "passage_prefix" in warning


@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "lsa", "bge-m3", "text-embedding-3-small", "le5ter", "code52"])
def test_models_without_prefixes_bring_no_warning(model: str) -> None:
    assert warnings_for(contract(model)) == ()


def test_prefixes_that_are_set_bring_no_warning() -> None:
    assert warnings_for(contract("e5-base-v2", "query: ", "passage: ")) == ()
