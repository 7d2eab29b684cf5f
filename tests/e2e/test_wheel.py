"""The wheel alone is enough: built here, installed into an empty environment, run outside the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def run(*command: str | Path, env: dict[str, str], cwd: Path) -> tuple[int, str, str]:
    """Run a command; what it printed shows up when it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, env=env, cwd=cwd
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.e2e
@pytest.mark.slow
def test_the_demonstration_runs_from_the_wheel_in_an_empty_environment(tmp_path: Path) -> None:
    assert UV, "uv is part of the development environment (make test)"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    run_here = partial(run, env=environment | {"GATE_HOME": str(tmp_path / "home")}, cwd=tmp_path)
    code, _, err = run_here(UV, "build", "--wheel", "--out-dir", tmp_path / "dist", ROOT)
    assert code == 0, err
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    python = tmp_path / "empty" / "bin" / "python"
    run_here(UV, "venv", "--python", sys.executable, tmp_path / "empty")
    locked: list[str | Path] = ["--require-hashes", "-r", ROOT / "locks/local.lock"]
    for arguments in (locked, ["--no-deps", wheel]):
        code, _, err = run_here(UV, "pip", "install", "--python", python, *arguments)
        assert code == 0, err
    demo = ROOT / "events" / "demo"
    command: list[str | Path] = [python.parent / "gate", "check", demo / "answer.md", "--corpus", demo / "corpus.jsonl"]
    code, out, err = run_here(*command, "--format", "json")
    assert code == 1, err
    report = json.loads(out)
    assert report["decision"]["outcome"] == "block"
    assert report["accounting"]["unchecked"] == 0
