"""A writer killed at any moment leaves a whole generation that holds everything it said was stored."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gate.adapters.embedded import EmbeddedSearch
from gate.errors import SettingsError
from tests.integration.ingest_worker import BATCH, INDEX, passages, vectors

pytestmark = [pytest.mark.integration, pytest.mark.slow]

ROUNDS = 20
WORKER = Path(__file__).with_name("ingest_worker.py")


class Reader(threading.Thread):
    """Looks at the index all the time, and keeps what it saw that no whole generation can show."""

    def __init__(self, root: Path) -> None:
        super().__init__(daemon=True)
        self._store = EmbeddedSearch(root)
        self.looks = 0
        self.wrong: list[str] = []
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.is_set():
            try:
                self._look()
            except SettingsError as error:
                if "there is no index" not in error.safe_message:
                    self.wrong.append(repr(error))
            except Exception as error:
                self.wrong.append(repr(error))
            time.sleep(0.005)

    def _look(self) -> None:
        snapshot = self._store.snapshot(INDEX)
        count = snapshot.manifest.documents
        if count % BATCH or snapshot.indexed != count:
            self.wrong.append(f"{count} passages, {snapshot.indexed} of them in the text index")
        last = count // BATCH - 1
        found = self._store.search_docs(f"flock{last}", INDEX, k=BATCH + 1)
        if len(found) != BATCH:
            self.wrong.append(f"{len(found)} passages of batch {last}")
        self.looks += 1


def killed_after(root: Path, first: int, seconds: float) -> list[int]:
    """Run a writer, kill it, and return the batches that it said were stored."""
    worker = subprocess.Popen([sys.executable, str(WORKER), str(root), str(first)], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    said = [int(worker.stdout.readline())]
    time.sleep(seconds)
    worker.kill()
    said += [int(line) for line in worker.stdout.read().splitlines() if line.strip()]
    worker.wait()
    worker.stdout.close()
    return said


def test_twenty_writers_killed_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(4)
    reader = Reader(tmp_path)
    reader.start()
    acknowledged: list[int] = []
    for _ in range(ROUNDS):
        acknowledged += killed_after(tmp_path, len(acknowledged), chance.uniform(0.0, 0.4))
        store = EmbeddedSearch(tmp_path)
        manifest = store.check(INDEX)
        assert manifest.documents in (len(acknowledged) * BATCH, (len(acknowledged) + 1) * BATCH)
        ids = list(store.ids(INDEX))
        assert len(ids) == len(set(ids)) == manifest.documents
        expected = {each["id"] for batch in acknowledged for each in passages(batch)}
        assert expected <= set(ids)
        if manifest.documents > len(acknowledged) * BATCH:  # stored, and killed before it could say so
            acknowledged.append(len(acknowledged))
        for batch in acknowledged:
            by_words = store.search_docs(f"flock{batch}", INDEX, k=BATCH + 1)
            assert sorted(each["id"] for each in by_words) == sorted(each["id"] for each in passages(batch))
            row = chance.randrange(BATCH)
            assert store.vector_search(vectors(batch)[row], INDEX, k=1)[0]["id"] == f"p{batch * BATCH + row}"
    reader.done.set()
    reader.join(10)
    assert reader.wrong == []
    assert reader.looks > ROUNDS
