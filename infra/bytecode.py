"""Bytecode for the functions' Python, compiled on the machine that deploys: nothing on Lambda can keep any."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from aws_cdk import aws_lambda as lambda_

PYTHON = "3.14"
RUNTIME = lambda_.Runtime.PYTHON_3_14
MISSING = (
    f"no python{PYTHON} on this machine: the layers are without bytecode, and each cold start compiles them; "
    f"`uv python install {PYTHON}` gets one"
)


@cache
def interpreter(version: str = PYTHON) -> str | None:
    """A Python of the functions' version on this machine, whose bytecode they can load; None: there is none."""
    for found in _candidates(version):
        asked = [found, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        # What is on the path may be a shim of a version that is not there.
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == version:
            return found
    return None


def _candidates(version: str) -> Iterator[str]:
    yield sys.executable
    if on_path := shutil.which(f"python{version}"):
        yield on_path
    if uv := uv_command():
        # Those that uv keeps need not be on the path.
        asked = [uv, "python", "find", "--no-project", version]
        if kept := subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip():
            yield kept


def uv_command() -> str | None:
    """Where uv is: on the path, or beside this Python."""
    beside = Path(sys.executable).parent / "uv"
    return shutil.which("uv") or (str(beside) if beside.is_file() else None)


def compile_all(folder: Path, python: str) -> None:
    """Write bytecode beside each module, which is loaded without a look at the source: CDK dates every file anew.

    Raises:
        RuntimeError: none was written; the layer would go by the name of one that has it.
    """
    options = ["-q", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", "/opt/python"]
    # A file that is no Python of this version, a template for example, stays without.
    subprocess.run([python, "-m", "compileall", *options, str(folder)], capture_output=True, check=False)
    if not any(folder.rglob("*.pyc")):
        raise RuntimeError(f"{python} -m compileall wrote no bytecode")
