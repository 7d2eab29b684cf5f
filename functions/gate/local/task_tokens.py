"""What tasks of local runs wait under until somebody answers."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable


class TaskTokens:
    """Tokens of tasks that wait; each is answered once, or given up. May be used by many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Callable[[], None]] = {}

    def open(self, answered: Callable[[], None]) -> str:
        """A new token; `answered` is called when somebody answers."""
        token = uuid.uuid4().hex
        with self._lock:
            self._open[token] = answered
        return token

    def close(self, token: str) -> bool:
        """Wait no longer; whether the task still waited."""
        with self._lock:
            return self._open.pop(token, None) is not None

    def answer(self, token: str) -> bool:
        """Let the task go on; False where none waits under this token any more."""
        with self._lock:
            answered = self._open.pop(token, None)
        if answered is not None:
            answered()
        return answered is not None

    def waiting(self) -> list[str]:
        """The tokens that tasks wait under."""
        with self._lock:
            return list(self._open)
