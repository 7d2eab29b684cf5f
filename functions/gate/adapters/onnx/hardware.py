"""Which processor this is: weights packed for one kind give wrong figures on another, and nothing would say so."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path

CPU_INFO = Path("/proc/cpuinfo")
READ = 16_384
"""Bytes of it: the first of the processors is told in less."""
KINDS = frozenset({"vendor_id", "cpu family", "model", "flags"})
"""What x86 tells of what a processor can do."""
ARM_KINDS = frozenset({"CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"})
DIGITS = 12


@cache
def processor() -> str:
    """A digest of the kind of processor and of what it can do; empty where the system tells neither (not Linux)."""
    try:
        with CPU_INFO.open("rb") as file:
            told = file.read(READ).decode("utf-8", "replace")
    except OSError:
        return ""
    fields = dict(_field(line) for line in told.partition("\n\n")[0].splitlines())
    known = {name: value for name, value in fields.items() if name in KINDS | ARM_KINDS}
    if not known.keys() & {"flags", "Features"}:
        return ""
    return hashlib.sha256(repr((platform.machine(), sorted(known.items()))).encode()).hexdigest()[:DIGITS]


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()
