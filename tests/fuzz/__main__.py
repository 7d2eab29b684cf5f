"""Fuzz: `python -m tests.fuzz [--seconds 600] [TARGET …]`, one process a target; the exit code says if one was found.

Guided by coverage where atheris is installed, blind elsewhere. Inputs that reach something new are kept in
`.fuzz/TARGET/corpus` for the next time, findings in `.fuzz/TARGET/found`.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import subprocess
import sys
import time
import traceback
from pathlib import Path

from tests.fuzz.harness import Finding, attempt, kept, limited_memory, names, target_named
from tests.fuzz.mutation import LONGEST, mutants

KEPT = Path(".fuzz")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(names())}; all without one")
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--here", action="store_true", help="in this process, one target")
    given = parser.parse_args()
    if given.here:
        return (guided if importlib.util.find_spec("atheris") else blind)(given.targets[0], given.seconds, given.seed)
    worst = 0
    for name in given.targets or names():
        command = [sys.executable, "-m", "tests.fuzz", name, "--here"]
        ended = subprocess.run([*command, "--seconds", str(given.seconds), "--seed", str(given.seed)], check=False)
        print(f"{name}: {'nothing found' if ended.returncode == 0 else f'FOUND, see {KEPT / name}'}", flush=True)
        worst = worst or ended.returncode
    return worst


def blind(name: str, seconds: int, seed: int) -> int:
    """Try mutants of the seeds until the time is over."""
    target, ends, tried = target_named(name), time.monotonic() + seconds, 0
    limited_memory()
    for data in mutants(target.SEEDS, random.Random(seed)):
        if time.monotonic() > ends:
            break
        tried += 1
        if not _well(name, target.read, data):
            return 1
    print(f"{name}: {tried} inputs")
    return 0


def guided(name: str, seconds: int, seed: int) -> int:
    """Hand over to libFuzzer, which ends the process by itself."""
    import atheris

    with atheris.instrument_imports(include=["gate", "markdown_it", "pypdf"]):
        target = target_named(name)
        for data in target.SEEDS:  # imports what is imported on first use, which takes long under the instruments
            attempt(target.read, data, seconds=120)
    corpus, found = KEPT / name / "corpus", KEPT / name / "found"
    for data in target.SEEDS:
        kept(corpus, data)
    found.mkdir(parents=True, exist_ok=True)
    limited_memory()

    def one(data: bytes) -> None:
        attempt(target.read, data)

    options = [f"-max_total_time={seconds}", f"-seed={seed % 2**32}", f"-max_len={LONGEST}", "-rss_limit_mb=3000"]
    options += ["-timeout=120", f"-artifact_prefix={found}/", "-print_final_stats=1", "-reload=0"]
    atheris.Setup([name, str(corpus), *options], one)
    atheris.Fuzz()
    return 0


def _well(name: str, read: object, data: bytes) -> bool:
    try:
        attempt(read, data)  # type: ignore[arg-type]
    except Finding:
        traceback.print_exc()
        print(f"{name}: {kept(KEPT / name / 'found', data)}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
