"""Tells what the process did while a repository was read.

Python itself reports each file that it opens, each folder that it lists, each process and each connection (PEP 578).
The calls of the system are watched from outside, with strace: `python -m tests.hostile.observer < readings.json` reads
one repository after the other, and looks for a file `/reading/N` before the N-th, which shows in the trace.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate.adapters.repositories import open_repository
from gate.errors import InputError
from gate.repository.manifest import Repository

WATCHED = frozenset({"open", "os", "subprocess", "socket", "shutil", "pty", "ctypes", "tempfile", "webbrowser"})
"""Events that reach beyond the interpreter, by what stands in front of the first dot."""
READING = frozenset({"open", "os.listdir", "os.scandir"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass
class Observed:
    """One reading.

    Attributes:
        repository: what was read; None: it was refused.
        refusal: why.
        looked_at: files that were opened and folders that were listed.
        done: everything else: processes, connections, files opened to be written, removed or renamed.
        seconds: of the processor.
    """

    repository: Repository | None = None
    refusal: str = ""
    looked_at: set[str] = field(default_factory=set)
    done: list[str] = field(default_factory=list)
    seconds: float = 0.0


_now: tuple[int, Observed] | None = None


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _now is None or _now[0] != threading.get_ident() or event.partition(".")[0] not in WATCHED:
        return
    place = arguments[0] if arguments else None
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
    if event in READING and not writes:
        if isinstance(place, str | bytes):  # a number is a file that was opened before
            _now[1].looked_at.add(os.fsdecode(place))
    else:
        _now[1].done.append(f"{event} {arguments}")


def observed(artifact: dict[str, Any], root: str | None) -> Observed:
    """Read a repository and tell what was done."""
    global _now
    if not _hooked:
        sys.addaudithook(_watch)
        _hooked.append(True)
        open_repository({"kind": "worktree", "path": str(Path.cwd())})  # what is imported on first use
    reading = Observed()
    began = time.process_time()
    _now = (threading.get_ident(), reading)
    try:
        reading.repository = open_repository(artifact, root)
    except InputError as error:
        reading.refusal = error.safe_message
    finally:
        _now = None
    reading.seconds = time.process_time() - began
    return reading


_hooked: list[bool] = []


def main() -> None:
    """Read what the standard input lists; print the most memory that was used, in kilobytes."""
    observed({"kind": "files", "files": []}, None)  # whatever is done once
    for number, (artifact, root) in enumerate(json.load(sys.stdin)):
        Path(f"/reading/{number}").exists()
        observed(artifact, root)
    Path("/reading/end").exists()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


CALL = re.compile(r"^\d+ +(?P<call>\w+)\((?P<rest>.*)")
HARMLESS = ("getcwd",)
PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
OPEN = re.compile(r'^"/proc/self/fd/\d+", ')
"""Before the place of a file that is open already, which is what the call tells."""


def traced(log: str) -> list[list[tuple[str, str, str]]]:
    """The calls of each reading in a trace that name a file, or none: the call, the path, the line."""
    readings: list[list[tuple[str, str, str]]] = []
    for line in log.splitlines():
        if '"/reading/' in line:
            readings.append([])
        elif readings and (match := CALL.match(line)) and match["call"] not in HARMLESS:
            path = PATH.search(OPEN.sub("", match["rest"]))
            if match["call"] != "newfstatat" or (path and path[1]):  # the status of an open file
                readings[-1].append((match["call"], path[1] if path else "", line))
    return readings[:-1]


if __name__ == "__main__":
    main()
