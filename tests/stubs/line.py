"""A line to a server on loopback that can be cut, and mended again: what is on it then is lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Line:
    """Attributes:
    url: where the server is reached by this line; use `line_to()`.
    refused: connections that were made while the line was cut.
    """

    def __init__(self, server: str) -> None:
        self.url = ""
        self.refused = 0
        self._server = urlsplit(server)
        self._cut = False
        self._open: set[asyncio.StreamWriter] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def cut(self) -> None:
        """Close every connection, and each new one at once."""
        self._cut = True
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        for writer in self._open:
            writer.close()

    def mend(self) -> None:
        """Let connections through again."""
        self._cut = False

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection to its end."""
        if self._cut:
            self.refused += 1
            writer.close()
            return
        there = await asyncio.open_connection(self._server.hostname, self._server.port)
        ends = {writer, there[1]}
        self._open |= ends
        try:
            await asyncio.gather(_pour(reader, there[1]), _pour(there[0], writer))
        except asyncio.CancelledError:
            pass  # the line is going
        finally:
            self._open -= ends

    async def serve(self, started: threading.Event, stopping: threading.Event) -> None:
        """Serve until told to stop."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self.carry, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        started.set()
        await asyncio.to_thread(stopping.wait)
        server.close()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass  # the line was cut
    finally:
        writer.close()


@contextmanager
def line_to(server: str) -> Iterator[Line]:
    """A line to the server at this URL, in a thread of its own."""
    line, started, stopping = Line(server), threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(line.serve(started, stopping)), daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield line
    finally:
        stopping.set()
        thread.join(timeout=10)
