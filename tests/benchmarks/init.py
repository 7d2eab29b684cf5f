"""What bytecode saves a cold start.

CPU time to import the handlers of the seven functions of a first check (INIT on Lambda), each in a fresh process that
has the deployed code, the layers' packages for this machine, and boto3 with its bytecode as on Lambda, and that cannot
write any (`/var/task` and `/opt` are read-only). Where a Python of the functions' version is at hand, both kinds of
layers are deployed compiled. Sums over the seven, medians of seven rounds, in which the three follow each other; and
what of our own is uploaded, compiled by the Python that measures.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gate.catalogue import BY_NAME
from infra.bytecode import compile_all
from infra.code import PACKAGE, SOURCE, lay_out
from infra.functions import PYDANTIC
from infra.layer import LOCK, wanted
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
        others = _compiled(plain, folder / "others", "layer")
        everything = _compiled(others, folder / "all", "package")
        kinds = {
            "no bytecode": plain,
            "bytecode in the layers of dependencies": others,
            "and in that of the package": everything,
        }
        sums: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS):
            for kind, where in kinds.items():
                sums[kind].append(sum(_seconds(name, where) for name in FIRST_CHECK))
        weights = list(_weights(everything, folder))
    before = statistics.median(sums["no bytecode"])
    return [*(_row(kind, statistics.median(found), before) for kind, found in sums.items()), *weights]


def _weights(where: Path, folder: Path) -> Iterator[Row]:
    """Bytes of the archives of the code asset and of the layer of the package."""
    handlers = Path(shutil.make_archive(str(folder / "handlers"), "zip", where / "code")).stat().st_size
    package = Path(shutil.make_archive(str(folder / "package"), "zip", where / "package")).stat().st_size
    yield Row("code asset, packed", f"{handlers / 1_000:.0f} kB", "< 1 MB", handlers < 1_000_000)
    yield Row("layer of the package, packed", f"{package / 1_000_000:.1f} MB")


def _row(kind: str, seconds: float, before: float) -> Row:
    share = seconds / before
    if share == 1:
        return Row(kind, f"{seconds:.2f} s")
    return Row(kind, f"{seconds:.2f} s, {share:.2f} of that", f"< {MOST}", share < MOST)


def _installed(folder: Path) -> Path:
    """The code as it is deployed, the packages of the layers and what the runtime has, none of ours with bytecode."""
    plain = folder / "plain"
    shutil.copytree(SOURCE, plain / "code", ignore=shutil.ignore_patterns(PACKAGE, "__pycache__"))
    lay_out(plain / "package")
    lock = LOCK.read_text(encoding="utf-8")
    (folder / "wanted.txt").write_text("".join(wanted(lock, readers=readers) for readers in (False, True)))
    (folder / "sdk.txt").write_text("boto3\n")
    for target, requirements, more in (("layer", "wanted.txt", "--no-deps"), ("runtime", "sdk.txt", "--compile")):
        into = ["--target", str(plain / target), "--python", sys.executable, "-r", str(folder / requirements)]
        subprocess.run([UV, "pip", "install", "--quiet", more, *into], check=True)
    return plain


def _compiled(source: Path, target: Path, part: str) -> Path:
    shutil.copytree(source, target)
    compile_all(target / part, sys.executable)
    return target


def _seconds(name: str, where: Path) -> float:
    """CPU time of a process that does nothing but import a handler."""
    assert name in BY_NAME
    path = os.pathsep.join(str(where / part) for part in ("code", "package", "layer", "runtime"))
    environment = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **PYDANTIC, **AWS, **SETTINGS, **SERVICES}
    command = [sys.executable, "-S", "-c", IMPORT, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)
