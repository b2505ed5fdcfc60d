"""How an endpoint is asked, and that nothing it or the library says shows a secret."""

from __future__ import annotations

import json
import socket
import sys
import threading
import traceback
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("httpx", reason="needs the extra 'remote'")

from evidex.config import AnsweringSettings
from evidex.errors import ConfigError, MissingExtra, ProviderError
from evidex.http import LONGEST_PAUSE_SECONDS, Endpoint, RequestRefused
from evidex.trace import Trace
from evidex.types import GenerationId
from tests.endpoints import closed_port

KEY = "sk-secret-0123456789"
VARIABLE = "EVIDEX_TEST_KEY"
Reply = tuple[int, str, dict[str, str]]
GOOD: Reply = (200, '{"number": 7}', {})


class Server:
    """A real server on the loopback address that answers by script, then well; keeps what it was asked."""

    def __init__(self) -> None:
        self.script: list[Reply] = []
        self.requests: list[tuple[str, str | None, Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append((self.path, self.headers["Authorization"], body))
                status, text, headers = server.script.pop(0) if server.script else GOOD
                self.send_response(status)
                for name, value in {"Content-Length": str(len(text.encode())), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: object) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.host = f"127.0.0.1:{self.http.server_port}"
        self.url = f"http://{self.host}/v1"


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()


def endpoint(url: str, pauses: list[float] | None = None, **values: Any) -> Endpoint:
    chosen = AnsweringSettings(**{"base_url": url, "model": "small"} | values)
    pause = ([] if pauses is None else pauses).append
    return Endpoint("/things", chosen, section="answering", part="this test", remedies={413: "Send less."}, pause=pause)


def number(reply: Any) -> int:
    if not isinstance(reply, dict) or "number" not in reply:
        raise ValueError("there is no number")
    return int(reply["number"])


def failure(asked: Endpoint, body: dict[str, Any] | None = None) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        asked.post(body or {}, number)
    return raised.value


# --- asking


def test_a_reply_is_what_its_reader_makes_of_it(server: Server) -> None:
    assert endpoint(f"{server.url}/").post({"ask": "Zürich"}, number) == 7
    assert server.requests == [("/v1/things", None, {"ask": "Zürich"})]


def test_a_query_of_the_address_stays_behind_the_path(server: Server) -> None:
    endpoint(f"{server.url}?api-version=1").post({}, number)
    assert server.requests[0][0] == "/v1/things?api-version=1"


def test_half_of_a_surrogate_pair_is_sent_as_it_is(server: Server) -> None:
    endpoint(server.url).post({"ask": "\ud83d"}, number)
    assert server.requests[0][2] == {"ask": "\ud83d"}


@pytest.mark.parametrize("passing", [(408, "", {}), (429, "", {}), (500, "", {}), (503, "", {}), (200, "[]", {})])
def test_what_may_pass_is_tried_again_with_growing_pauses(server: Server, passing: Reply) -> None:
    server.script = [passing, passing]
    pauses: list[float] = []
    assert endpoint(server.url, pauses).post({}, number) == 7
    assert pauses == [0.5, 1.0]


def test_the_endpoint_may_ask_for_a_longer_pause_within_bounds(server: Server) -> None:
    server.script = [(429, "", {"Retry-After": wait}) for wait in ("3", "0", "86400", "soon")]
    pauses: list[float] = []
    endpoint(server.url, pauses, retries=4).post({}, number)
    assert pauses == [3.0, 1.0, LONGEST_PAUSE_SECONDS, 4.0]


def test_after_the_last_attempt_the_error_names_the_address_and_the_answer(server: Server) -> None:
    server.script = [(500, "busy", {})] * 3
    assert str(failure(endpoint(server.url))).startswith(f"The endpoint '{server.url}/things' answered 500: busy.")
    assert len(server.requests) == 3


def test_a_reply_that_cannot_be_read_says_why(server: Server) -> None:
    server.script = [(200, "[]", {})]
    assert "there is no number" in failure(endpoint(server.url, retries=0)).problem


@pytest.mark.parametrize(
    ("status", "advice"),
    [(400, "answering.model"), (401, "answering.api_key_variable"), (403, "answering.api_key_variable"),
     (404, "answering.base_url"), (413, "Send less."), (302, "answering.base_url")],
)  # fmt: skip
def test_a_refusal_is_final_and_says_what_to_look_at(server: Server, status: int, advice: str) -> None:
    server.script = [(status, "no", {"Location": server.url})]
    refused = failure(endpoint(server.url))
    assert isinstance(refused, RequestRefused) and refused.status == status
    assert advice in refused.remedy and len(server.requests) == 1


@pytest.mark.parametrize("text", ["<html>", "", "[" * 100_000])
def test_an_answer_that_is_not_json_is_final(server: Server, text: str) -> None:
    server.script = [(200, text, {})]
    assert "JSON" in failure(endpoint(server.url)).problem
    assert len(server.requests) == 1


def test_a_refused_connection_is_final() -> None:
    pauses: list[float] = []
    refused = failure(endpoint(f"http://127.0.0.1:{closed_port()}/v1", pauses))
    assert "cannot be reached" in refused.problem and "answering.base_url" in refused.remedy
    assert pauses == []


def test_an_endpoint_that_never_answers_is_tried_again_and_given_up_after_its_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and says nothing
        pauses: list[float] = []
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        given_up = failure(endpoint(url, pauses, timeout_seconds=0.05, retries=1))
    assert "did not answer (ReadTimeout)" in given_up.problem and "answering.timeout_seconds" in given_up.remedy
    assert pauses == [0.5]


# --- settings that cannot work


@pytest.mark.parametrize("missing", ["base_url", "model"])
def test_a_missing_setting_is_an_error_that_names_it(missing: str) -> None:
    with pytest.raises(ConfigError, match=rf"answering\.{missing}"):
        endpoint(url="" if missing == "base_url" else "http://h/v1", model="")


@pytest.mark.parametrize(
    "address", ["ftp://u:{}@h/v1", "http://u:{}/@h/v1", "http://[u:{}@/v1", "u:{}@h/v1", "http:///v1"]
)
def test_an_address_that_is_none_is_an_error_that_names_the_setting_and_not_its_value(address: str) -> None:
    with pytest.raises(ConfigError, match=r"answering\.base_url") as raised:
        endpoint(address.format(KEY))
    assert KEY not in everything(raised.value)


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match="this test needs the extra 'remote'"):
        endpoint("http://h/v1")


@pytest.mark.parametrize("value", [None, "", " \n"])
def test_a_key_variable_that_is_not_set_is_an_error_that_names_it(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ConfigError, match=VARIABLE):
        endpoint("http://h/v1", api_key_variable=VARIABLE)


# --- secrets


def everything(error: BaseException) -> str:
    """All that a log could show of an error: its sentence, its values and its traceback."""
    return f"{error} {error!r} {vars(error)} {''.join(traceback.format_exception(error))}"


@pytest.mark.parametrize("around", ["{}", "{}\n", " {}\r\n"])
def test_white_space_around_a_key_is_no_part_of_it(
    server: Server, monkeypatch: pytest.MonkeyPatch, around: str
) -> None:
    monkeypatch.setenv(VARIABLE, around.format(KEY))
    endpoint(server.url, api_key_variable=VARIABLE).post({}, number)
    assert server.requests[0][1] == f"Bearer {KEY}"


@pytest.mark.parametrize("inside", ["{}é", "{}\n{}", "{}\x7f", "“{}”"])
def test_a_key_that_no_header_can_hold_is_an_error_that_names_only_the_variable(
    monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    monkeypatch.setenv(VARIABLE, inside.format(KEY, KEY))
    with pytest.raises(ConfigError, match=VARIABLE) as raised:
        endpoint("http://h/v1", api_key_variable=VARIABLE)
    assert KEY not in everything(raised.value)


@pytest.mark.parametrize("status", [200, 401, 500])
def test_no_error_and_no_trace_shows_the_key_that_an_endpoint_repeats(
    server: Server, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    server.script = [(status, json.dumps(f"wrong key {KEY}"), {}), (status, json.dumps("x" * 190 + KEY), {})]

    def repeat(reply: object) -> int:
        raise ValueError(f"it says {reply}")

    asked = endpoint(server.url, api_key_variable=VARIABLE, retries=0)
    for _ in range(2):
        trace = Trace(GenerationId("g"), "question")
        with pytest.raises(ProviderError) as raised, trace.stage("answer"):
            asked.post({}, repeat)
        assert KEY[:6] not in everything(raised.value).replace(VARIABLE, "")
        assert KEY[:6] not in str(trace.stages)


def test_a_user_and_password_of_the_address_are_sent_and_never_logged(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    endpoint(f"http://user:{KEY}@{server.host}/v1").post({}, number)
    assert server.requests[0][1] == "Basic " + b64encode(f"user:{KEY}".encode()).decode()
    assert "POST" in caplog.text and KEY not in caplog.text


def test_no_error_shows_what_the_address_holds_beside_the_address(server: Server) -> None:
    server.script = [(404, f"there is no /v1/things?token={KEY}", {})]
    refused = failure(endpoint(f"http://user:{KEY}@{server.host}/v1?token={KEY}"))
    unreachable = failure(endpoint(f"http://user:{KEY}@127.0.0.1:{closed_port()}/v1?token={KEY}"))
    for error in (refused, unreachable):
        assert KEY not in everything(error) and "user" not in str(error)
