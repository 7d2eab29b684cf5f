"""Connections of the server: a client that does not say what it wants, or does not read it, holds nothing for long."""

from __future__ import annotations

import time
from typing import Any

from waitress.channel import HTTPChannel

UNREAD_S = 30.0
"""Seconds in which nothing of what waits to be sent is taken."""
HIGH_WATER = 1_048_576
"""Bytes that wait to be sent, beyond which whoever answers waits too."""
REQUEST_S = 120.0
"""Seconds in which a request has to come whole: a byte now and then would keep a connection for ever."""
MOST_OF_ONE = 100
"""Connections of one address, so that nobody takes all; no more than 64 requests are answered at once."""


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection that is closed where its client has stopped reading, or takes too long to ask; whoever answers it is
    told, and ends."""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        self._asking_since = time.monotonic()
        of_one = sum(one.addr[0] == addr[0] for one in server.active_channels.values())
        self.will_close = of_one > MOST_OF_ONE

    def writable(self) -> bool:
        """See `HTTPChannel`; asked about once a second."""
        if self._is_stuck():
            with self.outbuf_lock:  # whoever answers may have sent something in this moment
                if self._is_stuck():
                    self.handle_close()
                    return False
        if self.requests or self.total_outbufs_len:
            self._asking_since = time.monotonic()
        elif time.monotonic() - self._asking_since > REQUEST_S:
            self.will_close = True
        return bool(super().writable())

    def _is_stuck(self) -> bool:
        return bool(self.total_outbufs_len) and time.time() - self.last_activity > UNREAD_S
