"""How is an OpenAI-compatible endpoint asked? One POST, tried again while that may help; no error shows a key."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import finalize

from evidex.errors import ConfigError, MissingExtra, ProviderError

if TYPE_CHECKING:
    import httpx

EXTRA = "remote"
FIRST_PAUSE_SECONDS = 0.5
"""Wait before the second attempt; doubles with every further one."""
LONGEST_PAUSE_SECONDS = 30.0
"""Longest wait between attempts, also when the endpoint asks for more with `Retry-After`."""
_SHOWN = 200  # characters of an endpoint's own words in an error

Value = TypeVar("Value")


class EndpointSettings(Protocol):
    """What a section of the settings says of its endpoint."""

    @property
    def base_url(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def api_key_variable(self) -> str: ...
    @property
    def timeout_seconds(self) -> float: ...
    @property
    def retries(self) -> int: ...


class RequestRefused(ProviderError):
    """The endpoint answered with a status that another attempt would not change."""

    def __init__(self, problem: str, remedy: str, status: int) -> None:
        super().__init__(problem, remedy)
        self.status = status


@dataclass(frozen=True, slots=True)
class _MayPass:
    """What went wrong in an attempt that is worth another one."""

    error: ProviderError
    retry_after: str = ""


class Endpoint:
    """One address below `base_url`, asked with the key that the settings name the variable of.

    Timeouts, lost connections, 408, 429, 5xx and replies that the caller cannot read are tried again, `retries` times,
    with growing pauses. `remedies` adds to what an error advises, by status. Redirects are not followed, so the key
    goes nowhere else.
    """

    def __init__(
        self,
        path: str,
        settings: EndpointSettings,
        *,
        section: str,
        part: str,
        remedies: Mapping[int, str],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Nothing is sent yet.

        Raises `ConfigError` for a missing or malformed address, model or key, and `MissingExtra` without `remote`.
        """
        for name in ("base_url", "model"):
            if not getattr(settings, name):
                raise ConfigError(f"Setting '{section}.{name}' is empty; {part} needs it.", "Set it in evidex.toml.")
        key = _api_key(settings.api_key_variable, section)
        try:
            import httpx
        except ImportError:
            raise MissingExtra(part, EXTRA) from None
        url = _address(settings.base_url, path, section)
        # The library logs addresses, so user and password are sent and not kept in it.
        self._url = url.copy_with(username=None, password=None)
        self._secrets = tuple(filter(None, (key, url.password, url.query.decode())))
        self._section = section
        self._retries = settings.retries
        self._remedies = {**_remedies(section), **remedies}
        self._pause = pause
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        auth = (url.username, url.password) if url.userinfo and not key else None
        self._client = httpx.Client(timeout=settings.timeout_seconds, headers=headers, auth=auth)
        finalize(self, self._client.close)
        # A failed request of these kinds may have left no answer yet; a refused connection has given its answer.
        self._passing = (httpx.TimeoutException, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
        self._failing = httpx.RequestError

    def post(self, body: Mapping[str, Any], read: Callable[[Any], Value]) -> Value:
        """What `read` makes of the JSON value that the endpoint answers; it raises `ValueError` for one it cannot use.

        Raises `RequestRefused` for a status that is final, `ProviderError` for every other failure that is or stays.
        """
        attempt = 0
        while True:
            found = self._attempt(body, read)
            if not isinstance(found, _MayPass):
                return found
            if attempt == self._retries:
                raise found.error
            self._pause(_pause_seconds(attempt, found.retry_after))
            attempt += 1

    def error(self, what: str, remedy: str) -> ProviderError:
        """The endpoint, named without user, password and query, did `what`."""
        return ProviderError(self._sentence(what), remedy)

    def _attempt(self, body: Mapping[str, Any], read: Callable[[Any], Value]) -> Value | _MayPass:
        # Errors are raised outside of `except`: what the library says of a request may hold the key.
        response = self._response(body)
        if isinstance(response, _MayPass):
            return response
        status = response.status_code
        if status != 200:
            said = self._shown(response.text)
            what = f"answered {status}: {said}" if said else f"answered {status}"
            remedy = self._remedies.get(status, f"Check '{self._section}.base_url', or read the endpoint's own log.")
            if status in (408, 429) or status >= 500:
                return _MayPass(self.error(what, remedy), response.headers.get("Retry-After", ""))
            raise RequestRefused(self._sentence(what), remedy, status)
        try:
            value = response.json()
        except (ValueError, RecursionError):
            raise self.error("did not answer in JSON", self._remedies[404]) from None
        try:
            return read(value)
        except ValueError as error:
            what = f"gave a reply that cannot be read: {self._shown(str(error))}"
            return _MayPass(self.error(what, f"Check that it serves '{self._section}.model' as OpenAI documents it."))

    def _response(self, body: Mapping[str, Any]) -> httpx.Response | _MayPass:
        # ASCII, since a question may hold half of a surrogate pair, which has no other encoding.
        content = json.dumps(body).encode("ascii")
        try:
            return self._client.post(self._url, content=content)
        except self._passing as error:
            kind = type(error).__name__
            remedy = f"Try again, or raise '{self._section}.timeout_seconds' or '{self._section}.retries'."
            return _MayPass(self.error(f"did not answer ({kind})", remedy))
        except self._failing as error:
            failed = f"{type(error).__name__}: {self._shown(str(error))}"
        raise self.error(f"cannot be reached ({failed})", f"Check '{self._section}.base_url', and that it runs.")

    def _sentence(self, what: str) -> str:
        shown = self._url.copy_with(query=None)
        return f"The endpoint {str(shown)!r} {what.rstrip('.')}."

    def _shown(self, text: str) -> str:
        """Words that are not ours, on one line, cut off, and without the key."""
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return " ".join(text.split())[:_SHOWN]


def _api_key(variable: str, section: str) -> str:
    """The key in that environment variable, without white space around it; "" when the setting names none."""
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(
            f"The environment variable {variable!r} is not set.",
            f"Export it, or empty '{section}.api_key_variable' for an endpoint without a key.",
        )
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            f"The environment variable {variable!r} holds characters that no key has.",
            "Set it to the key alone, in printable ASCII.",
        )
    return key


def _address(base_url: str, path: str, section: str) -> httpx.URL:
    import httpx

    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        # The value is not shown, since it may hold a password.
        raise ConfigError(
            f"Setting '{section}.base_url' is no http(s) address.", "Set it to one such as http://localhost:8000/v1."
        )
    return url.copy_with(path=url.path.rstrip("/") + path)


def _remedies(section: str) -> dict[int, str]:
    return {
        400: f"Check '{section}.model', and that it takes a request this long.",
        401: f"Check '{section}.api_key_variable' and the key in the variable that it names.",
        403: f"Check what the key in the variable that '{section}.api_key_variable' names is allowed to do.",
        404: f"Check '{section}.base_url' (it ends in /v1) and '{section}.model'.",
        429: f"Wait, or raise '{section}.retries'.",
    }


def _pause_seconds(attempt: int, retry_after: str) -> float:
    """What the endpoint asks for or twice the last pause, whichever is longer; never above the longest."""
    asked = float(retry_after) if retry_after.isdecimal() else 0.0
    return min(max(asked, FIRST_PAUSE_SECONDS * 2.0**attempt), LONGEST_PAUSE_SECONDS)
