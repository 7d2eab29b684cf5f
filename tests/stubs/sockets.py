"""Servers on loopback that take a request and then do what no service should: nothing, or very little."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Serve = Callable[[socket.socket, threading.Event], None]


def hang(connection: socket.socket, stop: threading.Event) -> None:
    """Read for ever and answer nothing."""
    stop.wait()


def drip(connection: socket.socket, stop: threading.Event) -> None:
    """Begin an answer, and go on with a byte every tenth of a second."""
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")
    while not stop.wait(0.1):
        connection.sendall(b" ")


def drip_headers(connection: socket.socket, stop: threading.Event) -> None:
    """Go on with a header for ever."""
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
    while not stop.wait(0.1):
        connection.sendall(b"a")


@contextmanager
def serving(serve: Serve) -> Iterator[str]:
    """Serve each connection in a thread of its own; yields the URL."""
    stop, listener = threading.Event(), socket.create_server(("127.0.0.1", 0), backlog=128)

    def one(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            serve(connection, stop)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        stop.set()
        listener.close()


@contextmanager
def black_hole() -> Iterator[str]:
    """An address that takes no connection and refuses none: its queue is full."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        queued = [socket.socket() for _ in range(4)]
        for one in queued:
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
        time.sleep(0.05)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        for one in queued:
            one.close()


@contextmanager
def dead_port() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
