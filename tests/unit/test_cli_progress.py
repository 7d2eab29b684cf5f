"""The bar of commands that take a while."""

from __future__ import annotations

import io
import sys

import pytest

from gate.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO, *, quiet: bool = False) -> str:
    """What a terminal, or what is none, gets to see of two bars."""
    monkeypatch.setenv("TERM", "xterm")
    with monkeypatch.context() as patched:  # in the test itself: pytest sets the stream anew after every fixture
        patched.setattr(sys, "stderr", stderr)
        with progress("answer.md", quiet, "claims") as update:
            update(completed=3, total=4)
        with progress("corpus", quiet, "passages") as update:
            update(advance=512)
    return stderr.getvalue()


def test_a_terminal_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = printed(monkeypatch, Terminal())
    assert "answer.md" in seen
    assert "3/4 claims" in seen
    assert "512 passages" in seen


def test_who_asks_for_quiet_or_is_no_terminal_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, Terminal(), quiet=True) == ""
    assert printed(monkeypatch, io.StringIO()) == ""
