"""An embedder small enough to reckon with: each word cut into pieces of a few letters, each piece an axis of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from evidex.embedding.prefixes import Role
from evidex.ports import EmbedderContract, Embedding

WIDTH = 512


class Words:
    def __init__(self, *, pieces: int = 30, token_vectors: bool = True) -> None:
        self._pieces = pieces
        self.has_token_vectors = token_vectors
        self.contract = EmbedderContract("words", "", "", "", "", "mean", True, WIDTH, 0, "cosine")

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:
        tokens = [self._tokens(text) for text in texts]
        counts = tuple(len(found) for found in tokens)
        none = (0,) * len(texts)
        pooled = np.array([found.sum(axis=0) for found in tokens], np.float32).reshape(-1, WIDTH)
        return Embedding(pooled, counts, none, none, tuple(tokens) if token_vectors else ())

    def _tokens(self, text: str) -> np.typing.NDArray[np.float32]:
        words = re.findall(r"\w+|[^\w\s]", text.lower())
        pieces = [word[at : at + self._pieces] for word in words for at in range(0, len(word), self._pieces)]
        vectors = np.zeros((len(pieces), WIDTH), np.float32)
        vectors[np.arange(len(pieces)), [crc32(piece.encode("utf-8", "surrogatepass")) % WIDTH for piece in pieces]] = 1
        return vectors
