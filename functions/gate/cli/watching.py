"""A process above the command: it hears a signal whatever the command is doing, ends it, and removes what it leaves.

A handler of Python's runs between two steps of the interpreter: never while a function of C keeps the main thread, or
the interpreter's lock, be it a pattern, a model or an index. So the command works in a child, and its parent does
nothing but wait for it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from gate import cleanup

GRACE_S = 1.2
"""Seconds that a command has to end by itself, with its own words."""
ENDING = {signal.SIGTERM: ("terminated", 143), signal.SIGINT: ("interrupted", 130)}
SHOW_CURSOR = b"\x1b[?25h"
if sys.platform != "win32":
    ENDING[signal.SIGHUP] = ("hung up", 129)


def watched(work: Callable[[], object]) -> None:
    """Do `work` in a process of its own, and end as it ends; where processes cannot be doubled, do it in this one."""
    if sys.platform != "linux" or threading.active_count() > 1:  # a copy has none of the other threads
        work()
        return
    told, telling = os.pipe()
    alive, living = os.pipe()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who ignores it never learns how a child ended
    heard = _heard()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, heard)
    try:
        child = os.fork()
    except OSError:  # no room for another process
        for descriptor in (told, telling, alive, living):
            os.close(descriptor)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        work()
        return
    if not child:
        os.close(told)
        os.close(living)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        cleanup.tell(telling)
        threading.Thread(target=_end_with_parent, args=(alive,), daemon=True).start()
        work()
        return
    os.close(telling)
    os.close(alive)
    _exit(*_wait(child, _Left(told), heard))


def _heard() -> set[signal.Signals]:
    """What is listened for: not what whoever started us ignores, as `nohup` and a shell's `&` do."""
    asked = {number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN}
    return {signal.SIGTERM, signal.SIGCHLD} | asked


def _end_with_parent(alive: int) -> None:
    """End when the parent has ended, however it did: its end of the pipe is closed then."""
    os.read(alive, 1)
    _show_cursor()
    os._exit(128 + signal.SIGKILL)


class _Left:
    """What the command has told of, read by a thread so that the pipe never fills up."""

    def __init__(self, told: int) -> None:
        self._data = bytearray()
        self._thread = threading.Thread(target=self._read, args=(told,), daemon=True)
        self._thread.start()

    def _read(self, told: int) -> None:
        while data := os.read(told, 65_536):
            self._data += data

    def remove(self) -> None:
        """Remove it; the command has ended."""
        self._thread.join(timeout=0.2)
        for name in bytes(self._data).split(b"\0")[:-1]:
            path = Path(os.fsdecode(name))
            with suppress(OSError):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _wait(child: int, left: _Left, listened: set[signal.Signals]) -> tuple[int, str]:
    """Wait for the command; returns its exit code, and what is to be said of its end."""
    asked, until = None, 0.0
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        heard = signal.sigtimedwait(listened, max(0.01, until - monotonic()) if asked else 3_600)
        if heard and heard.si_signo in ENDING and asked is None:
            asked, until = signal.Signals(heard.si_signo), monotonic() + GRACE_S
            os.kill(child, asked)
        elif asked and monotonic() >= until:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            break
    code = os.waitstatus_to_exitcode(status)
    if asked is None and code >= 0:
        return code, ""
    left.remove()
    _show_cursor()
    if asked is None:
        return 128 - code, f"gate: ended by signal {-code} ({signal.strsignal(-code)})\n"
    words, expected = ENDING[asked]
    return expected, f"gate: {words}\n" if code != expected else ""


def _show_cursor() -> None:
    """A bar hides the cursor, and whatever ended by a signal did not show it again."""
    if os.isatty(2) and os.environ.get("TERM") not in ("dumb", "unknown"):  # noqa: TID251 - as what draws bars has it
        with suppress(OSError):
            os.write(2, SHOW_CURSOR)


def _exit(code: int, words: str) -> None:
    if words:
        with suppress(OSError):  # nobody may read it, and the code counts all the same
            os.write(2, words.encode())
    os._exit(code)
