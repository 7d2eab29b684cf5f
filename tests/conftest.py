"""What every test gets: no AWS or gate settings from outside, state in a temporary folder, no way off this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from opensearch_node.fixture import opensearch_url

from gate import wiring
from gate.settings import Settings

# A machine that does other things too may be slow at any moment: time is budgeted per marker, not per example.
hypothesis.settings.register_profile("steady", deadline=None)
hypothesis.settings.load_profile("steady")

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Clear AWS_* and GATE_* (GATE_DATA stays: it says where labelled data lies); keep state in a temporary folder."""
    for name in tuple(os.environ):
        if name.startswith(("AWS_", "GATE_")) and name != "GATE_DATA":
            monkeypatch.delenv(name)
    wiring.configure(Settings(home=tmp_path / "gate", embedder="none"))
    yield
    wiring.configure(None)


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
