"""Real HTTP endpoints on this machine: one that serves embeddings, one that serves chat completions."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], tuple[int, object]]


@contextmanager
def serving(reply: Reply) -> Iterator[str]:
    """The address of a server that answers every POST with the status and the JSON value that `reply` gives."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, value = reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


def closed_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Embeddings:
    """Embeds a text by its words, each of which has a fixed direction; keeps every text that it was asked for.

    From the text numbered `fail_at` on (1 is the first) it answers 400.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fail_at: int | None = None

    def __call__(self, body: dict[str, Any]) -> tuple[int, object]:
        self.texts += body["input"]
        if self.fail_at is not None and len(self.texts) >= self.fail_at:
            return 400, {"error": "out of order"}
        width = body.get("dimensions", 32)
        data = [{"index": n, "embedding": _vector(text, width)} for n, text in enumerate(body["input"])]
        return 200, {"data": data}


def _vector(text: str, width: int) -> list[float]:
    words = [sha256(word.encode()).digest()[:width] for word in text.lower().replace(".", " ").split()]
    return [float(sum(word[place] - 128 for word in words)) for place in range(width)]


class ChatModel:
    """Replies with whatever `say` makes of the messages' contents; keeps every request."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.requests: list[str] = []
        self._say = say

    def __call__(self, body: dict[str, Any]) -> tuple[int, object]:
        system, user = (message["content"] for message in body["messages"])
        self.requests.append(system + "\n\n" + user)
        content = json.dumps(self._say(user))
        return 200, {"choices": [{"message": {"role": "assistant", "content": content}}]}
