from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("httpx", reason="needs the extra 'remote'")

from evidex.config import EmbeddingSettings
from evidex.embedding.openai import OpenAiEmbedder, make
from evidex.errors import ProviderError

Reply = tuple[int, dict[str, str], bytes]
KEY = "sk-secret-0123456789"


def vector_of(text: str, width: int = 3) -> list[float]:
    return [float(len(text)), 1.0, *[0.0] * (width - 2)]


def good(body: dict[str, Any]) -> Reply:
    """What an endpoint answers, its list in another order than asked for."""
    width = body.get("dimensions", 3)
    data = [{"index": number, "embedding": vector_of(text, width)} for number, text in enumerate(body["input"])]
    return 200, {}, json.dumps({"object": "list", "data": data[::-1]}).encode()


def status(code: int, headers: dict[str, str] | None = None, text: str = "busy") -> Callable[[dict[str, Any]], Reply]:
    return lambda body: (code, headers or {}, text.encode())


def data(*rows: object) -> Callable[[dict[str, Any]], Reply]:
    items = [{"index": number, "embedding": row} for number, row in enumerate(rows)]
    return lambda body: (200, {}, json.dumps({"data": items}).encode())


class Endpoint:
    """A real server on the loopback address that answers by script, then well."""

    def __init__(self) -> None:
        self.script: list[Callable[[dict[str, Any]], Reply]] = []
        self.bodies: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        self.paths: list[str] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.bodies.append(body)
                endpoint.authorizations.append(self.headers["Authorization"])
                endpoint.paths.append(self.path)
                answer = endpoint.script.pop(0) if endpoint.script else good
                code, headers, content = answer(body)
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.close()


def embedder_of(endpoint: Endpoint, pauses: list[float] | None = None, **values: object) -> OpenAiEmbedder:
    chosen = EmbeddingSettings.model_validate({"base_url": endpoint.url, "model": "small"} | values)
    return OpenAiEmbedder(chosen, pause=([] if pauses is None else pauses).append)


def lengths(texts: Sequence[str]) -> list[list[float]]:
    rows = np.array([vector_of(text) for text in texts])
    units: list[list[float]] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32).tolist()
    return units


def test_vectors_come_in_the_order_asked_for_and_normalised(endpoint: Endpoint) -> None:
    texts = ["a", "bbb", "cc cc"]
    found = embedder_of(endpoint).embed(texts, role="passage")
    assert found.vectors.tolist() == lengths(texts)
    assert (found.known, found.unknown, found.truncated) == ((1, 1, 2), (0, 0, 0), (0, 0, 0))


def test_texts_are_sent_in_batches_with_their_prefix(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint, batch=2, width=3, query_prefix="query: ")
    embedder.embed(["a", "b", "c", "d", "e"], role="query")
    assert [body["input"] for body in endpoint.bodies] == [
        ["query: a", "query: b"],
        ["query: c", "query: d"],
        ["query: e"],
    ]
    assert {body["model"] for body in endpoint.bodies} == {"small"}
    assert set(endpoint.paths) == {"/v1/embeddings"}


def test_blank_texts_are_not_sent_and_have_the_zero_vector(endpoint: Endpoint) -> None:
    found = embedder_of(endpoint, width=3).embed(["", "a", " \n"], role="passage")
    assert [body["input"] for body in endpoint.bodies] == [["a"]]
    assert found.vectors[[0, 2]].tolist() == [[0, 0, 0]] * 2
    assert found.known == (0, 1, 0)


def test_nothing_is_sent_for_no_text_when_the_width_is_set(endpoint: Endpoint) -> None:
    assert embedder_of(endpoint, width=3).embed([], role="passage").vectors.shape == (0, 3)
    assert endpoint.bodies == []


def test_the_width_is_learned_once_when_the_settings_name_none(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint)
    assert endpoint.bodies == []
    assert (embedder.contract.width, embedder.contract.width) == (3, 3)
    assert len(endpoint.bodies) == 1
    assert "dimensions" not in endpoint.bodies[0]


