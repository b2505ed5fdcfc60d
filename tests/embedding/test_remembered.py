from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from evidex.embedding.prefixes import Role
from evidex.embedding.remembered import RememberedQueries
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


def test_a_query_is_embedded_once_and_passages_every_time() -> None:
    inner = Waiting()
    remembered = RememberedQueries(inner)
    assert remembered.embed(["a", "bb", "a"], role="query").vectors.tolist() == [[1], [2], [1]]
    assert remembered.embed(["bb"], role="query").vectors.tolist() == [[2]]
    remembered.embed(["a"], role="passage")
    assert inner.texts == ["a", "bb", "a"]


def test_the_queries_least_recently_asked_are_forgotten() -> None:
    inner = Waiting()
    remembered = RememberedQueries(inner)
    remembered.embed([str(number) for number in range(256)], role="query")
    remembered.embed(["0", "new", "0", "1"], role="query")
    assert inner.texts[256:] == ["new", "1"]


def test_a_question_does_not_wait_for_the_model_to_answer_another() -> None:
    remembered = RememberedQueries(Waiting())
    first = threading.Thread(target=remembered.embed, args=(["together 1"],), kwargs={"role": "query"})
    first.start()
    assert remembered.embed(["together 22"], role="query").vectors.tolist() == [[11]]
    first.join()
