"""Several files are checked at the same time, and answered in the order in which they were given."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli
from gate.catalogue import MAX_CONCURRENCY
from gate.cli.inputs import Given
from gate.cli.parallel_files import Bars, in_order
from gate.errors import InputError
from gate.local.run import Limited

WAIT_S = 20
HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"


class Counted:
    """Counts how many are inside at once, and keeps each of them there for a moment."""

    def __init__(self) -> None:
        self.peak = self._now = 0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            self._now += 1
            self.peak = max(self.peak, self._now)
        time.sleep(0.05)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._now -= 1


def test_what_ends_first_waits_for_its_turn() -> None:
    second_done = threading.Event()

    def work(item: int) -> int:
        if item == 1:
            assert second_done.wait(WAIT_S)
        if item == 2:
            second_done.set()
        return item * 10

    assert list(in_order(work, [1, 2, 3], jobs=2)) == [10, 20, 30]


def test_there_are_as_many_at_once_as_asked_for_and_no_more() -> None:
    counted = Counted()

    def work(item: int) -> None:
        with counted:
            pass

    list(in_order(work, range(12), jobs=3))
    assert counted.peak == 3


def test_an_error_arrives_in_its_place_and_the_others_are_done() -> None:
    def work(item: int) -> int:
        if item == 2:
            raise ValueError("two")
        return item

    found = in_order(work, [1, 2, 3], jobs=3)
    assert next(found) == 1
    with pytest.raises(ValueError, match="two"):
        next(found)


def test_one_item_and_one_job_stay_in_the_thread_that_asks() -> None:
    here = threading.current_thread()
    assert list(in_order(lambda _: threading.current_thread(), [1], jobs=4)) == [here]
    assert list(in_order(lambda _: threading.current_thread(), [1, 2], jobs=1)) == [here, here]


@pytest.mark.parametrize(("agent", "peak"), [("verify_claims", MAX_CONCURRENCY), ("retrieve_evidence", 60)])
def test_runs_that_share_a_limit_verify_no_more_claims_at_once_than_one_run_would(agent: str, peak: int) -> None:
    counted, together = Counted(), threading.Barrier(60)

    def invoke(name: str, event: Any) -> dict[str, Any]:
        with counted:
            return {}

    limited = Limited(invoke)

    def call(_: int) -> None:
        together.wait(WAIT_S)
        limited(agent, {})

    with ThreadPoolExecutor(60) as pool:
        list(pool.map(call, range(60)))
    assert counted.peak <= peak
    assert counted.peak >= peak - 20


def test_files_are_checked_at_the_same_time_and_reported_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "content": "The sky is blue."}\n')
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("The sky is blue.")
    both = threading.Barrier(2)

    def run(record: Given, request: object, invoke: object) -> Any:
        both.wait(WAIT_S)
        time.sleep(0.1 if record.name == "a.md" else 0)
        raise InputError(f"{record.name}: seen")

    monkeypatch.setattr("gate.cli.check._run", run)
    result = CliRunner().invoke(cli.group, ["check", "a.md", "b.md", "--corpus", "corpus.jsonl", "--jobs", "2"])
    assert result.exit_code == 2
    assert result.stderr.splitlines() == ["gate: a.md: seen", "gate: b.md: seen"]


class Terminal(StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True

    def is_cursor_seen(self) -> bool:
        """Whether the cursor was shown after it was hidden last."""
        return self.getvalue().rfind(SHOWN) >= self.getvalue().rfind(HIDDEN)


def test_an_interrupt_leaves_the_terminal_with_its_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    bars, begun, go_on = Bars(quiet=False), threading.Event(), threading.Event()

    def check() -> None:
        with bars.over("a.md"):
            begun.set()
            assert go_on.wait(WAIT_S)
        with bars.over("b.md"):
            pass

    thread = threading.Thread(target=check)
    thread.start()
    assert begun.wait(WAIT_S)
    assert not terminal.is_cursor_seen()
    bars.end()
    assert terminal.is_cursor_seen()
    go_on.set()
    thread.join(WAIT_S)
    assert terminal.is_cursor_seen(), "a file that is begun after the end shows no bar"


def test_a_check_of_several_files_that_is_interrupted_shows_no_bar_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    ended: list[Bars] = []
    monkeypatch.setattr(Bars, "end", lambda self: ended.append(self))
    monkeypatch.setattr("gate.cli.check.in_order", interrupted)
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("The sky is blue.")
    (tmp_path / "c.jsonl").write_text('{"id": "1", "content": "The sky is blue."}\n')
    files = [str(tmp_path / name) for name in ("a.md", "b.md")]
    result = CliRunner().invoke(cli.group, ["check", *files, "--corpus", str(tmp_path / "c.jsonl")])
    assert result.exit_code == 130
    assert len(ended) == 1
