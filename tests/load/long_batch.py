"""A batch of very many records, part by part, with tasks that are killed: `python -m tests.load.long_batch`.

The agents that split and sum up run as the machine calls them; in place of the checks between them reports are put
where they belong, but for some that are lost. Tasks die at a random write and are tried again. In the end each record
has one row, in the order of the upload, and the summary is the sum of the rows.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gate import wiring
from gate.agents.split_batch import split_batch
from gate.agents.summarize_batch import summarize_batch
from gate.ports import BlobStore
from gate.settings import Settings
from gate.wiring import Wiring

UPLOAD = {"bucket": "uploads", "key": "many.jsonl", "version": "v1"}
LINE = json.dumps({"turns": [{"role": "assistant", "content": "It costs ten euros. " * 20}]}).encode()
BLOCK = 1_000
"""Lines of the upload that come at once."""
EVERY = 997
"""Of so many records one is no JSON, and of another the report is lost."""
KILLED = 0.3
"""Share of tasks that die."""
WRITES = 200
"""They do so at one of so many first writes, if they have as many."""


class Killed(BaseException):
    """The process is gone."""


class DyingStore:
    """A `BlobStore` that ends the process at a write, where it is told to."""

    def __init__(self, store: BlobStore) -> None:
        self._store = store
        self.left: int | None = None
        """Writes until then."""

    def put(self, key: str, data: bytes, **how: Any) -> None:
        """See `BlobStore`."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Killed
        self._store.put(key, data, **how)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class Uploads:
    """One upload of so many lines."""

    def __init__(self, records: int) -> None:
        self._records = records

    def chunks(self, *_: Any) -> Iterator[bytes]:
        """Its bytes, piece by piece."""
        for first in range(0, self._records, BLOCK):
            numbers = range(first, min(first + BLOCK, self._records))
            yield b"".join(b"not json\n" if number % EVERY == 1 else LINE + b"\n" for number in numbers)


def run(records: int, seed: int) -> tuple[dict[str, Any], int, list[dict[str, Any]]]:
    """Let a batch go its rounds; returns its last state, how many tasks died, and every row."""
    chance, deaths = random.Random(seed), 0
    store = DyingStore(wiring.current().blob_store())
    state: dict[str, Any] = {"run_id": "long", "upload": UPLOAD, "config": {}}

    def tried(task: Any, before: dict[str, Any]) -> dict[str, Any]:
        """As the machine does: a task that died is called once more with what it was called with."""
        nonlocal deaths
        store.left = chance.randrange(WRITES) if chance.random() < KILLED else None
        while True:
            after = json.loads(json.dumps(before))
            try:
                task(after)
            except Killed:
                deaths, store.left = deaths + 1, None
            else:
                return dict(after)

    with (
        patch.object(Wiring, "blob_store", lambda _: store),
        patch.object(Wiring, "uploads", lambda _: Uploads(records)),
    ):
        more = True
        while more:
            state = tried(split_batch, state)
            store.left = None
            for run_id in json.loads(store.get(state["batch"]["runs"])):
                if int(run_id.rpartition("-")[2]) % EVERY not in (0, 2):
                    report = {"outcome": "pass", "claims": [{"status": "supported"}]}
                    store.put(f"reports/{run_id}/report.json", json.dumps(report).encode())
            state = tried(summarize_batch, state)
            more = state["batch"]["more"]
        summary = json.loads(store.get(state["batch"]["report"]))
        rows = [json.loads(line) for key in summary["results"] for line in store.get(key).splitlines()]
    return summary, deaths, rows


def wrong(records: int, summary: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[str]:
    """What of a batch's account is not as it should be."""
    if [row["record"] for row in rows] != list(range(1, records + 1)):
        yield f"{len(rows)} rows of {records} records, or not in their order"
    if len({row["run_id"] for row in rows}) != len(rows):
        yield "two rows of one run"
    outcomes = Counter(row["outcome"] for row in rows)
    if summary["outcomes"] != dict(outcomes) or summary["claims"]["supported"] != outcomes["pass"]:
        yield f"the summary says {summary['outcomes']}, the rows {dict(outcomes)}"
    if outcomes["error"] != summary["rejected"] + summary["unpublished"]:
        yield f"{outcomes['error']} errors of {summary['rejected']} rejected and {summary['unpublished']} lost"


def main() -> None:
    """Run one, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as home, wiring.entered(Wiring(Settings(home=Path(home)))):
        summary, deaths, rows = run(asked.records, asked.seed)
    found = list(wrong(asked.records, summary, rows))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{asked.records:,} records, {len(summary['results'])} parts, {deaths} tasks killed: {summary['outcomes']}")
    print(f"{time.process_time() - began:.0f} s of processor, {memory} MB at most")
    print("\n".join(found) or "one row a record, in order; the summary is their sum")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
