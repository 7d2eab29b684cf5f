"""What a test needs and this machine lacks."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def unavailable(reason: str) -> NoReturn:
    """Skip the test; fail it in CI, where nothing that matters is skipped."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
