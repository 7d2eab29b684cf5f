"""Ends work that takes too much: seconds of CPU of its thread or by the clock, or memory of the process."""

from __future__ import annotations

import ctypes
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

MAX_CPU_S, MAX_GROWTH = 60.0, 900_000_000
"""What one document may take to be read."""
LOOK_S = 0.05
AGAIN_S = 2.0
"""After so long it is ended again, should a library have taken the first end for an error of its own."""
_STATM = Path("/proc/self/statm")
_OF_CONTAINER = Path("/sys/fs/cgroup/memory.max")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096

T = TypeVar("T")


def _granted() -> float:
    """Bytes that a function of AWS, or a container, is granted: of one that takes more nobody hears why it ended."""
    if told := os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"):  # noqa: TID251
        return int(told) * 2.0**20
    try:
        return float(_OF_CONTAINER.read_text())  # "max": there is no limit
    except (OSError, ValueError):
        return float("inf")


MOST = 0.9 * _granted()
"""Bytes of the process, whatever a document may take."""


class TooMuchError(ValueError):
    """Work has taken more than it may; says of what."""


class _Ended(BaseException):
    """Raised in the thread that works; no `Exception`, which libraries catch."""


def watched(work: Callable[[], T], seconds: float, grown: int, wait: float = math.inf) -> T:
    """Do work in this thread, and end it when it has had so much CPU, or the process has grown by so many bytes.

    What runs in C is ended where it comes back. Memory is watched where Linux tells it.

    Args:
        work: what to do.
        seconds: of CPU.
        grown: bytes.
        wait: seconds by the clock.

    Raises:
        TooMuchError: it was ended.
    """
    watch = _Watch(seconds, grown, wait)
    try:
        try:
            watch.start()
            made = work()
        finally:
            watch.stop()
    except _Ended:
        watch.stop()
    if watch.why:  # also where a library took the end for an error of its own, and came back with a part
        raise TooMuchError(watch.why)
    return made


class SharedTime:
    """CPU for several documents: each may take as much as one may, and all of them no more than there is.

    Args:
        seconds: for all.
        each: for one.
    """

    def __init__(self, seconds: float, each: float) -> None:
        self._left, self._each = seconds, each

    def watched(self, work: Callable[[], T]) -> T:
        """Do the work for one of them, as `watched` does.

        Raises:
            TooMuchError: it was ended, or the others have left nothing.
        """
        if self._left <= 0:
            raise TooMuchError("comes after others that took too much to read")
        began = time.thread_time()
        try:
            return watched(work, min(self._each, round(self._left, 1)), MAX_GROWTH)
        finally:
            self._left -= time.thread_time() - began


class _Watch:
    def __init__(self, seconds: float, grown: int, wait: float) -> None:
        self._thread, self._done = threading.get_ident(), threading.Event()
        self._seconds = seconds
        begun = _memory()
        self._until, self._most = self._spent() + seconds, min(begun + grown, MOST)
        self._grown = max(0.0, self._most - begun)
        self._wait, self._latest = wait, time.monotonic() + wait
        self._watcher = threading.Thread(target=self._look, name="watched", daemon=True)
        self.why = ""

    def start(self) -> None:
        self._watcher.start()

    def stop(self) -> None:
        """Let go of the thread: what was raised in it last arrives here, and afterwards nothing does.

        It is not taken back: CPython 3.11 looks for it at every call then, and a profiled function never begins.
        """
        while True:
            try:
                self._done.set()
                self._watcher.join()
                return _call()
            except _Ended:
                continue

    def _spent(self) -> float:
        """Seconds of CPU of the thread; of the process where the system does not tell threads apart."""
        if not hasattr(time, "pthread_getcpuclockid"):
            return time.process_time()
        return time.clock_gettime(time.pthread_getcpuclockid(self._thread))

    def _look(self) -> None:
        while not self._done.wait(AGAIN_S if self.why else LOOK_S):
            if self._spent() > self._until:
                self.why = f"takes more than {self._seconds:g} s to read"
            elif time.monotonic() > self._latest:
                self.why = f"takes more than {self._wait:g} s by the clock to read"
            elif _memory() > self._most:
                self.why = f"takes more than {self._grown / 1e6:.0f} MB of memory to read"
            if self.why:
                _raise_in(self._thread, _Ended)


def _memory() -> int:
    """Bytes that the process holds, those left out that lie in files too: the system takes them back when it has to."""
    try:
        resident, shared = map(int, _STATM.read_text().split()[1:3])
        return (resident - shared) * _PAGE
    except OSError:
        return 0


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _call() -> None:
    """Where a thread calls a function, it raises what another one has left for it."""
