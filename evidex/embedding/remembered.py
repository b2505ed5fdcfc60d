"""The vectors of the last few queries, so that a question which several stages look at is embedded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from evidex.embedding.prefixes import Role
from evidex.ports import Embedder, EmbedderContract, Embedding

_KEPT = 256


class RememberedQueries:
    """An embedder that remembers queries by their text; passages go straight through."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: OrderedDict[str, Embedding] = OrderedDict()
        self._lock = Lock()

    @property
    def contract(self) -> EmbedderContract:
        return self._embedder.contract

    @property
    def has_token_vectors(self) -> bool:
        return self._embedder.has_token_vectors

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        """Embed texts, but for queries that are remembered. Threads never wait for each other's texts."""
        if role == "passage" or not texts:
            return self._embedder.embed(texts, role=role, token_vectors=token_vectors)
        found = [self._query(text) for text in texts]
        return Embedding(
            vectors=np.concatenate([one.vectors for one in found]),
            known=tuple(one.known[0] for one in found),
            unknown=tuple(one.unknown[0] for one in found),
            truncated=tuple(one.truncated[0] for one in found),
            token_vectors=tuple(vectors for one in found for vectors in one.token_vectors) if token_vectors else (),
        )

    def _query(self, text: str) -> Embedding:
        with self._lock:
            if text in self._known:
                self._known.move_to_end(text)
                return self._known[text]
        # Token vectors come from the same pass of the model, so asking for them costs nothing.
        embedding = self._embedder.embed([text], role="query", token_vectors=self.has_token_vectors)
        with self._lock:
            self._known[text] = embedding
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return embedding
