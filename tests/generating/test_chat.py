from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from evidex.config import AnsweringSettings
from evidex.errors import ConfigError, ProviderError
from evidex.generating.chat import INSTRUCTIONS, NO_PASSAGE, Chat, make
from evidex.generating.reply import INSUFFICIENT
from evidex.grounding.citations import NOTHING_VERIFIED, verify
from evidex.plugins import GeneratingResources
from evidex.types import Draft, DraftClaim, Quote
from tests.generating.world import ANALYZER, context, passage, query

KNOWN = context(passage("Wait 60 seconds before checking once.", id="gateway", title="E1492"))
ANSWER = {"claim": "Wait a minute.", "quotes": [{"source": "s1", "text": "Wait 60 seconds"}]}
GOOD = {"answer": [ANSWER], "insufficient_evidence": None}
DRAFT = Draft((DraftClaim("Wait a minute.", (Quote(KNOWN.ids[0], "Wait 60 seconds"),)),))
KEY = "sk-secret-key"


class Endpoint:
    """A real HTTP server that answers requests with the given statuses and bodies, in order, and keeps what it got."""

    def __init__(self, *replies: tuple[int, str, dict[str, str]]) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.pauses: list[float] = []
        self._replies = iter(replies)
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.requests.append((self.path, dict(self.headers), json.loads(body)))
                status, text, headers = next(endpoint._replies)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(text.encode())), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator[Endpoint]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def chat(self, *, retries: int = 2, **values: Any) -> Chat:
        return Chat(settings_for(self.url, retries=retries, **values), pause=self.pauses.append)


def settings_for(url: str, **values: Any) -> AnsweringSettings:
    return AnsweringSettings(method="chat", base_url=url, model="small", **values)


def completion(reply: object, status: int = 200, **headers: str) -> tuple[int, str, dict[str, str]]:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return status, json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}), headers


def refusal(status: int, **headers: str) -> tuple[int, str, dict[str, str]]:
    return status, f"<html>{status}</html>", {name.replace("_", "-"): value for name, value in headers.items()}


def test_a_reply_becomes_a_draft_with_the_chunks_of_its_sources() -> None:
    with Endpoint(completion(GOOD)).running() as endpoint:
        assert endpoint.chat().answer(query("E1492?"), KNOWN) == DRAFT


def test_the_request_is_deterministic_structured_and_holds_passages_as_data_only() -> None:
    with Endpoint(completion(GOOD)).running() as endpoint:
        endpoint.chat().answer(query("What now?"), KNOWN)
    ((path, _, body),) = endpoint.requests
    assert path == "/v1/chat/completions"
    assert (body["temperature"], body["model"], body["max_tokens"]) == (0, "small", 500)
    assert body["response_format"]["json_schema"]["strict"] is True
    system, user = body["messages"]
    assert system == {"role": "system", "content": INSTRUCTIONS} and "Wait 60" not in INSTRUCTIONS
    assert "Wait 60 seconds before checking once.\n</source>\n\nQuestion: What now?" in user["content"]


def test_without_passages_nothing_is_sent() -> None:
    with Endpoint().running() as endpoint:
        assert endpoint.chat().answer(query("E1492?"), context()) == Draft(abstention=NO_PASSAGE)
    assert endpoint.requests == []


def test_insufficient_evidence_abstains() -> None:
    with Endpoint(completion({"answer": [], "insufficient_evidence": "no price"})).running() as endpoint:
        assert endpoint.chat().answer(query("E1492?"), KNOWN) == Draft(abstention=INSUFFICIENT)


