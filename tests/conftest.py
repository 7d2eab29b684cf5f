"""What every test gets: no AWS or gate settings from outside, state in a temporary folder, no way off this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import hypothesis
import pytest

from gate.settings import Settings
from gate.wiring import Wiring
from tests.entrance import Entrance
from tests.opensearch_node.fixture import opensearch_url

pytest.register_assert_rewrite("tests.differential")  # where it fails, it says what was compared
# A machine that does other things too may be slow at any moment: time is budgeted per marker, not per example.
hypothesis.settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("random", deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


LONG = ("opensearch", "quality", "infra", "slow", "e2e", "browser", "integration", "hostile")
"""Markers, the longest first."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest: of several processes none then works long after the others ended."""
    rank: dict[Path, int] = {}
    for item in items:
        own = min((LONG.index(name) for name in LONG if item.get_closest_marker(name)), default=len(LONG))
        rank[item.path] = min(own, rank.get(item.path, own))
    items.sort(key=lambda item: rank[item.path])


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear AWS_* and GATE_* (GATE_DATA stays: it says where labelled data lies)."""
    for name in tuple(os.environ):
        if name.startswith(("AWS_", "GATE_")) and name != "GATE_DATA":
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def entrance(clean_environment: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Entrance]:
    """What the test works with; a thread that loses it would work with the settings of whoever runs the tests."""
    monkeypatch.setattr(Wiring, "_of_environment", lambda self: pytest.fail("the entrance got lost on the way"))
    with ExitStack() as stack:
        found = Entrance(stack, monkeypatch)
        found.use(Settings(home=tmp_path / "gate", embedder="none"))
        yield found


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections that would leave this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if isinstance(address, tuple) and not str(host).startswith(LOOPBACK):
            raise AssertionError(f"a test tried to connect to {host}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(scope="session")
def labelled_data() -> Path:
    """The folder of labelled data; the test is skipped where there is none."""
    folder = os.environ.get("GATE_DATA")
    if not folder:
        pytest.skip("GATE_DATA is not set: labelled data is not at hand")
    path = Path(folder)
    assert path.is_dir(), f"GATE_DATA={folder} is not a folder"
    return path


__all__ = ["opensearch_url"]
