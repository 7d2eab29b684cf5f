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

LOGGED = frozenset({"hint", "index", "document", "where", "message_id"})
"""Labels that are for the log alone: of a metric each would be a dimension, of too many values."""


class Fact(NamedTuple):
    """A figure: a metric's name, its value, and labels of few values each, those of `LOGGED` aside."""

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


def audit(kind: str, entry: Mapping[str, Any], *, run_id: str = "") -> None:
    """Keep an audit record in the blob store; `GATE_AUDIT` turns it off.

    A run's is `audit/<kind>/<run_id>/<hash>.json`, and the first one stays: what is done twice for a run is on record
    once. Outside of runs each is one of its own, `audit/<kind>/<day>/<time>-<hash>.json`. A record that cannot be kept
    is an error: what is not on record does not happen.
    """
    if not wiring.current().settings.audit:
        return
    now = datetime.now(UTC)
    data = json.dumps({"at": now.isoformat(timespec="milliseconds"), **entry}, sort_keys=True).encode()
    digest = hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:12]
    name = f"{run_id}/{digest}" if run_id else f"{now:%Y-%m-%d}/{now:%H%M%S%f}-{digest}"
    wiring.current().blob_store().add(f"audit/{kind}/{name}.json", data)
