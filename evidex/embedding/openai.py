"""Vectors from any endpoint that speaks OpenAI's `POST /v1/embeddings`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

import numpy as np

from evidex.config import EmbeddingSettings
from evidex.embedding.prefixes import Role, prefix_for, prefixed
from evidex.embedding.unit import unit_rows
from evidex.errors import ConfigError, MissingExtra, ProviderError
from evidex.ports import EmbedderContract, Embedding
from evidex.types import Vectors

if TYPE_CHECKING:
    import httpx

PART = "embedding provider 'openai'"
EXTRA = "remote"
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
_SHOWN = 200  # characters of an endpoint's own words in an error


def make(settings: EmbeddingSettings, weights: Path) -> OpenAiEmbedder:  # noqa: ARG001  # nothing is trained
    """The embedder of `settings.base_url`; nothing is sent before the first vector or the width is asked for.

    Raises `MissingExtra` without the extra `remote`, and `ConfigError` for a missing address, model or key.
    """
    for name in ("base_url", "model"):
        if not getattr(settings, name):
            raise ConfigError(f"Setting 'embedding.{name}' is empty; {PART} needs it.", "Set it in evidex.toml.")
    key = os.environ.get(settings.api_key_variable, "") if settings.api_key_variable else ""
    if settings.api_key_variable and not key:
        raise ConfigError(
            f"The environment variable {settings.api_key_variable!r} is not set.",
            "Export it, or empty 'embedding.api_key_variable' for an endpoint without a key.",
        )
    return OpenAiEmbedder(settings, key)


class OpenAiEmbedder:
    """Asks in batches, repeats what may pass by itself, and checks and normalises what comes back.

    `known` counts words, since an endpoint does not say how it cut each text. A blank text is not sent. The width is
    that of the settings where they name one (and the endpoint is asked for it), otherwise the model's own, learned
    from its first reply.
    """

    has_token_vectors = False

    def __init__(self, settings: EmbeddingSettings, key: str, *, sleep: Callable[[float], None] = time.sleep) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingExtra(PART, EXTRA) from None
        self._settings = settings
        self._key = key
        self._sleep = sleep
        try:
            self._endpoint = httpx.URL(settings.base_url.rstrip("/") + "/embeddings")
        except httpx.InvalidURL as error:
            raise ConfigError(f"Setting 'embedding.base_url' is no address: {error}.", "It ends in /v1.") from None
        self._client = httpx.Client(
            timeout=settings.timeout_seconds, headers={"Authorization": f"Bearer {key}"} if key else {}
        )
        finalize(self, self._client.close)
        # A failed request of these kinds may have left no answer yet; a refused connection has given its answer.
        self._passing = (httpx.TimeoutException, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
        self._failing = httpx.HTTPError
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
        reply = self._reply(body)
        rows = self._rows(reply, len(inputs))
        self._width = self._width or len(rows[0])
        for row in rows:
            if len(row) != self._width:
                raise self._wrong(
                    f"gave a vector of width {len(row)} instead of {self._width}",
                    "Set 'embedding.width' to a width that the model offers, or leave it out.",
                )
        try:
            matrix = np.array(rows, dtype=np.float64)
        except (TypeError, ValueError):
            raise self._wrong("gave a vector that is not of numbers", "Check that it serves embeddings.") from None
        if not np.isfinite(matrix).all():
            raise self._wrong("gave a value that is not finite", "Check the model that it serves.")
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
            raise self._wrong(
                f"did not give one vector for each of {count} texts", "Check that it is an OpenAI-compatible endpoint."
            )
        return rows

    def _reply(self, body: Mapping[str, Any]) -> object:
        attempt = 0
        while True:
            try:
                return self._attempt(body)
            except _MayPassError as failure:
                if attempt == self._settings.retries:
                    raise failure.error from None
                self._sleep(_pause(attempt, failure.retry_after))
            attempt += 1

    def _attempt(self, body: Mapping[str, Any]) -> object:
        try:
            response = self._client.post(self._endpoint, json=body)
        except self._passing as error:
            raise _MayPassError(self._wrong(f"did not answer ({type(error).__name__})", _TIMEOUT_REMEDY)) from None
        except self._failing as error:
            raise self._wrong(f"cannot be reached ({error})", "Check 'embedding.base_url'.") from None
        if response.status_code == 429 or response.status_code >= 500:
            raise _MayPassError(self._refusal(response), response.headers.get("Retry-After", ""))
        if response.status_code != 200:
            raise self._refusal(response)
        return self._json(response)

    def _json(self, response: httpx.Response) -> object:
        try:
            reply: object = response.json()
        except ValueError:
            raise self._wrong("did not answer in JSON", "Check 'embedding.base_url'; it ends in /v1.") from None
        return reply

    def _refusal(self, response: httpx.Response) -> ProviderError:
        status = response.status_code
        said = response.text.replace(self._key, "…") if self._key else response.text
        shown = " ".join(said.split())[:_SHOWN]
        return self._wrong(f"answered {status}: {shown}", _REMEDIES.get(status, "Read its own log."))

    def _wrong(self, what: str, remedy: str) -> ProviderError:
        shown = self._endpoint.copy_with(username=None, password=None, query=None)
        return ProviderError(f"The embedding endpoint {str(shown)!r} {what}.", remedy)


class _MayPassError(Exception):
    """A failure that may pass by itself, with the error to raise when it does not."""

    def __init__(self, error: ProviderError, retry_after: str = "") -> None:
        self.error = error
        self.retry_after = retry_after
        super().__init__(error, retry_after)


def _pause(attempt: int, retry_after: str = "") -> float:
    """Seconds before the next attempt: what the endpoint asks for, or twice the last pause; never above the longest."""
    asked = float(retry_after) if retry_after.isdecimal() else FIRST_PAUSE_SECONDS * 2**attempt
    return min(asked, LONGEST_PAUSE_SECONDS)


_TIMEOUT_REMEDY = "Try again, or raise 'embedding.timeout_seconds' or 'embedding.retries'."
_REMEDIES: Mapping[int, str] = {
    400: "Check 'embedding.model' and 'embedding.width', and that no chunk is longer than the model takes.",
    401: "Check the key in the variable that 'embedding.api_key_variable' names.",
    403: "Check what the key in the variable that 'embedding.api_key_variable' names is allowed to do.",
    404: "Check 'embedding.base_url' (it ends in /v1) and 'embedding.model'.",
    413: "Lower 'embedding.batch'.",
    429: "Wait, or lower 'embedding.batch' or raise 'embedding.retries'.",
}
