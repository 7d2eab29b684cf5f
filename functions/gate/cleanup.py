"""What a command that ends early leaves behind, told to the process that watches over it, which removes it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_programs: set[subprocess.Popen[bytes]] = set()
_told_to: int | None = None


def tell(descriptor: int | None) -> None:
    """From now on tell the reader of this pipe; None: nobody."""
    global _told_to
    _told_to = descriptor


def note(path: Path) -> None:
    """A file or folder that is of no use to anybody once this process has ended early."""
    line = os.fsencode(path.absolute()) + b"\0"
    if _told_to is not None and len(line) <= 4_096:  # as much as is written at once
        os.write(_told_to, line)


@contextmanager
def ending_with_us(program: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A program that was started, and ends where the block ends or the command does."""
    _programs.add(program)
    try:
        with program:
            try:
                yield program
            finally:
                program.kill()
    finally:
        _programs.discard(program)


def end_programs() -> None:
    """End the programs that threads wait for: this process ends at once, and they would go on."""
    for program in list(_programs):
        program.kill()
