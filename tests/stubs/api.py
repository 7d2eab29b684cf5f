"""The REST API on loopback: the function behind it, called with events as API Gateway makes them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from gate import runtime, wiring
from tests.aws_events import a_request

STAGE = "/gate"


class ApiStub:
    """Attributes:
    url: of the stage.
    seen: every request: method, path, headers by lower-case name, and body.
    instead: answers (status, body, headers) that are given first, one a request, in place of the function's.
    gate: what the deployed gate works with; that of the command is another.
    """

    def __init__(self) -> None:
        self.url = ""
        self.gate = wiring.current()
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.instead: list[tuple[int, Any, dict[str, str]]] = []

    def refuse(self, status: int, body: Any = None, *, times: int = 1, **headers: str) -> None:
        """Answer the next requests so."""
        self.instead += [(status, body, {name.replace("_", "-"): value for name, value in headers.items()})] * times

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes, dict[str, str]]:
        self.seen.append((method, path, {name.lower(): value for name, value in headers.items()}, body))
        if self.instead:
            status, document, more = self.instead.pop(0)
            return status, document if isinstance(document, bytes) else json.dumps(document).encode(), more
        event = a_request(method, path, body.decode() or None)
        event["body"] = body.decode() or None
        event["headers"] = headers
        event["multiValueHeaders"] = {name: [value] for name, value in headers.items()}
        with wiring.entered(self.gate):
            answered = runtime.handle("api", event)
        more = {name: values[0] for name, values in answered["multiValueHeaders"].items()}
        return int(answered["statusCode"]), str(answered["body"]).encode(), more


@contextmanager
def running() -> Iterator[ApiStub]:
    """Serve the API; one request at a time, as one Lambda does."""
    stub = ApiStub()

    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.removeprefix(STAGE)
            status, data, headers = stub.answer(self.command, path, dict(self.headers.items()), body)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = handle_one  # noqa: N815

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    stub.url = f"http://127.0.0.1:{server.server_port}{STAGE}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
