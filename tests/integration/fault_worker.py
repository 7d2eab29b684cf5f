"""Writes to an index again and again, and each time something goes wrong one step later than the time before.

`python fault_worker.py BASE OUT OPERATION FAULT`: every round takes a copy of the folder BASE, `OUT/000`, `OUT/001` …,
and an operation on its index `birds` in a process of its own. Prints a line a round: what was said, and how it ended.
A step is anything that changes the disk: a file opened for writing, a flush, a rename, a folder made, a file removed.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gate.adapters.embedded import EmbeddedSearch
from gate.errors import GateError

STEPS = {"os.rename", "os.mkdir", "os.link", "os.remove", "os.rmdir", "os.utime", "shutil.copyfile"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
DONE, REFUSED, UNTOUCHED, KILLED = 0, 2, 4, -signal.SIGKILL
LIMITS = [0, 1, 10, 100, 300, 1_000, 2_000, 3_000, 5_000, 10_000, 100_000]
"""Bytes that a file may have, where the disk is full for whoever writes more: Rust's half of the store too."""


def passages(count: int, word: str, first: int = 0) -> list[dict[str, str]]:
    """Numbered passages about a word."""
    return [{"id": f"p{n}", "content": f"The {word} number n{n} flew."} for n in range(first, first + count)]


def vectors(count: int) -> np.ndarray:
    """A vector for each."""
    return np.random.default_rng(0).normal(size=(count, 32)).astype(np.float32)


def add(store: EmbeddedSearch) -> None:
    """Replace five passages and add five."""
    store.index_documents(passages(10, "heron", first=15), "birds", vectors=vectors(10), embedder="e")


def replace(store: EmbeddedSearch) -> None:
    """Put others in the place of all."""
    store.index_documents(passages(10, "heron", 15), "birds", vectors=vectors(10), embedder="e", replace=True)


def delete(store: EmbeddedSearch) -> None:
    """Remove a passage."""
    store.delete_documents(["p15"], "birds")


def drop(store: EmbeddedSearch) -> None:
    """Remove the index."""
    store.delete("birds")


def read(store: EmbeddedSearch) -> None:
    """Open the index; one that is damaged is written anew."""
    store.count("birds")


OPERATIONS: dict[str, Callable[[EmbeddedSearch], None]] = {
    function.__name__: function for function in (add, replace, delete, drop, read)
}


def install(step: int, fault: str) -> Callable[[], bool]:
    """Let `fault` happen when this process takes its step number `step`, counted from 0; tells whether it did."""
    taken = -1

    def count() -> None:
        nonlocal taken
        taken += 1
        if fault == "killed" and taken == step:
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "full" and taken >= step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if fault == "broken" and taken == step:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        # A full disk still lets go of files.
        freeing = event in ("os.remove", "os.rmdir")
        if (event in STEPS and not (freeing and fault == "full")) or (event == "open" and arguments[2] & WRITING):
            count()

    flush = os.fsync

    def fsync(fd: Any) -> None:
        count()
        flush(fd)

    os.fsync = fsync
    sys.addaudithook(audit)
    return lambda: taken >= step


def child(root: Path, operation: str, step: int, fault: str) -> int:
    """Take one round; returns the exit status."""
    if fault == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMITS[step], LIMITS[step]))
    went_wrong = install(step, fault)
    try:
        OPERATIONS[operation](EmbeddedSearch(root))
    except GateError as error:
        os.write(1, f"{error.safe_message}\t".encode())
        return REFUSED
    return DONE if went_wrong() or fault == "limit" else UNTOUCHED


def main() -> None:
    """Go on until a round meets no fault any more."""
    base, out, operation, fault = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    for step in range(len(LIMITS) if fault == "limit" else 1_000):
        root = out / f"{step:03}"
        shutil.copytree(base, root)
        if not (process := os.fork()):
            os._exit(child(root, operation, step, fault))
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        os.write(1, f"{status}\n".encode())
        if status == UNTOUCHED:
            return


if __name__ == "__main__":
    main()
