"""What verifying with a remote model costs, beside the figures of other tools.

One answer of 25 claims (5 wrong), each with five passages of 100 words of its own, and twenty such answers, through the
committed state machine and the real SDK, against a stand-in for Bedrock in a process of its own, and the same by chat
completions against a stand-in for those. Two kinds of model:
300 ms a call, and 300 ms plus 12 ms for each output token. Twenty answers go as `gate check` takes twenty files: four
at a time, and no more than 40 claims verified at once over all of them. Keyword search in the embedded store is
included. Tokens are characters over four. Other tools were measured on 2026-11-20 in the same way: RAGAS, DeepEval,
RefChecker, TruLens and promptfoo need 0.6 to 1.8 s for one answer at 300 ms flat and 3.9 to 11 s with token time, 0.75
to 18.6 s for twenty, and 5,555 to 221,122 prompt tokens; a bare loop of one call a claim, without a word of
instruction, 22,462.

A local run is one Python process, and a claim costs some milliseconds of its processor time (the SDK's request, the
interpreter of the state machine, search and report; a row says how many), so beyond a hundred or two of claims a second
that is the limit, not the model. On AWS every claim has a function
of its own. One answer is the median of five runs, the best in brackets.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate import wiring
from gate.catalogue import MAX_CONCURRENCY as AT_ONCE
from gate.cli.parallel_files import JOBS, in_order
from gate.local.run import Limited, run_locally
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from gate.wiring import Wiring
from tests.benchmarks.table import Row
from tests.memory import most_memory

SLOW = True
ANSWERS, CLAIMS, PASSAGES, ROUNDS = 20, 25, 5, 5
CORPUS = "corpus.jsonl"
BARE_LOOP_TOKENS = 22_462
PASSAGE_CHARS = 694
"""Of 100 words, as in the measurement of other tools (their prompts grow by 17,355 tokens for 100 passages more)."""
FLAT, WITH_TOKENS = (0.3, 0.0), (0.3, 0.012)
WORDS = [
    f"{first}{second}"
    for first in ("lan", "ver", "mor", "tis", "pol", "gar")
    for second in ("den", "tic", "la", "mus", "o", "rans")
]


@contextmanager
def stand_in(delay_s: float, token_s: float, protocol: str) -> Iterator[str]:
    """Run the stand-in and give its URL."""
    command = [sys.executable, "-m", f"tests.stubs.{protocol}", "--delay", str(delay_s), "--token", str(token_s)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def counts(url: str) -> dict[str, int]:
    """What the stand-in has counted since the last call."""
    with urllib.request.urlopen(f"{url}/counts") as response:
        return dict(json.load(response))


def facts(answer: int) -> list[str]:
    """The statements that the corpus makes about one answer's subject."""
    return [
        f"The {WORDS[number]} bridge of city {answer} carries {11 + 7 * number} trams a day."
        for number in range(CLAIMS)
    ]


def text(answer: int) -> str:
    """An answer: every fifth claim is wrong."""
    claims = [fact.replace("trams", "boats") if number % 5 == 3 else fact for number, fact in enumerate(facts(answer))]
    return " ".join(claims)


def corpus(path: Path) -> None:
    """Write five passages of 100 words for each claim; the words around the statement mean nothing."""
    dice = random.Random(7)
    with path.open("w") as lines:
        for answer in range(ANSWERS):
            for number, fact in enumerate(facts(answer)):
                for part in range(PASSAGES):
                    about = fact if part == 0 else f"The {WORDS[number]} bridge of city {answer} again."
                    filler = " ".join(dice.choice(WORDS) + "s" for _ in range(100))
                    content = f"{about} {filler}"[:PASSAGE_CHARS]
                    lines.write(json.dumps({"id": f"{answer}-{number}-{part}", "content": content}) + "\n")


def check(gate: Wiring, answers: int) -> float:
    """Check so many answers; returns wall seconds. Every run must come to the honest share."""
    with wiring.entered(gate):
        return _checked(index_corpus(str(gate.settings.home / CORPUS)), answers)


def _checked(index: str, answers: int) -> float:
    limited, began = Limited(), time.perf_counter()

    def one(answer: int) -> None:
        config = {"elasticsearch": {"index": index}}
        run = run_locally({"name": "a.md", "text": text(answer)}, config, invoke=limited)
        assert run.status == "SUCCEEDED", (run.error, run.cause)
        assert run.state["accounting"]["grounding"] == 0.8, run.state["accounting"]

    list(in_order(one, range(answers), JOBS))
    return time.perf_counter() - began


