"""What is done beside the rest of a run, and is done before its answer."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from gate.adapters.later import Later, doing_later, put_off
from gate.adapters.local_files import FolderBlobStore
from gate.adapters.verdict_cache import PREFIX, CachedVerifier
from gate.errors import StorageUnavailableError
from gate.model import Document
from tests.fakes.model import WordVerifier


def test_where_nobody_waits_in_the_end_work_is_done_at_once() -> None:
    done: list[int] = []
    put_off(lambda: done.append(1))
    assert done == [1]


def test_work_that_is_put_off_holds_nobody_up_and_is_done_in_the_end() -> None:
    goes_on, done = threading.Event(), list[bool]()
    with doing_later(Later()):
        put_off(lambda: done.append(goes_on.wait(10)))
        assert not done
        goes_on.set()
    assert done == [True]


def test_after_the_end_work_is_done_at_once() -> None:
    later, done = Later(), list[str]()
    with doing_later(later):
        pass
    later.do(lambda: done.append(threading.current_thread().name))
    assert done == [threading.current_thread().name]


def test_an_error_of_what_was_put_off_is_raised_in_the_end_and_the_rest_is_done() -> None:
    def fail() -> None:
        raise StorageUnavailableError("no")

    later, done = Later(), list[int]()
    later.do(fail)
    later.do(lambda: done.append(1))
    with pytest.raises(StorageUnavailableError):
        later.end()
    assert done == [1]


def test_a_verdict_is_given_before_it_is_kept_and_kept_in_the_end(tmp_path: Path) -> None:
    class Slow(FolderBlobStore):
        goes_on = threading.Event()

        def put(self, key: str, data: bytes, *, content_type: str = "application/json") -> None:
            assert self.goes_on.wait(10)
            super().put(key, data, content_type=content_type)

    store = Slow(tmp_path, lasting=True)
    verifier, documents = CachedVerifier(WordVerifier(), store), list[Document]([{"content": "It is red."}])
    with doing_later(Later()):
        given = verifier.judge("It is red.", "", documents)
        assert store.keys(PREFIX) == []
        store.goes_on.set()
    assert len(store.keys(PREFIX)) == 1
    again = verifier.judge("It is red.", "", documents)
    assert (again.answer, again.usage) == (given.answer, {"cached": 1})
