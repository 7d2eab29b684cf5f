"""Checking in the request.

An answer as a model writes it, in pieces of four characters: for each sentence the time from the piece with which its
end is known to its verdict, by the local verifier on a small corpus. Then ten claims by a model that takes 200 ms a
call (a stub on loopback that speaks OpenAI's protocol): checked by the machine, and asked for in a plain loop of calls
with each claim and its passages, one after the other and without anything else. And by the deployed function, in a
process of its own as it is deployed, its services on loopback: there the claims are embedded by a call each as well.
Once more with services that take as long as those of a region may (nobody has measured them there): 5 ms a counter, 10
a search and 20 an object. By the clock, beside other work.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import gate
from gate.local.sentence_stream import SentenceCutter
from tests.aws_events import a_request
from tests.benchmarks.table import Row
from tests.first_calls import ANSWER as ANSWER_THERE
from tests.first_calls import FUNCTIONS, OBJECTS, environment_of
from tests.infra.templates import Template, functions
from tests.stubs import converse, services
from tests.stubs.aws import WORKER
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
PATH = "/v1/checks:now"
CALL_S = 0.2
CLAIMS = 10
ROUNDS = 5
COUNTER_S, SEARCH_S, OBJECT_S = 0.005, 0.01, 0.02
"""What a request to DynamoDB, the search and S3 takes where they are not on loopback; assumed."""


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
        *_deployed(),
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


def _deployed() -> Iterator[Row]:
    """The same by the deployed function: by the clock, and of the processor."""
    from infra.app import synthesize

    function, near, far = functions(synthesize().stateless)["check_now"], _Distance(), _Distance()
    far.waits = True
    with converse.running() as model:
        near_s, spent = _answers(function, model, near)
        far_s, _ = _answers(function, model, far)
    goal = 2 * CALL_S + 0.3
    what, allowed = (
        f"{CLAIMS} claims by the deployed function, median of {ROUNDS}",
        f"two calls and 0.3 s: {goal:.1f} s",
    )
    yield Row(what, f"{near_s:.2f} s", allowed, near_s <= goal)
    yield Row(f"{what}: its processor time", f"{spent:.2f} s")
    yield Row(f"{what}: its requests beside those to models", f"{near.asked}")
    yield Row(f"{what}, services at a distance", f"{far_s:.2f} s", allowed, far_s <= goal)


class _Distance:
    """Lets services take their time, and counts what they are asked."""

    waits, asked = False, 0

    def __call__(self, method: str, path: str, body: bytes) -> None:
        self.asked += 1
        if self.waits:
            time.sleep(COUNTER_S if path == "/" else SEARCH_S if path.startswith("/trusted_docs") else OBJECT_S)


def _answers(function: Template, model: converse.ConverseStub, distance: _Distance) -> tuple[float, float]:
    """What an answer took by the clock (the median) and of the processor (the mean)."""
    with services.running(OBJECTS, distance) as url:
        environment = {**environment_of(function, url), "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": model.url}
        with _process("check_now", environment) as (process, ask):
            model.delay_s = 0.0
            ask(a_request("POST", PATH, {"text": ANSWER_THERE}))
            model.delay_s, spent, took = CALL_S, _processor_s(process), []
            for number in range(ROUNDS):
                distance.asked = 0
                text = " ".join(f"The lamp {claim} weighs {number}{claim} g." for claim in range(CLAIMS))
                took.append(_seconds(partial(ask, a_request("POST", PATH, {"text": text}))))
            return statistics.median(took), (_processor_s(process) - spent) / ROUNDS


@contextmanager
def _process(name: str, environment: dict[str, str]) -> Iterator[tuple[int, Callable[[Any], Any]]]:
    """A function's process: its id, and what asks it."""
    command = [sys.executable, str(WORKER), str(FUNCTIONS), f"{name}.handler.handler"]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:

        def ask(event: Any) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(event) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())["payload"]
            assert answer["statusCode"] == 200, answer
            return answer

        try:
            yield process.pid, ask
        finally:
            process.kill()


def _processor_s(process: int) -> float:
    """Seconds that a process has had of the processor."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


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
