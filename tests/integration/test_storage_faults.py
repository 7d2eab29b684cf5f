"""An index with two writers, or on a disk that is full or breaks, or losing its writer at any step.

What is served is the index from before or the one from after, whole, and whoever was refused has read one line.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gate.adapters.embedded import EmbeddedSearch
from gate.adapters.embedded import index_manifest as manifests
from tests.integration.fault_worker import DONE, KILLED, OPERATIONS, REFUSED, UNTOUCHED, passages, vectors

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are forked, and files limited, as POSIX does it"),
]

WORKER = Path(__file__).with_name("fault_worker.py")
Content = dict[str, str] | None


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A store of one index, in the folder that the blobs lie in."""
    root = tmp_path / "base" / "indexes"
    EmbeddedSearch(root).index_documents(passages(20, "falcon"), "birds", vectors=vectors(20), embedder="e")
    return root


def content(root: Path) -> Content:
    """What a new process is served, found by words, by vector and by id; None: there is no index."""
    store = EmbeddedSearch(root)
    if not store.exists("birds"):
        return None
    store.check("birds")
    ids = sorted(store.ids("birds"))
    found = [
        store.search_docs("number flew", "birds", k=1_000),
        store.vector_search(vectors(1)[0], "birds", k=1_000),
    ]
    by_words, by_vector = ({each["id"]: each["content"] for each in some} for some in found)
    assert by_words == by_vector
    assert sorted(by_words) == ids
    return by_words


def rounds(base: Path, out: Path, operation: str, fault: str) -> list[tuple[Path, int, str]]:
    """The folder of every round, how its writer ended, and what it said."""
    ran = subprocess.run(
        [sys.executable, str(WORKER), str(base), str(out), operation, fault],
        stdout=subprocess.PIPE, text=True, check=True, timeout=500,
    )  # fmt: skip
    lines = [line.rpartition("\t") for line in ran.stdout.splitlines()]
    return [(out / f"{at:03}", int(status), said) for at, (said, _, status) in enumerate(lines)]


def afterwards(base: Path, operation: str, tmp_path: Path) -> Content:
    """What is served when nothing goes wrong."""
    (tmp_path / "whole").mkdir()
    [(root, status, _)] = rounds(base, tmp_path / "whole", operation, "nothing")[-1:]
    assert status == UNTOUCHED
    return content(root)


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        *((operation, fault) for operation in OPERATIONS for fault in ("killed", "full")),
        *(("add", fault) for fault in ("broken", "limit")),
    ],
)
def test_whatever_step_goes_wrong_an_index_is_the_old_one_or_the_new_one(
    base: Path, tmp_path: Path, operation: str, fault: str
) -> None:
    before = content(base)
    if operation == "read":
        columns = next(base.glob("birds/*.columns"))
        columns.write_bytes(b"\x00" * columns.stat().st_size)
        after = before
    else:
        after = afterwards(base, operation, tmp_path)
        assert after != before
    (tmp_path / "out").mkdir()
    ends = rounds(base, tmp_path / "out", operation, fault)
    assert len(ends) > 3
    for root, status, said in ends:
        now = content(root)
        if status == KILLED:
            assert fault == "killed"
            assert now in (before, after)
        elif status == REFUSED:
            assert "folder cannot be used: " in said
            assert now in (before, after)
        else:
            assert status in (DONE, UNTOUCHED)
            assert now == after
    # Whatever a writer left behind, the next one works, and removes it.
    for root, _, _ in ends:
        store = EmbeddedSearch(root)
        store.index_documents(passages(1, "owl", first=90), "birds", vectors=vectors(1), embedder="e")
        assert store.search_docs("owl", "birds", k=1)[0]["id"] == "p90"
        on_disk = {
            path.relative_to(root / "birds").as_posix() for path in (root / "birds").rglob("*") if path.is_file()
        }
        assert {name for name in on_disk if not name.endswith(".lock")} == {*store.check("birds").files, manifests.NAME}


def test_two_writers_at_once_lose_nothing_that_either_was_told_is_stored(base: Path) -> None:
    """Each adds batches to the same index as fast as it can; who is told that another one is writing tries again."""
    script = """
import sys
from pathlib import Path
from fault_worker import EmbeddedSearch, passages, vectors
from gate.errors import SearchUnavailableError
store, first = EmbeddedSearch(Path(sys.argv[1])), int(sys.argv[2])
refused = 0
for batch in range(20):
    while True:
        try:
            store.index_documents(passages(5, "owl", first + 5 * batch), "birds", vectors=vectors(5), embedder="e")
            break
        except SearchUnavailableError:
            refused += 1
print(refused)
"""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(base), first], stdout=subprocess.PIPE, text=True, cwd=WORKER.parent
        )
        for first in ("1000", "2000")
    ]
    refused = [int(writer.communicate(timeout=300)[0]) for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert sum(refused) > 0
    found = content(base)
    assert found is not None
    assert set(found) == {f"p{n}" for n in (*range(20), *range(1_000, 1_100), *range(2_000, 2_100))}
