"""The bar of commands that take a while."""

from __future__ import annotations

import io
import sys

import pytest

from gate.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_a_terminal_sees_how_far_it_is(terminal: Terminal) -> None:
    with progress("answer.md", False, "claims") as update:
        update(completed=3, total=4)
    with progress("corpus", False, "passages", total=None) as update:
        update(completed=512)
    assert "answer.md" in terminal.getvalue()
    assert "3/4 claims" in terminal.getvalue()
    assert "512 passages" in terminal.getvalue()


def test_who_asks_for_quiet_or_is_no_terminal_sees_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with progress("answer.md", True, "claims") as update:
        update(completed=3, total=4)
    assert terminal.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("answer.md", False, "claims") as update:
        update(advance=1)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
