"""What an agent reports beside its results: figures, and audit records. Ids, counts and hashes, never text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, NamedTuple

from gate import wiring


class Fact(NamedTuple):
    """A figure: a metric's name, its value, and labels of few values each."""

    name: str
    value: float
    labels: Mapping[str, str]


_facts: ContextVar[list[Fact] | None] = ContextVar("facts", default=None)


@contextmanager
def recording() -> Iterator[list[Fact]]:
    """Collect the facts that are recorded inside; contexts copied into threads share the list."""
    facts: list[Fact] = []
    token = _facts.set(facts)
    try:
        yield facts
    finally:
        _facts.reset(token)


def record(name: str, value: float = 1, **labels: str) -> None:
    """Report a figure to whoever collects; without a collector it is dropped."""
    facts = _facts.get()
    if facts is not None:
        facts.append(Fact(name, value, labels))


def audit(kind: str, entry: Mapping[str, Any]) -> None:
    """Keep an audit record in the blob store, as `audit/<kind>/<day>/<time>-<hash>.json`; `GATE_AUDIT` turns it off.

    A record that cannot be kept is an error: what is not on record does not happen.
    """
    if not wiring.settings().audit:
        return
    now = datetime.now(UTC)
    data = json.dumps({"at": now.isoformat(timespec="milliseconds"), **entry}, sort_keys=True).encode()
    name = f"{now:%H%M%S%f}-{hashlib.sha256(data).hexdigest()[:12]}"
    wiring.blob_store().put(f"audit/{kind}/{now:%Y-%m-%d}/{name}.json", data)