def reached(url: str, protocol: str) -> dict[str, str]:
    """The settings that have a stand-in asked in words, as models on Bedrock that nobody knows are."""
    if protocol == "openai":
        return {"model": "openai:stub", "model_endpoint": f"{url}/v1", "model_answers": "text"}
    return {"model": "bedrock:stub", "model_endpoint": url, "region": "us-east-1"}


def measured(
    name: str, delay_s: float, token_s: float, goal_s: float, goal_share: float, protocol: str = "converse"
) -> list[Row]:
    """One answer and twenty, asked and from the cache, against one kind of model."""
    with stand_in(delay_s, token_s, protocol) as url, tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        corpus(home / CORPUS)

        def fresh(cache: bool = False) -> Wiring:
            settings = Settings.model_validate({"home": home, "embedder": "none", **reached(url, protocol)})
            gate = Wiring(settings).changed(verdict_cache=cache)
            gate.verifier()
            return gate

        check(fresh(), 1)
        counts(url)
        walls = [check(fresh(), 1) for _ in range(ROUNDS)]
        one = {key: value // ROUNDS if key != "peak" else value for key, value in counts(url).items()}
        cpu, twenty = time.process_time(), check(fresh(), ANSWERS)
        cpu = time.process_time() - cpu
        all_ = counts(url)
        check(fresh(cache=True), ANSWERS)
        counts(url)
        cached = check(fresh(cache=True), ANSWERS)
        again = counts(url)
        cached_one = check(fresh(cache=True), 1)
    ideal = (all_["calls"] * delay_s + all_["output"] * token_s) / AT_ONCE
    ratio = one["prompt"] / BARE_LOOP_TOKENS
    wall = statistics.median(walls)
    return [
        Row(f"one answer, {name}", f"{wall:.2f} s ({min(walls):.2f})", f"≤ {goal_s} s", wall <= goal_s),
        Row(
            f"one answer, {name}: calls, prompt / output tokens, peak",
            f"{one['calls']}, {one['prompt']:,} / {one['output']:,}, {one['peak']}",
        ),
        Row(f"prompt tokens of one answer against the bare loop, {name}", f"{ratio:.2f}", "≤ 1.10", ratio <= 1.1),
        Row(f"one answer from the verdict cache, {name}", f"{cached_one:.2f} s"),
        Row(
            f"20 answers, {name}: wall, calls, peak, tokens",
            f"{twenty:.2f} s, {all_['calls']}, {all_['peak']}, {all_['prompt']:,} / {all_['output']:,}",
        ),
        Row(
            f"20 answers, {name}: share of the ideal at {AT_ONCE}",
            f"{ideal / twenty:.2f}",
            f"≥ {goal_share:.2f}",
            ideal / twenty >= goal_share,
        ),
        Row(f"20 answers, {name}: processor time of a claim", f"{1000 * cpu / (ANSWERS * CLAIMS):.1f} ms"),
        Row(f"20 answers from the verdict cache, {name}: wall, calls", f"{cached:.2f} s, {again['calls']}"),
    ]


def measure() -> list[Row]:
    """Both kinds of model, then memory."""
    os.environ.update(AWS_ACCESS_KEY_ID="stub", AWS_SECRET_ACCESS_KEY="stub")
    rows = measured("300 ms a call", *FLAT, goal_s=1.0, goal_share=0.85)
    rows += measured("300 ms + 12 ms a token", *WITH_TOKENS, goal_s=1.6, goal_share=0.9)
    rows += measured("300 ms a call, chat completions", *FLAT, goal_s=1.0, goal_share=0.85, protocol="openai")
    slower = "300 ms + 12 ms a token, chat completions"
    rows += measured(slower, *WITH_TOKENS, goal_s=1.6, goal_share=0.9, protocol="openai")
    peak = most_memory() / 2**20
    rows.append(Row("peak memory of the process (other tools: 128 to 1,020 MB)", f"{peak:.0f} MB"))
    return [*rows, Row("load average of the machine (others work on it)", f"{os.getloadavg()[0]:.0f}")]
