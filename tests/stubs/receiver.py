"""Somebody who takes notices, on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(ThreadingHTTPServer):
    """Takes notices, and answers each with the next status; the last one goes on."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.statuses = [204]
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.drips = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Answering(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
        if self.server.drips:
            with suppress(OSError):
                for letter in b"HTTP/1.1 200 OK\r\n" * 50:
                    self.wfile.write(bytes([letter]))
                    time.sleep(0.05)
            return
        left = self.server.statuses
        self.send_response(left.pop(0) if len(left) > 1 else left[0])
        self.send_header("location", f"{self.server.url}/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Take notices in a thread."""
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()
