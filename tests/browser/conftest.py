"""The browser of these tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.availability import unavailable
from tests.browser.driver import FLAGS, Browser


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser; where there is none the tests are skipped, and in CI they fail."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        unavailable("chromium is not installed")
    return found


@pytest.fixture
def browser(chromium: str, tmp_path: Path) -> Iterator[Browser]:
    """A page of it, as wide as a desk's screen, whose main thread's CPU is counted."""
    with Browser([chromium, *FLAGS], tmp_path / "profile") as browser:
        browser.call("Performance.enable", timeDomain="threadTicks")
        browser.screen(1440, 900)
        yield browser
