"""A minute of fuzzing: mutants that are the same each time, at every target."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from gate.errors import InputError
from tests.documents import ROOT
from tests.fuzz.harness import Finding, attempt, names, target_named
from tests.fuzz.mutation import mutants

SECONDS = 6.0
"""Of CPU for each target; `make fuzz` gives each ten minutes, and looks for new ways."""


@pytest.mark.hostile
@pytest.mark.parametrize("name", names())
def test_no_mutant_does_anything_but_get_read_or_refused(name: str) -> None:
    target, ends = target_named(name), time.process_time() + SECONDS
    for data in mutants(target.SEEDS, random.Random(20261122)):
        attempt(target.read, data)
        if time.process_time() > ends:
            break


def loops(data: bytes) -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda data: int(data), "ValueError"),
        (lambda data: refuse("one\ntwo"), "several lines"),
        (loops, "not done after 0.2 s"),
    ],
)
def test_what_is_neither_read_nor_refused_in_a_line_is_a_finding(read: Callable[[bytes], object], why: str) -> None:
    with pytest.raises(Finding, match=why):
        attempt(read, b"x", seconds=0.2)


def test_an_input_that_takes_too_much_memory_is_a_finding() -> None:
    """In a process of its own: what this one has had already is no growth."""
    code = "from tests.fuzz.harness import attempt; attempt(lambda data: data * 200_000_000, b'x', memory=100_000_000)"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "bytes of memory" in ended.stderr


def test_what_is_read_or_refused_is_no_finding() -> None:
    attempt(bytes.decode, b"x")
    attempt(lambda data: refuse("one"), b"x")


def refuse(message: str) -> None:
    raise InputError(message)


def test_mutants_are_the_same_each_time_and_begin_with_the_seeds() -> None:
    first, second = (mutants([b"one", b"two"], random.Random(1)) for _ in range(2))
    found = [next(first) for _ in range(200)]
    assert found == [next(second) for _ in range(200)]
    assert found[:2] == [b"one", b"two"]
    assert len(set(found)) > 150


def test_there_is_a_target_for_each_thing_that_comes_from_outside() -> None:
    assert set(names()) >= {
        *("transcripts", "records", "streams", "markdown", "policies", "replies"),
        *("corpora", "repositories", "archives", "images"),
    }
