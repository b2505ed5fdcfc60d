"""An embedder that was trained with prefixes, as many are: without them, a text lands where nothing else is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidex.embedding.prefixes import Role, prefix_for, prefixed
from evidex.ports import Embedder, EmbedderContract, Embedding

QUERY, PASSAGE = "query: ", "passage: "


@dataclass(frozen=True, slots=True)
class Prefixed:
    """Puts prefixes before texts, and embeds them with a model that expects one.

    The model stands on `meaning`, which knows nothing of prefixes: a text that comes without one has its components in
    reverse, as far from the others as any.
    """

    meaning: Embedder
    forgetful: bool = False

    @property
    def contract(self) -> EmbedderContract:
        return replace(self.meaning.contract, query_prefix=QUERY, passage_prefix=PASSAGE)

    @property
    def has_token_vectors(self) -> bool:
        return False

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:  # noqa: ARG002
        given = texts if self.forgetful else prefixed(texts, prefix_for(self.contract, role))
        return self._model(given, role)

    def _model(self, given: Sequence[str], role: Role) -> Embedding:
        begins = [text.startswith((QUERY, PASSAGE)) for text in given]
        bare = [text.removeprefix(QUERY).removeprefix(PASSAGE) for text in given]
        found = self.meaning.embed(bare, role=role)
        vectors = found.vectors.copy()
        for row, expected in enumerate(begins):
            if not expected:
                vectors[row] = vectors[row, ::-1]
        return replace(found, vectors=vectors)