@pytest.mark.parametrize("passing", [refusal(429), completion("Sorry?"), completion(""), (200, "[]", {})])
def test_what_may_pass_is_tried_again(passing: tuple[int, str, dict[str, str]]) -> None:
    with Endpoint(passing, passing, completion(GOOD)).running() as endpoint:
        assert endpoint.chat().answer(query("E1492?"), KNOWN) == DRAFT
    assert endpoint.pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [(completion("Sorry?"), "it has no JSON object"), (completion("  "), "it is empty"),
     ((200, '{"choices": []}', {}), "it is no chat completion")],
)  # fmt: skip
def test_after_the_last_attempt_the_error_says_why_the_reply_cannot_be_read(
    reply: tuple[int, str, dict[str, str]], problem: str
) -> None:
    with Endpoint(reply, reply).running() as endpoint, pytest.raises(ProviderError, match=problem) as raised:
        endpoint.chat(retries=1).answer(query("E1492?"), KNOWN)
    assert f"{endpoint.url}/chat/completions" in str(raised.value) and "answering.model" in raised.value.remedy


@pytest.mark.parametrize(
    ("status", "remedy"),
    [(401, "answering.api_key_variable"), (404, "answering.base_url"), (413, "context.budget_tokens")],
)
def test_a_refusal_is_not_tried_again_and_names_the_setting(status: int, remedy: str) -> None:
    with Endpoint(refusal(status)).running() as endpoint, pytest.raises(ProviderError, match=remedy):
        endpoint.chat().answer(query("E1492?"), KNOWN)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("retries", [0, 2])
def test_an_endpoint_that_takes_no_schema_is_asked_without_which_is_no_retry(status: int, retries: int) -> None:
    with Endpoint(refusal(status), completion(GOOD)).running() as endpoint:
        assert endpoint.chat(retries=retries).answer(query("E1492?"), KNOWN) == DRAFT
    assert ["response_format" in body for _, _, body in endpoint.requests] == [True, False]
    assert endpoint.pauses == []


def test_an_endpoint_that_refuses_without_a_schema_too_is_asked_no_third_time() -> None:
    with Endpoint(refusal(400), refusal(400)).running() as endpoint, pytest.raises(ProviderError, match="answered 400"):
        endpoint.chat().answer(query("E1492?"), KNOWN)
    assert len(endpoint.requests) == 2


def test_fabricated_quotes_and_sources_are_drafted_and_then_rejected_by_grounding() -> None:
    invented = {
        "claim": "Refunds are instant.",
        "quotes": [{"source": "s1", "text": "Refunds are instant and unlimited"}],
    }
    elsewhere = {"claim": "See s9.", "quotes": [{"source": "s9", "text": "Wait 60 seconds"}]}
    uncited = {"claim": "Trust me.", "quotes": []}
    reply = completion({"answer": [invented, elsewhere, uncited], "insufficient_evidence": None})
    with Endpoint(reply).running() as endpoint:
        draft = endpoint.chat().answer(query("E1492?"), KNOWN)
    answer = verify(draft, KNOWN, lambda key: KNOWN.passages[0].chunk.text, lambda key, offset: ("line", 1))
    assert answer.claims == () and answer.abstention == NOTHING_VERIFIED
    assert [[citation.status for citation in claim.citations] for claim in answer.rejected] == [
        ["not_verbatim"],
        ["not_in_context"],
        [],
    ]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"model": "small"}, r"answering\.base_url"),
        ({"base_url": "http://127.0.0.1:9/v1"}, r"answering\.model"),
        ({"base_url": "ftp://host/v1", "model": "small"}, "http"),
        (
            {"base_url": "http://h/v1", "model": "small", "api_key_variable": "EVIDEX_TEST_NO_SUCH_KEY"},
            "EVIDEX_TEST_NO_SUCH_KEY",
        ),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(values: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        make(GeneratingResources(AnsweringSettings.model_validate(values), ANALYZER, None))


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDEX_TEST_KEY", KEY)
    with Endpoint(completion(GOOD)).running() as endpoint:
        settings = settings_for(endpoint.url, api_key_variable="EVIDEX_TEST_KEY")
        make(GeneratingResources(settings, ANALYZER, None)).answer(query("E1492?"), KNOWN)
    assert endpoint.requests[0][1]["Authorization"] == f"Bearer {KEY}"
