"""Start-up and memory of `gate check`.

Start-up is the time from starting the command to the first claim verified, in a fresh process, median of five; so are
processor time and peak memory of a check of one claim over a corpus that is indexed.
Memory is the peak resident size of a check of 1,000 claims over a corpus of 1,000 passages.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.table import Row

FIRST_CLAIM = """
import sys, time
began = float(sys.argv.pop())
from gate.agents import verify_claims as module
inner = module.verify_claims
def verify_claims(state):
    inner(state)
    if not seen:
        seen.append(time.time() - began)
        print("FIRST", seen[0], file=sys.stderr)
seen = []
module.verify_claims = verify_claims
from gate.cli import main
main()
"""

AND_ITS_MEMORY = """
import atexit, sys
from tests.memory import most_memory
atexit.register(lambda: print(most_memory(), file=sys.stderr))
from gate.cli import main
main()
"""


def measure() -> list[Row]:
    """Run the command in fresh processes and look."""
    with tempfile.TemporaryDirectory() as folder:
        answer, corpus = _sample(Path(folder), claims=20)
        first = statistics.median(_first_claim(answer, corpus, folder) for _ in range(5))
        one, memory = _one_claim(folder)
        answer, corpus = _sample(Path(folder), claims=1_000)
        peak, wall = _peak(answer, corpus, folder)
    return [
        Row("`gate check`, start to first claim", f"{first:.2f} s", "≤ 2.5 s", first <= 2.5),
        Row("`gate check`, one claim, processor time", f"{one:.2f} s", "≤ 1.3 s", one <= 1.3),
        Row("`gate check`, one claim, peak memory", f"{memory:.0f} MB"),
        Row("`gate check`, 1,000 claims, peak memory", f"{peak:.0f} MB", "≤ 400 MB", peak <= 400),
        Row("`gate check`, 1,000 claims, wall", f"{wall:.1f} s"),
    ]


def _sample(folder: Path, claims: int) -> tuple[Path, Path]:
    answer, corpus = folder / f"answer-{claims}.md", folder / f"corpus-{claims}.jsonl"
    facts = [
        f"Order {n} was shipped to customer {n * 7} in {2000 + n % 25} by carrier {n % 13}." for n in range(claims)
    ]
    answer.write_text("\n".join(facts))
    rows = [{"id": f"d{n}", "content": f"{fact} It arrived after {n % 9 + 1} days."} for n, fact in enumerate(facts)]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return answer, corpus


def _command(answer: Path, corpus: Path) -> list[str]:
    return ["check", str(answer), "--corpus", str(corpus), "--format", "json", "-o", str(answer) + ".json"]


def _first_claim(answer: Path, corpus: Path, home: str) -> float:
    command = [sys.executable, "-c", FIRST_CLAIM, *_command(answer, corpus), str(time.time())]
    done = subprocess.run(command, env=_environment(home), capture_output=True, text=True, check=False)
    return float(next(line for line in done.stderr.splitlines() if line.startswith("FIRST")).split()[1])


def _one_claim(home: str) -> tuple[float, float]:
    """Seconds of processor time, and megabytes."""
    answer, corpus = _sample(Path(home), claims=200)
    answer.write_text(answer.read_text().partition("\n")[0])
    found = [_used(answer, corpus, home) for _ in range(6)]
    seconds, megabytes = zip(*found[1:], strict=True)  # the first one indexes
    return statistics.median(seconds), statistics.median(megabytes)


def _peak(answer: Path, corpus: Path, home: str) -> tuple[float, float]:
    began = time.perf_counter()
    _, peak = _used(answer, corpus, home)
    report = json.loads(Path(str(answer) + ".json").read_text())
    assert report["accounting"]["verdicts"] == 1_000, report["accounting"]
    return peak, time.perf_counter() - began


def _used(answer: Path, corpus: Path, home: str) -> tuple[float, float]:
    """Seconds of processor time of a check, and the megabytes that it had at most, as it says at its end."""
    command = [sys.executable, "-c", AND_ITS_MEMORY, *_command(answer, corpus)]
    process = subprocess.Popen(command, env=_environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read().split()
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, int(said[-1]) / 2**20


def _environment(home: str) -> dict[str, str]:
    return {"GATE_HOME": home + "/home", "PATH": "/usr/bin:/bin", "HOME": home}
