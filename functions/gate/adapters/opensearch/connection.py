"""A connection to OpenSearch, each of whose calls ends in its time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from opensearchpy import ConnectionTimeout, Urllib3HttpConnection
from urllib3 import BaseHTTPResponse, HTTPHeaderDict, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from gate.adapters.call_deadlines import CallDeadlines, Watched
from gate.errors import TooSlowError

CONNECT_S = 5
MAX_REPLY_BYTES = 50_000_000
"""Of an answer, unpacked: 3 MB on the way can be 3 GB."""


class _Connection(Watched, HTTPConnection):
    pass


class _TLSConnection(Watched, HTTPSConnection):
    pass


class WatchedHttpConnection(Urllib3HttpConnection):  # type: ignore[misc]
    """The client's own connection; its time-out holds for a whole call, not for each piece of an answer.

    Args:
        timeout: seconds of a call that names none of its own.
    """

    def __init__(self, *arguments: Any, timeout: float, **named: Any) -> None:
        super().__init__(*arguments, timeout=_pieces(timeout), **named)
        self._timeout = timeout
        self._deadlines: dict[float, CallDeadlines] = {}

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        pool: Any = self.pool
        pool.ConnectionCls = _TLSConnection if self.use_ssl else _Connection
        pool.urlopen = partial(_whole_reply, pool.urlopen)

    def perform_request(self, *arguments: Any, timeout: float | None = None, **named: Any) -> Any:
        """Make one call; the client itself tries again after a ConnectionTimeout."""
        seconds = timeout or self._timeout
        try:
            with self._deadline(seconds).call():
                return super().perform_request(*arguments, timeout=_pieces(seconds), **named)
        except TooSlowError as error:
            raise ConnectionTimeout("TIMEOUT", error.safe_message, error) from None

    def _deadline(self, seconds: float) -> CallDeadlines:
        if seconds not in self._deadlines:
            made = CallDeadlines(self.host, seconds, least_s=seconds, hint="GATE_SEARCH, or the network")
            self._deadlines.setdefault(seconds, made)
        return self._deadlines[seconds]


class _Reply(NamedTuple):
    """What the client takes of a response."""

    status: int
    headers: HTTPHeaderDict
    data: bytes


def _whole_reply(urlopen: Callable[..., BaseHTTPResponse], *arguments: Any, **named: Any) -> _Reply:
    """Send a request, and read what is answered as far as it is taken.

    Raises:
        HTTPError: it is larger.
    """
    response = urlopen(*arguments, preload_content=False, **named)
    try:
        data = response.read(MAX_REPLY_BYTES + 1)
        if len(data) > MAX_REPLY_BYTES:
            response.close()
            raise HTTPError(f"an answer of more than {MAX_REPLY_BYTES:,} bytes")
    finally:
        response.release_conn()
    return _Reply(response.status, response.headers, data)


def _pieces(seconds: float) -> Timeout:
    """For each piece of an answer more than for the whole call, whose deadline comes first."""
    return Timeout(connect=CONNECT_S, read=seconds + 5)
