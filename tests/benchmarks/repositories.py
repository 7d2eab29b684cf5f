"""Repositories: listing a work tree and a commit, beside what git takes for the same.

5,000 and 20,000 files in a pack, with 100 new ones, and half as many ignored. CPU of the best of five runs, which is
what the clock shows on a machine that does nothing else; git's counts that of its processes.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from gate.adapters.repositories import open_repository
from tests.benchmarks.table import Row

SIZES = (5_000, 20_000)
GOAL_MS = 1_000
LISTS = (
    ("rev-parse", "--git-dir"),
    ("ls-files", "-sz"),
    ("ls-files", "-dz"),
    ("ls-files", "-oz", "--exclude-standard"),
)
TREES = (("rev-parse", "HEAD^{commit}"), ("ls-tree", "-rz", "HEAD"), ("cat-file", "blob", "HEAD:.gitignore"))


def measure() -> list[Row]:
    """List repositories of both sizes in both ways."""
    rows = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as place:
            _make(Path(place), size)
            rows += [_row(f"{size:,} files, work tree", Path(place), "", LISTS)]
            rows += [_row(f"{size:,} files, commit", Path(place), "HEAD", TREES)]
    return rows


def _row(what: str, folder: Path, commit: str, commands: tuple[tuple[str, ...], ...]) -> Row:
    artifact = {"kind": "worktree", "path": str(folder), **({"commit": commit} if commit else {})}
    ours = _cpu_ms(lambda: open_repository(artifact))
    git = _cpu_ms(lambda: _run_all(folder, commands))
    return Row(what, f"{ours:.0f} ms (git {git:.0f} ms)", f"< {GOAL_MS} ms", ours < GOAL_MS)


def _run_all(folder: Path, commands: tuple[tuple[str, ...], ...]) -> None:
    for command in commands:
        _git(folder, *command)


def _make(folder: Path, size: int) -> None:
    for number in range(size):
        file = folder / f"pkg{number % 97}" / f"sub{number % 13}" / f"module_{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"x = {number}\n")
    (folder / ".gitignore").write_text("*.log\nbuild/\n*.pyc\n__pycache__/\nnode_modules/\n/dist\n")
    _git(folder, "init", "-q")
    _git(folder, "add", "-A")
    _git(folder, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "one")
    _git(folder, "gc", "-q")
    for number in range(100):
        (folder / "pkg1" / f"new{number}.py").write_text("")
        (folder / "pkg1" / f"made{number}.log").write_text("")
    (folder / "node_modules").mkdir()
    for number in range(size // 2):
        (folder / "node_modules" / f"{number}.js").write_text("")


def _git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "gc.auto=0", "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True)


def _cpu_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        before = os.times()
        work()
        after = os.times()
        times.append(sum(after[:4]) - sum(before[:4]))
    return min(times) * 1000
