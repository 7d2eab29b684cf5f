"""Connections of the server: a client that does not read what it asked for holds nothing for long."""

from __future__ import annotations

import time

from waitress.channel import HTTPChannel

UNREAD_S = 30.0
"""Seconds in which nothing of what waits to be sent is taken."""
HIGH_WATER = 1_048_576
"""Bytes that wait to be sent, beyond which whoever answers waits too."""


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection that is closed where its client has stopped reading; whoever answers it is told, and ends."""

    def writable(self) -> bool:
        """See `HTTPChannel`; asked about once a second."""
        if self._is_stuck():
            with self.outbuf_lock:  # whoever answers may have sent something in this moment
                if self._is_stuck():
                    self.handle_close()
                    return False
        return bool(super().writable())

    def _is_stuck(self) -> bool:
        return bool(self.total_outbufs_len) and time.time() - self.last_activity > UNREAD_S
