"""The process above the command ends as the command does, whatever becomes of either."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gate import cli

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the command has no process above it")

FUNCTIONS = Path(cli.__file__).parents[2]
WATCHED = """
import os, signal, sys, time
from pathlib import Path
from gate import cleanup
from gate.cli import watching

def leave():
    cleanup.note(Path("left"))
    Path("left").write_text("x")

def work():
    {work}

{before}
watching.watched(work)
"""


def ended(folder: Path, work: str, before: str = "", **how: Any) -> subprocess.CompletedProcess[str]:
    """How a process ends whose command does `work`, after `before` was done in the process above it."""
    return subprocess.run(
        [sys.executable, "-c", WATCHED.format(work=work, before=before)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(FUNCTIONS)}, text=True, check=False, timeout=30,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how},
    )  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_command_killed_by_a_signal_leaves_nothing_and_is_one_line(tmp_path: Path, number: signal.Signals) -> None:
    done = ended(tmp_path, f"leave(); os.kill(os.getpid(), {int(number)})")
    said = f"gate: ended by signal {int(number)} ({signal.strsignal(number)})\n"
    assert (done.returncode, done.stderr) == (128 + number, said)
    assert not (tmp_path / "left").exists()


def test_a_terminal_that_hangs_up_ends_the_command_and_leaves_nothing(tmp_path: Path) -> None:
    heard = "signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # tests that run behind `nohup` hand on that it is ignored
    done = ended(tmp_path, "leave(); os.kill(os.getppid(), signal.SIGHUP); time.sleep(20)", heard)
    assert (done.returncode, done.stderr) == (129, "gate: hung up\n")
    assert not (tmp_path / "left").exists()


@pytest.mark.parametrize(
    "killed",
    ["os.kill(os.getpid(), 9)", "os.kill(os.getppid(), 9)", "os.kill(os.getppid(), 1)", "os.kill(os.getppid(), 15)"],
)
def test_a_terminal_has_its_cursor_again_however_the_command_ended(tmp_path: Path, killed: str) -> None:
    """A bar hides it; what is killed does not show it again."""
    there, terminal = os.openpty()
    os.set_blocking(there, False)
    heard = "signal.signal(signal.SIGHUP, signal.SIG_DFL); os.environ['TERM'] = 'xterm'"
    ended(tmp_path, f"os.write(2, b'\\x1b[?25l'); {killed}; time.sleep(20)", heard, stderr=terminal)
    said, until = b"", time.monotonic() + 5
    while not said.rpartition(b"\x1b[?25l")[2].count(b"\x1b[?25h") and time.monotonic() < until:
        with suppress(BlockingIOError):
            said += os.read(there, 4_096)
        time.sleep(0.02)
    os.close(there)
    os.close(terminal)
    assert b"\x1b[?25h" in said.rpartition(b"\x1b[?25l")[2]


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_signal_that_the_starter_ignores_ends_nothing(tmp_path: Path, name: str) -> None:
    ignoring = f"signal.signal(signal.{name}, signal.SIG_IGN)"
    done = ended(tmp_path, f"os.kill(os.getppid(), signal.{name}); time.sleep(0.3); sys.exit(5)", ignoring)
    assert (done.returncode, done.stderr) == (5, "")


@pytest.mark.parametrize("closing", ["os.close(2)", "os.dup2(os.open('/dev/full', os.O_WRONLY), 2)"])
@pytest.mark.parametrize(("work", "code"), [("os._exit(5)", 5), ("os.kill(os.getpid(), 9)", 137)])
def test_the_exit_code_holds_where_nothing_can_be_said(tmp_path: Path, closing: str, work: str, code: int) -> None:
    assert ended(tmp_path, work, closing).returncode == code


def test_where_no_process_can_be_made_the_work_is_done_in_this_one(tmp_path: Path) -> None:
    failing = "def fork():\n    raise BlockingIOError(11, 'no')\nos.fork = fork\nabove = os.getpid()"
    done = ended(
        tmp_path, "assert os.getpid() == above; assert not signal.pthread_sigmask(0, []); sys.exit(5)", failing
    )
    assert (done.returncode, done.stderr) == (5, "")
