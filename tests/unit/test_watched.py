"""What takes too much is ended, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gate import watched as watching
from gate.adapters.readers import READERS, Found, Problem, documents, folders
from gate.adapters.readers.folders import LeftOut
from gate.errors import InputError
from gate.retrieval.passages import passage
from gate.services.paths.file_ledger import FileLedger
from gate.watched import TooMuchError, watched

A_GIGABYTE = 1_000_000_000


def spin(seconds: float) -> int:
    until, count = time.thread_time() + seconds, 0
    while time.thread_time() < until:
        count += 1
    return count


def test_work_that_takes_too_much_cpu_is_ended() -> None:
    before = time.thread_time()
    with pytest.raises(TooMuchError, match=r"^takes more than 0\.2 s to read$"):
        watched(lambda: spin(60), 0.2, A_GIGABYTE)
    assert time.thread_time() - before < 10


def hoard(held: list[bytes]) -> None:
    while len(held) < 500:
        held.append(bytes([1]) * 2_000_000)
        spin(0.01)


def test_work_that_takes_too_much_memory_is_ended() -> None:
    held: list[bytes] = []
    with pytest.raises(TooMuchError, match="takes more than 50 MB of memory to read"):
        watched(lambda: hoard(held), 60, 50_000_000)
    assert len(held) < 500


def test_work_in_a_function_is_ended_before_its_memory_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.watched.MOST", watching._memory() + 50_000_000)
    held: list[bytes] = []
    with pytest.raises(TooMuchError, match="takes more than 50 MB of memory to read"):
        watched(lambda: hoard(held), 60, A_GIGABYTE)
    assert len(held) < 500


def test_waiting_is_no_work() -> None:
    watched(lambda: time.sleep(0.3), 0.1, A_GIGABYTE)


def doze() -> None:
    for _ in range(200):
        time.sleep(0.05)


def test_waiting_is_ended_where_there_is_a_limit_by_the_clock() -> None:
    with pytest.raises(TooMuchError, match=r"^takes more than 0\.2 s by the clock to read$"):
        watched(doze, 60, A_GIGABYTE, wait=0.2)


def test_a_library_that_takes_its_end_for_an_error_is_ended_all_the_same() -> None:
    def stubborn() -> None:
        while True:
            with suppress(Exception):
                spin(1)

    with pytest.raises(TooMuchError):
        watched(stubborn, 0.1, A_GIGABYTE)


def test_what_a_library_gives_after_it_has_swallowed_its_end_is_not_taken_for_whole() -> None:
    def swallow() -> None:
        with suppress(BaseException):
            spin(60)

    with pytest.raises(TooMuchError):
        watched(swallow, 0.1, A_GIGABYTE)


def test_nothing_is_raised_once_the_work_is_done() -> None:
    for _ in range(30):
        with suppress(TooMuchError):
            watched(lambda: spin(0.05), 0.05, A_GIGABYTE)
        spin(0.01)


@pytest.mark.parametrize("seconds", [60, 0.1])
def test_what_has_been_watched_can_be_profiled(seconds: float) -> None:
    program = f"""
import sys, time
from contextlib import suppress
from pathlib import Path
from gate.watched import TooMuchError, watched
def work():
    until = time.thread_time() + 0.3
    while time.thread_time() < until: pass
with suppress(TooMuchError):
    watched(work, {seconds}, {A_GIGABYTE})
sys.setprofile(lambda *_: None)
work()
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "done\n"


def test_threads_beside_it_go_on() -> None:
    counts: list[int] = []
    beside = threading.Thread(target=lambda: counts.append(spin(0.5)))
    beside.start()
    with pytest.raises(TooMuchError):
        watched(lambda: spin(60), 0.1, A_GIGABYTE)
    beside.join()
    assert counts


def test_a_file_that_takes_a_reader_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(data: bytes, location: str) -> Iterator[Found]:
        spin(60)
        yield Problem(location, "read")

    monkeypatch.setattr(folders, "MAX_CPU_S", 0.2)
    monkeypatch.setitem(READERS, ".md", slow)
    assert [*folders.read(b"x", "a.md")] == [Problem("a.md", "takes more than 0.2 s to read")]


def test_files_of_a_corpus_that_take_too_long_together_are_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def slow(data: bytes, location: str) -> Iterator[Found]:
        if data:
            spin(0.3)
        yield passage({"id": location, "content": "Parcels sink."})

    for name in "abcd":
        (tmp_path / f"{name}.md").write_text("x")
    monkeypatch.setattr(folders, "MAX_CPU_S", 0.5)
    monkeypatch.setitem(READERS, ".md", slow)
    found = folders.whole(tmp_path)
    assert [each["id"] for each in found.passages] == ["a.md"]
    assert found.unread[-1] == LeftOut("d.md", "comes after others that took too much to read", 1)
    ledger = FileLedger("", {}).read(folders.inventory(tmp_path).files, [])
    assert [each for each in ledger if isinstance(each, Problem)][-1].why == found.unread[-1].why


def test_a_pdf_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_CPU_S", 0.2)
    monkeypatch.setattr(documents, "_pdf", lambda data: spin(60))
    with pytest.raises(InputError, match=r"^the PDF takes more than 0\.2 s to read$"):
        documents.read_document({"location": "a.pdf", "base64": "JVBERg=="})