def test_the_width_is_asked_for_when_the_settings_name_it(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint, width=5)
    assert embedder.contract.width == 5
    assert embedder.embed(["a"], role="query").vectors.shape == (1, 5)
    assert [body["dimensions"] for body in endpoint.bodies] == [5]


def test_the_contract_names_the_model_and_what_the_settings_add(endpoint: Endpoint) -> None:
    contract = embedder_of(endpoint, width=3, revision="2026-01", query_prefix="q: ").contract
    assert (contract.model, contract.revision, contract.query_prefix) == ("small", "2026-01", "q: ")
    assert (contract.pooling, contract.normalized, contract.metric) == ("provider", True, "cosine")


def test_the_key_of_the_named_variable_is_sent(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    chosen = EmbeddingSettings(base_url=endpoint.url, model="small", api_key_variable="MY_KEY")
    make(chosen, Path()).embed(["a"], role="query")
    make(EmbeddingSettings(base_url=endpoint.url, model="small"), Path()).embed(["a"], role="query")
    assert set(endpoint.authorizations[:2]) == {f"Bearer {KEY}"}
    assert set(endpoint.authorizations[2:]) == {None}


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (400, "embedding.width"),
        (401, "embedding.api_key_variable"),
        (404, "embedding.base_url"),
        (413, "embedding.batch"),
    ],
)
def test_a_refusal_says_what_to_look_at(endpoint: Endpoint, code: int, advice: str) -> None:
    endpoint.script = [status(code)]
    with pytest.raises(ProviderError, match=rf"answered {code}.*{advice}"):
        embedder_of(endpoint, width=3).embed(["a"], role="query")
    assert len(endpoint.bodies) == 1


def test_a_failure_that_may_pass_is_tried_again(endpoint: Endpoint) -> None:
    endpoint.script = [status(503)]
    pauses: list[float] = []
    assert embedder_of(endpoint, pauses, width=3).embed(["a"], role="query").vectors.tolist() == lengths(["a"])
    assert pauses == [0.5]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (data([1, 0, 0]), "one vector for each of 2 texts"),
        (data([1, 0, 0], [0, 1, 0], [0, 0, 1]), "one vector for each of 2 texts"),
        (data([1, 0, 0], []), "one vector for each of 2 texts"),
        (data([1, 0, 0], "AAAA"), "one vector for each of 2 texts"),
        (data([1, 0], [0, 1]), "width 2 instead of 3"),
        (data([1, 0, 0], [0, 1, 0, 0]), "width 4 instead of 3"),
        (data([1, 0, 0], [0, float("nan"), 0]), "not finite"),
        (data([1, 0, 0], [0, float("inf"), 0]), "not finite"),
        (data([1, 0, 0], [0, None, 0]), "not finite"),
        (data([1, 0, 0], [0, "many", 0]), "not of numbers"),
        (status(200, text="<html>"), "JSON"),
        (status(200, text="[]"), "one vector for each of 2 texts"),
        (status(200, text='{"data": null}'), "one vector for each of 2 texts"),
        (status(200, text='{"data": [1, 2]}'), "one vector for each of 2 texts"),
    ],
)
def test_an_answer_that_is_not_as_agreed_is_an_error_that_says_how(
    endpoint: Endpoint, answer: Callable[[dict[str, Any]], Reply], said: str
) -> None:
    endpoint.script = [answer]
    with pytest.raises(ProviderError, match=said) as raised:
        embedder_of(endpoint, width=3).embed(["a", "b"], role="passage")
    assert endpoint.url in str(raised.value)


def test_a_model_that_changes_its_width_in_mid_course_is_an_error(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint)
    embedder.embed(["a"], role="query")
    endpoint.script = [data([1, 0])]
    with pytest.raises(ProviderError, match="width 2 instead of 3"):
        embedder.embed(["a"], role="query")
