"""The values of a run that ends in the process that it began in: held in memory, and gone with it."""

from __future__ import annotations

import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from gate.adapters.later import Later
from gate.ports import BlobStore

AT_ONCE = 16
_HASH = re.compile(r"[0-9a-f]{64}")


class HeldRun:
    """A `BlobStore` in front of another one, which keeps all but what a run works with: forty values, and each would be
    a request. What has been stored through it is read from memory.

    What is kept of a run beside its report is stored by `later`, beside the rest of the work: whoever publishes
    something of it waits for that before.
    """

    def __init__(self, behind: BlobStore, later: Later) -> None:
        self._behind, self._later = behind, later
        self._known: dict[str, bytes] = {}
        self._held: set[str] = set()
        self._run = ""

    def hold(self, run_id: str) -> None:
        """Hold the values of that run from now on: what bears a hash for a name."""
        self._run = run_id

    def store(self) -> None:
        """Store what is held, many at a time."""
        held = sorted(self._held)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self._behind.put, held, (self._known[key] for key in held)))
        self._held.difference_update(held)

    def put(self, key: str, data: bytes, *, content_type: str = "application/json") -> None:
        """See `BlobStore`."""
        folder, run_id, name = [*key.split("/"), "", ""][:3]
        if self._known.get(key) == data:
            return
        if folder == "runs" and run_id == self._run and _HASH.fullmatch(name):
            self._held.add(key)
        elif folder == "runs":
            self._later.do(partial(self._behind.put, key, data, content_type=content_type))
        else:
            self._behind.put(key, data, content_type=content_type)
        self._known[key] = data

    def add(self, key: str, data: bytes) -> bool:
        """See `BlobStore`."""
        return self._behind.add(key, data)

    def get(self, key: str) -> bytes:
        """See `BlobStore`."""
        known = self._known.get(key)
        return self._behind.get(key) if known is None else known

    def find(self, key: str) -> bytes | None:
        """See `BlobStore`."""
        known = self._known.get(key)
        return self._behind.find(key) if known is None else known

    def pieces(self, key: str) -> Generator[bytes]:
        """See `BlobStore`."""
        known = self._known.get(key)
        yield from self._behind.pieces(key) if known is None else (known,)

    def exists(self, key: str) -> bool:
        """See `BlobStore`."""
        return key in self._known or self._behind.exists(key)

    def keys(self, prefix: str) -> list[str]:
        """See `BlobStore`."""
        folder = f"{prefix.strip('/')}/"
        return sorted({*self._behind.keys(prefix), *(key for key in self._known.copy() if key.startswith(folder))})

    def delete_prefix(self, prefix: str) -> int:
        """See `BlobStore`."""
        folder = f"{prefix.strip('/')}/"
        gone = [key for key in self._known.copy() if key.startswith(folder)]
        held = self._held.intersection(gone)
        self._held -= held
        for key in gone:
            del self._known[key]
        return self._behind.delete_prefix(prefix) + len(held)

    def link(self, key: str) -> str:
        """See `BlobStore`."""
        return self._behind.link(key)
