"""The wheel alone is enough: built here, installed into an empty environment, run outside the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def run(*command, **options):
    """Run a command; what it printed shows up when it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.e2e
@pytest.mark.slow
def test_the_demonstration_runs_from_the_wheel_in_an_empty_environment(tmp_path):
    assert UV, "uv is part of the development environment (make test)"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    options = {"env": environment | {"GATE_HOME": str(tmp_path / "home")}, "cwd": tmp_path}
    code, _, err = run(UV, "build", "--wheel", "--out-dir", tmp_path / "dist", ROOT, **options)
    assert code == 0, err
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    python = tmp_path / "empty" / "bin" / "python"
    run(UV, "venv", "--python", sys.executable, tmp_path / "empty", **options)
    for arguments in (["--require-hashes", "-r", ROOT / "locks/local.lock"], ["--no-deps", wheel]):
        code, _, err = run(UV, "pip", "install", "--python", python, *arguments, **options)
        assert code == 0, err
    demo = ROOT / "events" / "demo"
    command = [python.parent / "gate", "check", demo / "answer.md", "--corpus", demo / "corpus.jsonl"]
    code, out, err = run(*command, "--format", "json", **options)
    assert code == 1, err
    report = json.loads(out)
    assert report["decision"]["outcome"] == "block"
    assert report["accounting"]["unchecked"] == 0
