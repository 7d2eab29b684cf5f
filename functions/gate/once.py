"""Makes a thing once, even when many threads ask for it in the same moment. Stdlib only."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_MAKING = threading.RLock()


class Once(Generic[P, T]):
    """`functools.cache` with a lock: forty claims that ask for the model at once get one model, not forty."""

    def __init__(self, factory: Callable[P, T]) -> None:
        self._factory = factory
        self._made: dict[Any, T] = {}
        update_wrapper(self, factory)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the factory makes of these arguments, making it on the first call."""
        key = (args, tuple(sorted(kwargs.items())))
        with _MAKING:
            if key not in self._made:
                self._made[key] = self._factory(*args, **kwargs)
            return self._made[key]

    def cache_clear(self) -> None:
        """Forget what was made."""
        with _MAKING:
            self._made.clear()
