"""A storm of events about documents: `python -m tests.load.ingestion` prints what docs/benchmarks.md records.

Objects change while events of them are shuffled, doubled and delayed, embedding is refused now and then, and workers
are killed in the middle of their work. Meanwhile whoever reads the corpus asks, of each passage that no current version
says, whether the gate would say that it lags.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gate import wiring
from gate.agents.ingest_corpus import ingest_corpus
from gate.errors import ModelThrottledError
from gate.services import corpora, freshness, ingestion
from gate.wiring import Wiring
from tests.aws_events import FakeUploads
from tests.fakes.search import MemorySearch

THROTTLED = 0.02
INDEX = "storm"


class Killed(BaseException):
    """The process is gone."""


class Embedder:
    """Refuses a share of its calls."""

    name, dimension = "storm/1", 2

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        if self._chance.random() < 1 - (1 - THROTTLED) ** len(texts):
            raise ModelThrottledError("slower")
        return [[1.0, 0.0] for _ in texts]


class Storm:
    """Changes of a bucket, events of them, and workers.

    Attributes:
        kills: workers killed so far.
        lag_unsaid: passages that were found while no current version said so, and that would have been vouched for.
    """

    def __init__(self, *, seed: int, documents: int, changes: int, kills: int) -> None:
        self._chance = random.Random(seed)
        self._uploads, self._engine = FakeUploads(), MemorySearch()
        self._documents, self._changes, self._to_kill = documents, changes, kills
        self._pending: list[dict[str, Any]] = []
        self._version = 0
        self.kills = self.lag_unsaid = self.delivered = 0

    def rage(self) -> None:
        """Change, deliver, kill; then deliver what is left until nothing is."""
        here = wiring.current().changed(documents="s3://uploads/corpora", index=INDEX)
        fakes = {"uploads": self._uploads, "search_engine": self._engine, "embedder": Embedder(self._chance)}
        with ExitStack() as stack:
            for name, made in fakes.items():
                stack.enter_context(patch.object(Wiring, name, lambda _, made=made: made))
            stack.enter_context(wiring.entered(here))
            stack.enter_context(patch("time.sleep"))
            stack.enter_context(patch.object(ingestion, "CLAIM_S", 1e-6))
            for _ in range(self._changes):
                self._change()
                for _ in range(self._chance.randrange(4)):
                    self._deliver()
                if self._changes < 1_000 or self._version % 10 == 0:
                    self._look()
            while self._pending:
                self._deliver()

    def _change(self) -> None:
        key = f"corpora/{INDEX}/d{self._chance.randrange(self._documents)}.jsonl"
        self._version += 1
        if self._chance.random() < 0.2:
            event = self._uploads.remove(key)
        else:
            facts = [
                {"id": f"{key}#{n}", "content": f"Fact {n} of {key} is {self._version}."}
                for n in range(self._chance.randrange(1, 5))
            ]
            event = self._uploads.put(key, "\n".join(json.dumps(each) for each in facts).encode())
        self._pending += [event] * self._chance.choice((1, 1, 2))

    def _deliver(self) -> None:
        """Deliver one of the events that are under way, whichever; one that fails comes again."""
        if not self._pending:
            return
        event = self._pending.pop(self._chance.randrange(len(self._pending)))
        self.delivered += 1
        doomed = self.kills < self._to_kill and self._chance.random() < 8 * self._to_kill / self._changes
        try:
            with patch.object(corpora, "_store", self._dying(corpora._store) if doomed else corpora._store):
                failed = ingest_corpus({"Records": [_message(event)]})["batchItemFailures"]
        except Killed:
            self.kills += 1
            self._pending.append(event)
        else:
            self._pending += [event] * bool(failed)

    def _dying(self, store: Any) -> Any:
        """Half of what a batch has is stored, and then there is nobody any more."""

        def half(engine: Any, embedder: Any, index: str, batch: list[Any], outcome: Any) -> None:
            store(engine, None, index, batch[: len(batch) // 2], outcome)
            raise Killed

        return half

    def _look(self) -> None:
        """What the corpus holds and no current version says must be known to lag."""
        found, right = self.corpus(), self.bucket()
        stale = sorted(key for key, text in found.items() if right.get(key) != text)
        self.lag_unsaid += len(stale) - len(freshness.superseded(INDEX, stale))

    def corpus(self) -> dict[str, str]:
        """Text by id of every passage that a search may find."""
        if not self._engine.exists(INDEX):
            return {}
        return {key: str(each["content"]) for key, each in self._engine._index(INDEX).passages.items()}

    def bucket(self) -> dict[str, str]:
        """The same of what lies in the bucket."""
        lines = [json.loads(line) for data, _ in self._uploads.bucket.values() for line in data.splitlines()]
        return {line["id"]: line["content"] for line in lines}


def _message(event: dict[str, Any]) -> dict[str, Any]:
    attributes = {"ApproximateReceiveCount": "1"}
    return {"messageId": "m", "receiptHandle": "r", "body": json.dumps(event), "attributes": attributes}


def main() -> None:
    """Rage once, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    storm = Storm(seed=asked.seed, documents=200, changes=round(asked.events / 1.3), kills=20)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as home, wiring.entered(wiring.current().changed(home=Path(home))):
        storm.rage()
    same = storm.corpus() == storm.bucket()
    print(f"{storm.delivered} deliveries, {storm.kills} workers killed: corpus and bucket agree: {same}")
    seconds = time.perf_counter() - began
    print(f"superseded passages that would have passed unsaid: {storm.lag_unsaid}; {seconds:.0f} s")
    raise SystemExit(not same or bool(storm.lag_unsaid))


if __name__ == "__main__":
    main()
