"""What bytecode saves a cold start.

CPU time to import the handlers of the seven functions of a first check (INIT on Lambda), each in a fresh process that
has the deployed code, the layers' packages for this machine, and boto3 with its bytecode as on Lambda, and that cannot
write any (`/var/task` and `/opt` are read-only). Sums over the seven, medians of seven rounds, in which the three
follow each other.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from gate.catalogue import BY_NAME
from infra.functions import NOT_DEPLOYED, PYDANTIC, SOURCE
from infra.layer import LOCK, compile_all, wanted
from tests.benchmarks.table import Row
from tests.first_calls import AWS, SETTINGS

SLOW = True
ROUNDS = 7
FIRST_CHECK = (
    "start_check",
    "load_transcript",
    "extract_claims",
    "retrieve_evidence",
    "verify_claims",
    "judge",
    "publish_report",
)
IMPORT = "import sys, time; __import__(sys.argv[1] + '.handler'); print(time.process_time())"
SERVICES = {
    "GATE_SEARCH": "https://search.internal",
    "GATE_SEARCH_SERVICE": "es",
    "GATE_MODEL": "bedrock:amazon.nova-lite-v1:0",
    "GATE_EMBEDDER": "bedrock:amazon.titan-embed-text-v2:0",
}
MOST = 0.6
UV = shutil.which("uv") or str(Path(sys.executable).parent / "uv")


def measure() -> list[Row]:
    """Sums of INIT CPU without bytecode, with the layers' and with all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = _installed(folder)
        layers = _compiled(plain, folder / "layers", ("layer",))
        everything = _compiled(layers, folder / "all", ("code",))
        kinds = {"no bytecode": plain, "bytecode in the layers": layers, "bytecode in layers and code": everything}
        sums: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS):
            for kind, where in kinds.items():
                sums[kind].append(sum(_seconds(name, where) for name in FIRST_CHECK))
    before = statistics.median(sums["no bytecode"])
    return [_row(kind, statistics.median(found), before) for kind, found in sums.items()]


def _row(kind: str, seconds: float, before: float) -> Row:
    share = seconds / before
    if share == 1:
        return Row(kind, f"{seconds:.2f} s")
    return Row(kind, f"{seconds:.2f} s, {share:.2f} of that", f"< {MOST}", share < MOST)


def _installed(folder: Path) -> Path:
    """The code as it is deployed, the packages of the layers and what the runtime has, none of ours with bytecode."""
    plain = folder / "plain"
    shutil.copytree(SOURCE, plain / "code", ignore=_not_deployed)
    lock = LOCK.read_text(encoding="utf-8")
    (folder / "wanted.txt").write_text("".join(wanted(lock, readers=readers) for readers in (False, True)))
    (folder / "sdk.txt").write_text("boto3\n")
    for target, requirements, more in (("layer", "wanted.txt", "--no-deps"), ("runtime", "sdk.txt", "--compile")):
        into = ["--target", str(plain / target), "--python", sys.executable, "-r", str(folder / requirements)]
        subprocess.run([UV, "pip", "install", "--quiet", more, *into], check=True)
    return plain


def _not_deployed(folder: str, names: list[str]) -> set[str]:
    inside = Path(folder).relative_to(SOURCE)
    return {name for name in names if any(_matches(inside / name, pattern) for pattern in NOT_DEPLOYED)}


def _matches(path: Path, pattern: str) -> bool:
    return path.match(pattern.removeprefix("**/"))


def _compiled(source: Path, target: Path, parts: tuple[str, ...]) -> Path:
    shutil.copytree(source, target)
    for part in parts:
        compile_all(target / part, sys.executable)
    return target


def _seconds(name: str, where: Path) -> float:
    """CPU time of a process that does nothing but import a handler."""
    assert name in BY_NAME
    path = os.pathsep.join(str(where / part) for part in ("code", "layer", "runtime"))
    environment = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **PYDANTIC, **AWS, **SETTINGS, **SERVICES}
    command = [sys.executable, "-S", "-c", IMPORT, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)
