"""Reads images with Tesseract, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess

from gate.adapters.images import checked
from gate.errors import InputError, SettingsError

TIMEOUT_S = 60


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
        try:
            done = subprocess.run(
                [self._command, "stdin", "stdout", "--psm", "11"],
                input=image,
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
                env={"PATH": os.defpath, "OMP_THREAD_LIMIT": "1"},
            )
        except subprocess.TimeoutExpired:
            raise InputError(f"the image could not be read in {TIMEOUT_S} s") from None
        if done.returncode:
            raise InputError("the image is damaged")
        return done.stdout.decode("utf-8", "replace").strip()
