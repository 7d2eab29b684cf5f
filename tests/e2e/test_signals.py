"""SIGTERM and Ctrl-C end any command within two seconds, whatever it is doing, and nothing stays behind."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from gate import cli
from tests.stubs.sockets import hang, serving

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the command has no process above it"),
]

FUNCTIONS = Path(cli.__file__).parents[2]
WITHIN_S = 2.0
OF_AN_INDEX = {".lock", ".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"}
"""Hidden files that stand in every index that is whole."""
HOLDING = """
import re, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run behind "&" hand on that it is ignored
from gate import cli
from gate.__main__ import main
command = cli.main

def hold():
    time.sleep(1)
    open("held", "w").close()
    re.match("(a+)+$", "a" * 64 + "b")  # for ever, and it keeps the interpreter's lock

def holding():
    threading.Thread(target=hold, daemon=True).start()
    command()

if {held}:
    cli.main = holding
main()
"""
COMMANDS = {
    "check": ["check", "a.md", "--corpus", "c.jsonl", "-o", "out.html"],
    "check of several": ["check", "a.md", "b.md", "--corpus", "c.jsonl", "-o", "out"],
    "index": ["index", "add", "c.jsonl", "--corpus", "birds"],
    "evaluate": ["evaluate", "set.jsonl"],
    "ask": ["ask", "Who flies?", "--corpus", "birds"],
    "cite": ["cite", "--segment", "segment.json", "--corpus", "birds"],
    "report": ["report", "abc", "--remote", "{url}"],
    "rerun": ["rerun", "abc", "--remote", "{url}"],
}
"""Each waits for a service that never answers."""


@pytest.fixture
def url() -> Iterator[str]:
    with serving(hang) as url:
        yield url


@pytest.fixture
def start(tmp_path: Path, url: str) -> Iterator[Callable[..., Started]]:
    with ExitStack() as stack:

        def start(arguments: list[str], *, held: bool) -> Started:
            command = Started(tmp_path, url, arguments, held=held)
            stack.callback(command.kill)
            return command

        yield start


class Started:
    """A command under way in a folder of its own."""

    def __init__(self, folder: Path, url: str, arguments: list[str], *, held: bool) -> None:
        self.folder = folder
        for name in ("a.md", "b.md"):
            (folder / name).write_text("The heron flies. The heron has two legs.")
        (folder / "c.jsonl").write_text(json.dumps({"id": "1", "content": "The heron flies on two legs."}) + "\n")
        labelled = {"claim": "The heron flies.", "evidence": "It flies.", "label": "supported"}
        (folder / "set.jsonl").write_text(json.dumps(labelled) + "\n")
        (folder / "segment.json").write_text(json.dumps({"use_case": "herons"}))
        (folder / "tmp").mkdir()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "AWS_"))},
            "PYTHONPATH": str(FUNCTIONS), "TMPDIR": str(folder / "tmp"), "GATE_HOME": str(folder / "home"),
            "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "GATE_REGION": "us-east-1",
            "GATE_MODEL": "bedrock:m", "GATE_MODEL_ENDPOINT": url, "GATE_EMBEDDER": "none",
        }  # fmt: skip
        if (folder / "bin").exists():
            environment |= {"PATH": f"{folder}/bin:{environment['PATH']}", "GATE_IMAGES": "tesseract"}
        if arguments[0] in ("ask", "cite", "index"):
            environment["GATE_SEARCH"] = url
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLDING.format(held=held), *(one.format(url=url) for one in arguments)],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip

    def wait_until_held(self) -> None:
        until = time.monotonic() + 30
        while not (self.folder / "held").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)

    def end(self, number: signal.Signals) -> tuple[float, int, str]:
        """Seconds until it ended, its exit code and what it said."""
        assert self._process.poll() is None, self._process.communicate()
        began = time.monotonic()
        self._process.send_signal(number)
        _, said = self._process.communicate(timeout=20)
        return time.monotonic() - began, self._process.returncode, said

    def kill(self) -> None:
        """End what a failed test would leave behind: the command, and the one that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def left(self) -> list[str]:
        """Files of no use to anybody."""
        places = [self.folder / "tmp", self.folder / "home" / "runs", self.folder / "out"]
        found = [path for place in places for path in place.rglob("*")]
        found += [path for path in self.folder.rglob(".*") if path.name not in {".gitignore", *OF_AN_INDEX}]
        return sorted(str(path.relative_to(self.folder)) for path in found)


@pytest.mark.parametrize("held", [False, True], ids=["waiting", "holding the lock"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_terminated_ends_within_two_seconds_and_leaves_nothing(
    start: Callable[..., Started], name: str, held: bool
) -> None:
    command = start(COMMANDS[name], held=held)
    if held:
        command.wait_until_held()
    else:
        time.sleep(4)
    seconds, code, said = command.end(signal.SIGTERM)
    assert code == 143, said
    assert said.splitlines()[-1] == "gate: terminated"
    assert seconds < WITHIN_S
    assert command.left() == []


@pytest.mark.parametrize("name", ["check", "ask", "report"])
def test_a_command_that_is_interrupted_ends_within_two_seconds_and_leaves_nothing(
    start: Callable[..., Started], name: str
) -> None:
    command = start(COMMANDS[name], held=True)
    command.wait_until_held()
    seconds, code, said = command.end(signal.SIGINT)
    assert (code, said.splitlines()[-1]) == (130, "gate: interrupted")
    assert seconds < WITHIN_S
    assert command.left() == []


def test_a_search_of_documents_that_holds_the_lock_is_ended_too(tmp_path: Path, start: Callable[..., Started]) -> None:
    for number in range(3_000):
        (tmp_path / f"d{number}.md").write_text("See `src/x.py`.\n" * 40)
    command = start(["audit-docs", ".", "--repo", "."], held=True)
    command.wait_until_held()
    seconds, code, _ = command.end(signal.SIGTERM)
    assert (code, seconds < WITHIN_S, command.left()) == (143, True, [])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_program_that_reads_an_image_ends_with_the_command(
    tmp_path: Path, start: Callable[..., Started], number: signal.Signals
) -> None:
    started, program = tmp_path / "started", tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho $$ > {started}\nexec sleep 60\n")
    program.chmod(0o755)
    picture = (FUNCTIONS.parent / "tests/unit/data/diagram.png").read_bytes()
    image = {"location": "a.png", "base64": base64.b64encode(picture).decode()}
    turns = [{"role": "assistant", "content": "The heron flies."}]
    (tmp_path / "image.json").write_text(json.dumps({"turns": turns, "artifacts": {"images": [image]}}))
    command = start(["check", "image.json", "--corpus", "c.jsonl"], held=False)
    until = time.monotonic() + 30
    while not (started.exists() and started.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    reading = Path("/proc", started.read_text().strip())

    seconds, _, _ = command.end(number)

    until = time.monotonic() + 2
    while reading.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not reading.exists()
    assert seconds < WITHIN_S


def test_a_command_ends_with_the_process_above_it(start: Callable[..., Started]) -> None:
    command = start(COMMANDS["check"], held=False)
    time.sleep(4)
    above = command._process.pid
    children = Path(f"/proc/{above}/task/{above}/children").read_text().split()
    assert len(children) == 1
    command._process.kill()
    command._process.communicate()
    until = time.monotonic() + 2
    while Path(f"/proc/{children[0]}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{children[0]}").exists()
