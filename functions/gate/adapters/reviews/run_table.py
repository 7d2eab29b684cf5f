"""What runs there are and what people think of their verdicts: one SQLite file that outlives the server."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gate.adapters.local_files import keep_from_git
from gate.adapters.reviews.local_reviews import WRITTEN_BACK
from gate.errors import SettingsError

VERSION = 1
RUNS = "runs.sqlite"
"""Name of the file."""
CUT_OFF = "CutOffError"
"""Of a run whose server ended before it did."""

_SCHEMA = """
create table runs (
  id text primary key, name text not null, corpus text not null, state text not null, started text not null,
  status text not null, outcome text, error text, cause text, claims integer, risk real
);
create index runs_started on runs (started);
create table marks (
  run text not null, claim text not null, label text not null, primary key (run, claim)
);
"""
_LISTED = "select id, name, corpus, started, status, outcome, error, cause, claims, risk from runs"


class RunTable:
    """The runs of one server; may be used by many threads.

    Args:
        path: of the file; it is made where it is not there.

    Raises:
        SettingsError: it cannot be used, or a newer gate has made it.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            keep_from_git(path.parent.parent)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._base.row_factory = sqlite3.Row
            self._base.execute("pragma journal_mode = wal")
            self._base.execute("pragma secure_delete = on")
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise SettingsError(f"{path}: cannot be used ({error})", hint="GATE_HOME names the folder") from None

    def _prepare(self) -> None:
        (version,) = self._base.execute("pragma user_version").fetchone()
        if version > VERSION:
            raise SettingsError("the runs that are kept here were written by a newer gate", hint="use that one")
        if version < VERSION:
            self._base.executescript(f"begin; {_SCHEMA} pragma user_version = {VERSION}; commit;")

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def begin(self, run_id: str, name: str, corpus: str, state: str, now: str) -> bool:
        """Enter a run that is started; False: there is one of that id."""
        with self._writing() as base:
            done = base.execute(
                "insert or ignore into runs (id, name, corpus, state, started, status) "
                "values (?, ?, ?, ?, ?, 'RUNNING')",
                (run_id, name, corpus, state, now),
            )
            return done.rowcount == 1

    def end(self, run_id: str, status: str, found: Mapping[str, Any]) -> None:
        """Enter how a run ended: `outcome`, `error`, `cause`, `claims`, `risk`, as far as they are known."""
        values = [found.get(key) for key in ("outcome", "error", "cause", "claims", "risk")]
        with self._writing() as base:
            base.execute(
                "update runs set status = ?, outcome = ?, error = ?, cause = ?, claims = ?, risk = ? where id = ?",
                (status, *values, run_id),
            )

    def cut_off(self, besides: Collection[str] = ()) -> int:
        """Mark the runs that were under way when the last server ended, besides those that go on; returns how many."""
        cause = "the server ended before the run did: start it again"
        ended = [run for run in self.running() if run not in besides]
        with self._writing() as base:
            base.executemany(
                "update runs set status = 'ABORTED', outcome = 'error', error = ?, cause = ? where id = ?",
                [(CUT_OFF, cause, run) for run in ended],
            )
        return len(ended)

    def running(self) -> list[str]:
        """Runs that have not ended, in the order in which they came."""
        return [row["id"] for row in self._rows("select id from runs where status = 'RUNNING' order by started, rowid")]

    def forget(self, run_id: str) -> None:
        """Remove a run and what was thought of it."""
        with self._writing() as base:
            base.execute("begin")
            base.execute("delete from runs where id = ?", (run_id,))
            base.execute("delete from marks where run = ?", (run_id,))
            base.execute("commit")
            base.execute(WRITTEN_BACK).fetchall()

    def state(self, run_id: str) -> tuple[str, str] | None:
        """What a run was started with, and its status."""
        found = self._rows("select state, status from runs where id = ?", run_id)
        return (found[0]["state"], found[0]["status"]) if found else None

    def run(self, run_id: str) -> dict[str, Any] | None:
        """A run as it is listed; None: there is none of that id."""
        found = self._rows(_LISTED + " where id = ?", run_id)
        return found[0] if found else None

    def runs(self, most: int, offset: int = 0) -> list[dict[str, Any]]:
        """Runs, the last one first."""
        return self._rows(_LISTED + " order by started desc, rowid desc limit ? offset ?", most, offset)

    def mark(self, run_id: str, claim_id: str, label: str) -> None:
        """Keep the label that somebody gives a claim; an empty one takes back what was given."""
        with self._writing() as base:
            if label:
                base.execute("insert or replace into marks values (?, ?, ?)", (run_id, claim_id, label))
            else:
                base.execute("delete from marks where run = ? and claim = ?", (run_id, claim_id))

    def marks(self, run_id: str) -> dict[str, str]:
        """Labels given to a run's claims, by claim."""
        return {row["claim"]: row["label"] for row in self._rows("select * from marks where run = ?", run_id)}

    def marked_runs(self) -> list[str]:
        """Runs of which a claim was given a label, in the order in which they were started."""
        rows = self._rows("select id from runs where id in (select run from marks) order by started, rowid")
        return [row["id"] for row in rows]

    def _rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        with self._lock:
            return [dict(row) for row in self._base.execute(query, values).fetchall()]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._base
            except sqlite3.OperationalError as error:
                raise SettingsError(f"the runs cannot be kept ({error})", hint="GATE_HOME names the folder") from None
