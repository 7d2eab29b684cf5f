"""A connection to OpenSearch, each of whose calls ends in its time."""

from __future__ import annotations

from typing import Any

from opensearchpy import ConnectionTimeout, Urllib3HttpConnection
from urllib3 import HTTPConnectionPool, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection

from gate.adapters.call_deadlines import CallDeadlines, Watched
from gate.errors import TooSlowError

CONNECT_S = 5


class _Connection(Watched, HTTPConnection):
    pass


class _TLSConnection(Watched, HTTPSConnection):
    pass


class WatchedHttpConnection(Urllib3HttpConnection):  # type: ignore[misc]
    """The client's own connection; its time-out holds for a whole call, not for each piece of an answer.

    Args:
        timeout: seconds.
    """

    def __init__(self, *arguments: Any, timeout: float, **named: Any) -> None:
        pieces = Timeout(connect=CONNECT_S, read=timeout + 5)  # the deadline of the whole call comes first
        super().__init__(*arguments, timeout=pieces, **named)
        self._deadlines = CallDeadlines(self.host, timeout, least_s=timeout, hint="GATE_SEARCH, or the network")

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        pool: HTTPConnectionPool = self.pool
        pool.ConnectionCls = _TLSConnection if self.use_ssl else _Connection

    def perform_request(self, *arguments: Any, **named: Any) -> Any:
        """Make one call; the client itself tries again after a ConnectionTimeout."""
        try:
            with self._deadlines.call():
                return super().perform_request(*arguments, **named)
        except TooSlowError as error:
            raise ConnectionTimeout("TIMEOUT", error.safe_message, error) from None
