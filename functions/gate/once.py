"""Makes a thing once, even when many threads ask for it in the same moment. Stdlib only."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class Holder(Protocol):
    """What keeps the things that its methods make.

    Attributes:
        made: by method and arguments.
        making: held while one is made, so that others wait for it.
    """

    made: dict[Any, Any]
    making: threading.RLock


P = ParamSpec("P")
T = TypeVar("T")
H = TypeVar("H", bound=Holder)


def once(method: Callable[Concatenate[H, P], T]) -> Callable[Concatenate[H, P], T]:
    """`functools.cache` for a method, one cache an instance, with a lock.

    Forty claims that ask for the model at once get one model, not forty.
    """

    @wraps(method)
    def make(holder: H, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (method, args, tuple(sorted(kwargs.items())))
        with holder.making:
            if key not in holder.made:
                holder.made[key] = method(holder, *args, **kwargs)
            made: T = holder.made[key]
            return made

    return make
