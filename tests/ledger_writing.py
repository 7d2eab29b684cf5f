"""Ledgers for tests: runs published on given days, and the file of lines as somebody with the disk would change it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gate import wiring
from gate.agents.publish_report import publish_report
from gate.services.trail.proofs import LedgerFindings, verified
from tests.report_builders import a_state

FIRST_DAY, NEXT_DAY = datetime(2026, 3, 1, 9, tzinfo=UTC), datetime(2026, 3, 2, 9, tzinfo=UTC)


class Clock:
    """What time it is for whoever writes entries."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = FIRST_DAY
        monkeypatch.setattr("gate.services.trail.acts._now", lambda: self.now)


def publish(run_id: str, text: str = "The sky is blue.", **fields: Any) -> None:
    """Publish the decision of a run."""
    publish_report(a_state([(text, "supported")], run_id=run_id, **fields))


def ledger_file() -> Path:
    return wiring.current().settings.home / "ledger.sqlite"


def tamper(*sentences: tuple[str, tuple[Any, ...]]) -> None:
    """Change the file of the ledger as somebody may who owns the machine."""
    with closing(sqlite3.connect(ledger_file())) as file, file:
        file.execute("DROP TRIGGER IF EXISTS never_changed")
        file.execute("DROP TRIGGER IF EXISTS never_removed")
        for sentence, values in sentences:
            file.execute(sentence, values)


def line_of(number: int, name: str = "main") -> bytes:
    """A line as it is kept."""
    trail = wiring.current().trail()
    assert trail is not None
    return dict(trail.lines(name))[number]


def rewritten(change: Callable[[bytes], bytes], *numbers: int, name: str = "main") -> None:
    """Change lines of the ledger."""
    tamper(
        *(
            ("UPDATE lines SET line = ? WHERE name = ? AND number = ?", (change(line_of(n, name)), name, n))
            for n in numbers
        )
    )


def first_break(found: LedgerFindings | None = None) -> tuple[str, str]:
    """Where the one chain is broken, and why."""
    (proof,) = (found or verified()).proofs
    assert proof.broken is not None
    return proof.broken.where, proof.broken.why
