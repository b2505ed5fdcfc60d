from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from evidex.embedding.prefixes import Role
from evidex.embedding.remembered import RememberedTexts
from evidex.ports import EmbedderContract, Embedding


class Waiting:
    """Embeds a text by its length; a text named `together` only once another thread embeds one of that name, too."""

    contract = EmbedderContract("length", "1", "", "", "", "mean", False, 1, 0, "dot")
    has_token_vectors = False

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.both = threading.Barrier(2, timeout=10)

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        self.texts += texts
        if "together" in texts[0]:
            self.both.wait()
        none = (0,) * len(texts)
        return Embedding(np.array([[len(text)] for text in texts], np.float32), none, none, none)


@pytest.mark.parametrize("role", ["query", "passage"])
def test_a_text_is_embedded_once_in_each_role(role: Role) -> None:
    inner = Waiting()
    remembered = RememberedTexts(inner)
    other: Role = "passage" if role == "query" else "query"
    assert remembered.embed(["a", "bb", "a"], role=role).vectors.tolist() == [[1], [2], [1]]
    assert remembered.embed(["ccc", "bb"], role=role).vectors.tolist() == [[3], [2]]
    assert inner.texts == ["a", "bb", "ccc"]
    remembered.embed(["a"], role=other)
    assert inner.texts == ["a", "bb", "ccc", "a"]


def test_passages_whose_tokens_are_asked_for_go_straight_through() -> None:
    inner = Waiting()
    remembered = RememberedTexts(inner)
    remembered.embed(["a"], role="passage")
    remembered.embed(["a"], role="passage", token_vectors=True)
    assert inner.texts == ["a", "a"]


def test_the_queries_least_recently_asked_are_forgotten() -> None:
    inner = Waiting()
    remembered = RememberedTexts(inner)
    remembered.embed([str(number) for number in range(256)], role="query")
    remembered.embed(["0", "new", "0", "1"], role="query")
    assert inner.texts[256:] == ["new", "1"]


def test_a_question_does_not_wait_for_the_model_to_answer_another() -> None:
    remembered = RememberedTexts(Waiting())
    first = threading.Thread(target=remembered.embed, args=(["together 1"],), kwargs={"role": "query"})
    first.start()
    assert remembered.embed(["together 22"], role="query").vectors.tolist() == [[11]]
    first.join()
