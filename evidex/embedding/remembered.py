"""The vectors of the last texts, so that what several stages or questions look at is embedded once.

A text's vector depends on nothing but the text, so remembering changes no bit of any answer. Texts are kept as digests:
what is deleted does not live on here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from evidex.embedding.prefixes import Role
from evidex.ports import Embedder, EmbedderContract, Embedding
from evidex.storage import digest

QUERIES_KEPT = 256
PASSAGES_KEPT = 8192


class RememberedTexts:
    """An embedder that remembers queries, and passages of which no token vectors are asked."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._queries = _Memory(QUERIES_KEPT)
        self._passages = _Memory(PASSAGES_KEPT)

    @property
    def contract(self) -> EmbedderContract:
        return self._embedder.contract

    @property
    def has_token_vectors(self) -> bool:
        return self._embedder.has_token_vectors

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        """Embed texts, but for those that are remembered. Threads never wait for each other's texts."""
        if not texts or (role == "passage" and token_vectors):
            return self._embedder.embed(texts, role=role, token_vectors=token_vectors)
        found = self._query_parts(texts) if role == "query" else self._passage_parts(texts)
        return Embedding(
            vectors=np.concatenate([one.vectors for one in found]),
            known=tuple(one.known[0] for one in found),
            unknown=tuple(one.unknown[0] for one in found),
            truncated=tuple(one.truncated[0] for one in found),
            token_vectors=tuple(vectors for one in found for vectors in one.token_vectors) if token_vectors else (),
        )

    def _query_parts(self, texts: Sequence[str]) -> list[Embedding]:
        parts = []
        for text in texts:
            known = self._queries.get(text)
            # Token vectors come from the same pass of the model, so asking for them costs nothing.
            parts.append(known or self._embedder.embed([text], role="query", token_vectors=self.has_token_vectors))
            self._queries.put(text, parts[-1])
        return parts

    def _passage_parts(self, texts: Sequence[str]) -> list[Embedding]:
        known = {text: self._passages.get(text) for text in texts}
        new = [text for text, embedding in known.items() if embedding is None]
        if new:
            embedded = self._embedder.embed(new, role="passage")
            parts = zip(embedded.vectors[:, None], embedded.known, embedded.unknown, embedded.truncated, strict=True)
            for text, (vector, read, unread, cut) in zip(new, parts, strict=True):
                known[text] = Embedding(vector, (read,), (unread,), (cut,))
        found = [embedding for text in texts if (embedding := known[text]) is not None]
        for text, embedding in zip(texts, found, strict=True):
            self._passages.put(text, embedding)
        return found


class _Memory:
    """The embeddings of the texts last used, at most so many."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._known: OrderedDict[str, Embedding] = OrderedDict()
        self._lock = Lock()

    def get(self, text: str) -> Embedding | None:
        with self._lock:
            return self._known.get(_key(text))

    def put(self, text: str, embedding: Embedding) -> None:
        """Remember an embedding as the one used last."""
        key = _key(text)
        with self._lock:
            self._known[key] = embedding
            self._known.move_to_end(key)
            if len(self._known) > self._kept:
                self._known.popitem(last=False)


def _key(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))
