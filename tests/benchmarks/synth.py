"""Synthesis of the stacks.

CPU of `python -m infra.app` and of the Node that it starts, after a first run that builds the layers, median of three:
no credentials, no Docker, CDK's own rules included. `cdk synth` is this and the command around it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.table import Row

ROOT = Path(__file__).parents[2]


def measure() -> list[Row]:
    """Synthesize, and look at what it took."""
    with tempfile.TemporaryDirectory() as folder:
        _cpu(folder)
        warm = statistics.median(_cpu(folder) for _ in range(3))
    return [Row("`python -m infra.app`, warm, CPU", f"{warm:.1f} s", "≤ 10 s", warm <= 10)]


def _cpu(outdir: str) -> float:
    """CPU seconds of one synthesis and of everything that it starts."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "infra.app"]
    subprocess.run(command, cwd=ROOT, env={**environment, "CDK_OUTDIR": outdir}, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
