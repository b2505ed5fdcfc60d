"""What is put before a text, and which models were trained to expect it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evidex.ports import EmbedderContract

Role: TypeAlias = Literal["query", "passage"]


def prefix_for(contract: EmbedderContract, role: Role) -> str:
    """The prefix that the contract sets for queries or for passages."""
    return contract.query_prefix if role == "query" else contract.passage_prefix


def prefixed(texts: Sequence[str], prefix: str) -> list[str]:
    """The texts as a model is given them: with the prefix, and with `?` for lone surrogates, which are no text.

    A blank text stays blank, so that a prefix never lends it a meaning.
    """
    return [(prefix + text).encode("utf-8", "replace").decode("utf-8") if text.strip() else "" for text in texts]


@dataclass(frozen=True, slots=True)
class _Family:
    pattern: str
    query: str
    passage: str = ""


# From the model cards; the first family whose pattern occurs in the lower-cased name counts.
_FAMILIES = (
    _Family(r"e5-.*instruct", "Instruct: Given a question, retrieve passages that answer it\nQuery: "),
    _Family(r"(^|[^a-z0-9])e5([^a-z0-9]|$)", "query: ", "passage: "),
    _Family(r"bge-(small|base|large)-en", "Represent this sentence for searching relevant passages: "),
    _Family(r"mxbai-embed", "Represent this sentence for searching relevant passages: "),
    _Family(r"arctic-embed-.*-v2", "query: "),
    _Family(r"arctic-embed", "Represent this sentence for searching relevant passages: "),
    _Family(r"nomic-embed", "search_query: ", "search_document: "),
    _Family(r"embeddinggemma", "task: search result | query: ", "title: none | text: "),
    _Family(r"qwen3-embedding", "Instruct: Given a question, retrieve passages that answer it\nQuery:"),
)


def warnings_for(contract: EmbedderContract) -> tuple[str, ...]:
    """One sentence for each prefix that the model was trained with and the contract lacks.

    Such a model still answers without its prefixes; it only ranks worse, and nothing else says so.
    """
    name = contract.model.lower()
    family = next((family for family in _FAMILIES if re.search(family.pattern, name)), None)
    if family is None:
        return ()
    wanted = (
        ("query_prefix", family.query, contract.query_prefix),
        ("passage_prefix", family.passage, contract.passage_prefix),
    )
    return tuple(
        f"Model {contract.model!r} was trained with a {setting.replace('_', ' ')} and has none: "
        f"set embedding.{setting} to {prefix!r} and rebuild, or expect worse rankings."
        for setting, prefix, given in wanted
        if prefix and not given
    )
