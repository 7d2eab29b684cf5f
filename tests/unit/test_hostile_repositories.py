"""A hostile repository gets read, or refused in one line, and does nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.hostile.observer import Observed, observed, traced
from tests.hostile.scene import SECRET, Scene, git, honest
from tests.hostile.table import CASES, READ, Case, security_table

security_table()  # enters every case
ON_LINUX = sys.platform.startswith("linux")
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    honest(folder / "top")
    honest(folder / "outside" / "victim")
    (folder / "outside" / "victim" / SECRET).write_text("the plan of the victim\n")
    git(folder / "outside" / "victim", "add", "-A")
    git(folder / "outside" / "victim", "commit", "-qm", "two")
    (folder / "outside" / SECRET).write_text("the plan\n")
    return folder


def a_scene(case: Case, template: Path, folder: Path) -> Scene:
    shutil.copytree(template, folder, symlinks=True)
    os.mkfifo(folder / "outside" / "pipe")
    scene = Scene(folder)
    whole = {"kind": "worktree", "path": str(scene.top)}
    scene.readings = [(whole, None), ({**whole, "commit": "HEAD"}, None)]
    case.build(scene)
    return scene


def removed(folder: Path) -> None:
    """Remove a scene; folders may be deeper than Python can go."""
    subprocess.run(["chmod", "-R", "u+rwX", str(folder)], check=False, capture_output=True)
    subprocess.run(["rm", "-rf", str(folder)], check=True)


@pytest.fixture
def scene(request: pytest.FixtureRequest, template: Path, tmp_path: Path) -> Iterator[Scene]:
    folder = tmp_path / "scene"
    try:
        yield a_scene(request.param, template, folder)
    finally:
        removed(folder)


def state_of(folder: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    todo = [str(folder)]
    while todo:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                found[entry.path] = (status.st_mode, status.st_size, status.st_mtime_ns)
                todo += [entry.path] if entry.is_dir(follow_symlinks=False) else []
    return found


def is_below(path: str, top: str, state: dict[str, tuple[int, int, int]]) -> bool:
    """Whether a path lies below a folder, and no part of it is a link."""
    links = [place for place, (mode, _, _) in state.items() if stat.S_ISLNK(mode)]
    return f"{path}/".startswith(f"{top}/") and not any(f"{path}/".startswith(f"{link}/") for link in links)


def check_outcome(reading: Observed, expected: str) -> None:
    if expected == READ:
        assert reading.refusal == ""
        assert reading.repository is not None
        assert {"README.md", "src/a.py", "latest"} <= set(reading.repository.files)
        assert not [name for name in reading.repository.files if "secret" in name or "victim" in name]
        assert all(len(reason) < 100 for _, reason in reading.repository.problems)
    else:
        assert re.search(expected, reading.refusal)
        assert "\n" not in reading.refusal


@pytest.mark.hostile
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("scene", "case"), [(case, case) for case in CASES], ids=[case.name for case in CASES], indirect=["scene"]
)
def test_a_hostile_repository_does_nothing_but_get_read(scene: Scene, case: Case) -> None:
    before = state_of(scene.folder)

    for number, (artifact, root) in enumerate(scene.readings):
        reading = observed(artifact, root)

        assert reading.done == []
        allowed = [str(scene.outside / path) for path in case.looks_at]
        assert not [path for path in reading.looked_at - {*allowed} if not is_below(path, str(scene.top), before)]
        assert reading.seconds < 10
        check_outcome(reading, case.commit if number else case.disk)
    assert not scene.marker.exists()
    assert state_of(scene.folder) == before


def test_there_are_enough_of_them() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 40


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_the_system_sees_no_process_no_connection_and_no_file_elsewhere(template: Path, tmp_path: Path) -> None:
    scenes = [(case, a_scene(case, template, tmp_path / case.name)) for case in CASES]
    readings = [(case, scene, reading) for case, scene in scenes for reading in scene.readings]
    log = tmp_path / "trace"
    command = ["strace", "-f", "-qq", "-o", str(log), "-s", "4096", "-e", "trace=%file,%process,%network"]
    try:
        done = subprocess.run(
            [*command, sys.executable, "-m", "tests.hostile.observer"],
            input=json.dumps([reading for _, _, reading in readings]),
            env={**os.environ, "PYTHONPATH": f"{ROOT}/functions:{ROOT}"},
            cwd=ROOT, check=True, capture_output=True, text=True,
        )  # fmt: skip
    finally:
        for _, scene in scenes:
            removed(scene.folder)

    calls = traced(log.read_text(errors="replace"))
    assert len(calls) == len(readings)
    for (case, scene, _), made in zip(readings, calls, strict=True):
        allowed = [str(scene.top), *(str(scene.outside / path) for path in case.looks_at)]
        for call, path, line in made:
            known = call.startswith(("open", "stat", "lstat", "newfstatat", "statx", "readlink"))
            assert known, line
            inside = any(path == place or path.startswith(f"{place}/") for place in allowed)
            assert inside or not call.startswith("open"), line
            assert inside or Path(path) in scene.top.parents or Path(path).parent in scene.top.parents, line
    assert int(done.stdout) < 1_000_000, "kilobytes"
