"""Reads images with Tesseract, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from subprocess import DEVNULL, PIPE

from gate.adapters.images import checked
from gate.cleanup import ending_with_us
from gate.errors import InputError, SettingsError

if sys.platform == "linux":
    import resource

TIMEOUT_S = 60
MAX_MEMORY = 1_000_000_000
"""Bytes of its addresses: an image of `images.MAX_PIXELS` takes 600 MB, and one whose frames are larger than its head
says would take whatever it likes."""


def installed() -> bool:
    """Whether the command is there."""
    return shutil.which("tesseract") is not None


class TesseractReader:
    """An `ImageReader` over the `tesseract` command."""

    name = "tesseract"

    def __init__(self) -> None:
        command = shutil.which("tesseract")
        if command is None:
            raise SettingsError(
                "GATE_IMAGES: tesseract is not installed", hint="install tesseract-ocr, or GATE_IMAGES=none"
            )
        self._command = command

    def read(self, image: bytes, media_type: str) -> str:
        """Return the text seen in the image, line by line."""
        del media_type
        checked(image)
        command = [self._command, "stdin", "stdout", "--psm", "11"]
        environment = {"PATH": os.defpath, "OMP_THREAD_LIMIT": "1"}
        started = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment)
        with ending_with_us(started) as running:
            _limit(running.pid)
            try:
                said, _ = running.communicate(image, timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                raise InputError(f"the image could not be read in {TIMEOUT_S} s") from None
        if running.returncode:
            raise InputError("the image is damaged, or takes too much to be read")
        return said.decode("utf-8", "replace").strip()


def _limit(process: int) -> None:
    """Bound what a process may take, before it has read anything; on Linux. A lower bound of this machine stays."""
    if sys.platform == "linux":
        for kind, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CPU, TIMEOUT_S)):
            _, allowed = resource.prlimit(process, kind)
            most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
            resource.prlimit(process, kind, (most, most))
