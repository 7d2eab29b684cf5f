"""What memory a process has, and had at most."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")
MAC = sys.platform == "darwin"


def memory_now() -> int:
    """Bytes that this process has now; where the system does not say, the most that it ever had."""
    return status("VmRSS") or most_memory()


def most_memory() -> int:
    """Bytes that this process had at most; what `getrusage` calls that on Linux counts the parent's too."""
    return status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if MAC else 1024)


def status(name: str) -> int:
    """A line of Linux's table of this process, in bytes; 0 elsewhere."""
    if not STATUS.exists():
        return 0
    return next(int(line.split()[1]) * 1024 for line in STATUS.read_text().splitlines() if line.startswith(name))
