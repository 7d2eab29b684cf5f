"""Checking in the request.

An answer as a model writes it, in pieces of four characters: for each sentence the time from the piece with which its
end is known to its verdict, by the local verifier on a small corpus. Then ten claims by a model that takes 200 ms a
call (a stub on loopback that speaks OpenAI's protocol): checked by the machine, and asked for in a plain loop of calls
with each claim and its passages, one after the other and without anything else. By the clock, beside other work.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import gate
from gate.local.sentence_stream import SentenceCutter
from tests.benchmarks.table import Row
from tests.stubs.converse import running
from tests.stubs.openai import ChatStub

DOCUMENT = "# Lamps\n\n" + "\n\n".join(
    f"The lamp {number} weighs {number * 7} g. It is made of oak, and its cable is {number} cm long."
    for number in range(100, 160)
)
SENTENCES = [f"The lamp {number} weighs {number * (7 + number % 2)} g." for number in range(100, 150)]
ANSWER = "".join(f"{one}{' ' if at % 5 else chr(10) * 2}" for at, one in enumerate(SENTENCES, start=1))
PIECE = 4
GOAL_S = 0.15
CALL_S = 0.2
CLAIMS = 10
ROUNDS = 5


def measure() -> list[Row]:
    """Stream an answer, and check ten claims by a model."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "docs").mkdir()
        (home / "docs" / "lamps.md").write_text(DOCUMENT, encoding="utf-8")
        checked = gate.Gate(home / "docs", model="local", home=home / "home")
        checked.check("The lamp 100 weighs 700 g.")
        took = list(_sentences(checked))
        by_model = _by_model(home)
    wall, cpu = (sorted(each) for each in zip(*took, strict=True))
    middle, late = statistics.median(wall), wall[int(len(wall) * 0.95)]
    return [
        Row(
            f"a sentence, of {len(took)}: median / p95",
            f"{middle * 1_000:.0f} / {late * 1_000:.0f} ms",
            f"p95 ≤ {GOAL_S * 1_000:.0f} ms",
            late <= GOAL_S,
        ),
        Row(
            "processor time of a sentence: median / p95",
            f"{statistics.median(cpu) * 1_000:.0f} / {cpu[int(len(cpu) * 0.95)] * 1_000:.0f} ms",
        ),
        *by_model,
    ]


def _by_model(home: Path) -> list[Row]:
    """Ten claims, by the machine and by a loop of calls; medians of five."""
    with running(ChatStub(delay_s=CALL_S)) as stub:
        how: dict[str, Any] = {"model": "openai:stub", "model_endpoint": f"{stub.url}/v1", "verdict_cache": False}
        checked = gate.Gate(home / "docs", home=home / "home", **how)
        checked.check(SENTENCES[0])
        gated = [_seconds(lambda: checked.check(" ".join(SENTENCES[:CLAIMS]))) for _ in range(ROUNDS)]
        asked = [json.dumps(seen.body["sent"]).encode() for seen in stub.seen[-CLAIMS:]]
        plain = [_seconds(lambda: _loop(f"{stub.url}/v1/chat/completions", asked)) for _ in range(ROUNDS)]
    middle, goal = statistics.median(gated), 2 * CALL_S + 0.3
    what = f"{CLAIMS} claims by a model of {CALL_S * 1_000:.0f} ms a call, median of {ROUNDS}"
    return [
        Row(f"{what}: `Gate.check`", f"{middle:.2f} s", f"two calls and 0.3 s: {goal:.1f} s", middle <= goal),
        Row(f"{what}: a plain loop of calls", f"{statistics.median(plain):.2f} s"),
    ]


def _loop(url: str, asked: Iterable[bytes]) -> None:
    for body in asked:
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            answer.read()


def _sentences(checked: gate.Gate) -> Iterator[tuple[float, float]]:
    """What each sentence took by the clock and of the processor, after the piece that ended it."""
    cutter = SentenceCutter()
    with checked._streaming() as check:
        for at in range(0, len(ANSWER), PIECE):
            began, spent = time.perf_counter(), time.process_time()
            for sentence in cutter.feed(ANSWER[at : at + PIECE]):
                check(sentence)
                yield time.perf_counter() - began, time.process_time() - spent


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
