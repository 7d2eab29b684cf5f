"""The bar of commands that take a while."""

from __future__ import annotations

import io
import sys
from itertools import count
from pathlib import Path

import pytest

from gate.cli.progress import progress, searching
from gate.settings import Settings
from tests.entrance import Entrance


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def docs(entrance: Entrance, tmp_path: Path) -> Path:
    """A folder of two documents that nobody has checked against."""
    entrance.use(Settings(home=tmp_path / "home", embedder="none"))
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("fees", "refunds"):
        (folder / f"{name}.md").write_text(f"# About {name}\n\nAll {name} are paid within 14 days.\n")
    return folder


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


@pytest.mark.parametrize("quiet", [False, True])
def test_a_log_gets_a_line_a_minute(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    times = iter([0.0, 59.0, 61.0, 61.0, 100.0, 122.0, 122.0])
    monkeypatch.setattr("gate.cli.progress.time.monotonic", lambda: next(times))
    log = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", log)
        with progress("shop", quiet, "passages") as update:
            for done in (512, 1_024, 1_536):
                update(completed=done)
            update(advance=4, total=9_000)
    assert log.getvalue() == "gate: shop: 1,024 passages\ngate: shop: 1,540 of 9,000 passages\n"


@pytest.mark.parametrize("quiet", [False, True])
def test_a_log_is_told_how_far_the_first_use_of_a_folder_is(
    docs: Path, monkeypatch: pytest.MonkeyPatch, quiet: bool
) -> None:
    monkeypatch.setattr("gate.cli.progress.time.monotonic", count(step=61).__next__)
    log = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", log)
        with searching(str(docs), quiet=quiet) as index:
            assert index.startswith("docs-")
    assert log.getvalue() == "gate: docs: 0 of 2 files read\ngate: docs: 1 of 2 files read\n"


def test_a_terminal_is_shown_the_first_use_of_a_folder_and_not_the_second(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for shown in (True, False):
        terminal = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", terminal)
            with searching(str(docs)):
                seen = terminal.getvalue()
        assert ("1/2 files read" in seen) is shown


def test_a_folder_that_is_named_by_a_dot_is_told_by_its_name(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.cli.progress.time.monotonic", count(step=61).__next__)
    monkeypatch.chdir(docs)
    log = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", log)
        with searching("."):
            pass
    assert log.getvalue().startswith("gate: docs: 0 of 2 files read\n")
