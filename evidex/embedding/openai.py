"""Vectors from any endpoint that speaks OpenAI's `POST /v1/embeddings`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evidex.config import EmbeddingSettings
from evidex.embedding.prefixes import Role, prefix_for, prefixed
from evidex.embedding.unit import unit_rows
from evidex.http import Endpoint
from evidex.ports import EmbedderContract, Embedding
from evidex.types import Vectors

PART = "embedding provider 'openai'"
_REMEDIES: Mapping[int, str] = {
    400: "Check 'embedding.model' and 'embedding.width', and that no chunk is longer than the model takes.",
    413: "Lower 'embedding.batch'.",
    429: "Wait, or lower 'embedding.batch' or raise 'embedding.retries'.",
}


def make(settings: EmbeddingSettings, weights: Path) -> OpenAiEmbedder:  # noqa: ARG001  # nothing is trained
    """The embedder of `settings.base_url`; nothing is sent before the first vector or the width is asked for.

    Raises `MissingExtra` without the extra `remote`, and `ConfigError` for a wrong or missing address, model or key.
    """
    return OpenAiEmbedder(settings)


class OpenAiEmbedder:
    """Asks in batches, and checks and normalises what comes back; see `http.Endpoint` for what is tried again.

    `known` counts words, since an endpoint does not say how it cut each text. A blank text is not sent. The width is
    that of the settings where they name one (and the endpoint is asked for it), otherwise the model's own, learned
    from its first reply.
    """

    has_token_vectors = False

    def __init__(self, settings: EmbeddingSettings, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._settings = settings
        self._endpoint = Endpoint(
            "/embeddings", settings, section="embedding", part=PART, remedies=_REMEDIES, pause=pause
        )
        self._asked_width = settings.width if "width" in settings.model_fields_set else None
        self._width = self._asked_width

    @property
    def contract(self) -> EmbedderContract:
        """The contract; asks the endpoint for one vector when its width is not known yet."""
        if self._width is None:
            self._vectors(["width"])
        assert self._width is not None
        return EmbedderContract(
            model=self._settings.model,
            revision=self._settings.revision,
            weights="",
            query_prefix=self._settings.query_prefix,
            passage_prefix=self._settings.passage_prefix,
            pooling="provider",
            normalized=True,
            width=self._width,
            max_tokens=0,
            metric="cosine",
        )

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:  # noqa: ARG002
        contract = self.contract
        inputs = prefixed(texts, prefix_for(contract, role))
        sent = [row for row, text in enumerate(inputs) if text]
        vectors = np.zeros((len(texts), contract.width), np.float32)
        for start in range(0, len(sent), self._settings.batch):
            rows = sent[start : start + self._settings.batch]
            vectors[rows] = self._vectors([inputs[row] for row in rows])
        none = (0,) * len(texts)
        return Embedding(vectors, tuple(len(text.split()) for text in texts), none, none)

    def _vectors(self, inputs: Sequence[str]) -> Vectors:
        body: dict[str, Any] = {"model": self._settings.model, "input": list(inputs)}
        if self._asked_width is not None:
            body["dimensions"] = self._asked_width
        rows = self._endpoint.post(body, lambda reply: self._rows(reply, len(inputs)))
        self._width = self._width or len(rows[0])
        for row in rows:
            if len(row) != self._width:
                raise self._endpoint.error(
                    f"gave a vector of width {len(row)} instead of {self._width}",
                    "Set 'embedding.width' to a width that the model offers, or leave it out.",
                )
        try:
            matrix = np.array(rows, dtype=np.float64)
        except (TypeError, ValueError):
            raise self._endpoint.error(
                "gave a vector that is not of numbers", "Check that it serves embeddings."
            ) from None
        if not np.isfinite(matrix).all():
            raise self._endpoint.error("gave a value that is not finite", "Check the model that it serves.")
        return unit_rows(matrix)

    def _rows(self, reply: object, count: int) -> list[list[Any]]:
        """The vectors of a reply in the order asked for: `index` counts, not the order of the list."""
        data = reply.get("data") if isinstance(reply, Mapping) else None
        try:
            by_index = {item["index"]: item["embedding"] for item in data or []}
            rows = [by_index[number] for number in range(count)]
        except (TypeError, KeyError):
            rows = []
        if len(rows) != count or len(data or []) != count or not all(isinstance(row, list) and row for row in rows):
            raise self._endpoint.error(
                f"did not give one vector for each of {count} texts", "Check that it is an OpenAI-compatible endpoint."
            )
        return rows
