"""One attempt at a target, and what counts as a finding."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

from gate.errors import GateError
from tests.growth import TookTooLong, ended_after
from tests.memory import memory_now, most_memory, status

SECONDS = 10.0
"""Of CPU that one input may take."""
BYTES = 1_000_000_000
"""Of memory that one input may take."""


class Target(Protocol):
    """A module of `targets`.

    Attributes:
        SEEDS: inputs that are read well.
    """

    SEEDS: list[bytes]

    def read(self, data: bytes) -> None:
        """Read any bytes as the gate would."""


class Finding(Exception):
    """An input that did something else than to be read or refused."""


def names() -> list[str]:
    from tests.fuzz import targets

    return sorted(found.name for found in pkgutil.iter_modules(targets.__path__))


def target_named(name: str) -> Target:
    return cast(Target, importlib.import_module(f"tests.fuzz.targets.{name}"))


def attempt(read: Callable[[bytes], object], data: bytes, *, seconds: float = SECONDS, memory: int = BYTES) -> None:
    """Read `data` once.

    Raises:
        Finding: it raised something else than a `GateError` of one line, or took too much CPU or memory.
    """
    before, most, began = memory_now(), most_memory(), time.process_time()
    try:
        with ended_after(seconds):
            read(data)
    except GateError as error:
        if "\n" in error.safe_message:
            raise Finding(f"a message of several lines: {error.safe_message!r}") from None
    except TookTooLong:
        raise Finding(f"not done after {seconds} s") from None
    except Exception as error:
        raise Finding(f"{type(error).__name__}: {error}") from error
    if (took := time.process_time() - began) > seconds:
        raise Finding(f"took {took:.1f} s")
    now = most_memory()
    if now > most and now - before > memory:
        raise Finding(f"took {now - before} bytes of memory")


def limited_memory(memory: int = BYTES) -> None:
    """Let this process have so much more memory than it has; what asks for more gets a `MemoryError`."""
    if now := status("VmSize"):
        resource.setrlimit(resource.RLIMIT_AS, (now + 2 * memory, resource.RLIM_INFINITY))


def kept(folder: Path, data: bytes) -> Path:
    """Keep an input under its hash."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / hashlib.sha256(data).hexdigest()[:16]
    place.write_bytes(data)
    return place
