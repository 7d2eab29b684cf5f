"""Proving a ledger of 100,000 decisions.

Entries of a published run, a thousand a day, each day sealed; their reports are gone. Then 2,000 more with theirs.
Every entry, seal and report is read and compared, in `gate ledger verify`; a decision is written down with the disk
told to keep it. Times are of the processor: what others do on the machine does not count, nor waiting for its disk.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gate import wiring
from gate.agents.publish_report import publish_report
from gate.services.trail.acts import seal
from gate.services.trail.proofs import ledger, verified
from gate.settings import Settings
from gate.trail.trail_entries import Act, TrailEntry, following, read_entry
from gate.wiring import Wiring
from tests.benchmarks.table import Row
from tests.report_builders import a_state

ENTRIES, A_DAY, REPORTS, GOAL_S = 100_000, 1_000, 2_000, 20.0
SENTENCES = (("The sky is blue.", "supported"), ("Boats leave at nine.", "supported"), ("Whales sing.", "unsupported"))


def measure() -> list[Row]:
    """Write a ledger, and prove it."""
    with tempfile.TemporaryDirectory() as name:
        settings = Settings(home=Path(name) / "gate", ledger="local", embedder="none")
        with wiring.entered(Wiring(settings)):
            _write(settings.home / "ledger.sqlite")
            whole = _verify(ENTRIES)
            began = time.process_time()
            for number in range(REPORTS):
                publish_report(a_state(SENTENCES, run_id=f"published-{number}"))
            published = (time.process_time() - began) / REPORTS * 1_000
            with_reports = _verify(ENTRIES + REPORTS)
    return [
        Row(f"{ENTRIES:,} entries, {ENTRIES // A_DAY} seals: verified", f"{whole:.1f} s", "< 20 s", whole < GOAL_S),
        Row(f"the same and {REPORTS:,} more, their reports compared", f"{with_reports:.1f} s"),
        Row("a report published, its decision written down", f"{published:.1f} ms"),
    ]


def _write(file: Path) -> None:
    publish_report(a_state(SENTENCES, run_id="the-first"))
    last = read_entry(ledger().last("main") or b"")
    assert last is not None
    first = last
    lines: list[tuple[str, int, bytes]] = []
    day = datetime.now(UTC) - timedelta(days=ENTRIES // A_DAY + 1)
    wanted: list[TrailEntry] = []
    last = None
    for number in range(ENTRIES):
        act = Act("decision", "jane", f"run-{number}", first.facts, first.in_force)
        last = following(last, "main", act, day + timedelta(days=number // A_DAY))
        lines.append(("main", last.number, last.line))
        if last.number % A_DAY == 0:
            wanted.append(last)
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("DROP TRIGGER never_removed")
        opened.execute("DELETE FROM lines")
        opened.executemany("INSERT INTO lines VALUES (?, ?, ?)", lines)
    for entry in wanted:
        seal(ledger(), entry)


def _verify(entries: int) -> float:
    began = time.process_time()
    found = verified()
    took = time.process_time() - began
    assert found.holds
    assert found.proofs[0].entries == entries
    return took
