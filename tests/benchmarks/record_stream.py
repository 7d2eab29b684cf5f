"""A file of many records, JSON Lines, read and checked: what memory it takes.

Records of 3 kB in OpenAI's form, each read, counted and let go, as `gate check traces.jsonl` takes them; then checked,
by the command, against a corpus of one passage. Each size in a process of its own. What does not grow from 100 MB to
300 MB, or from 200 records to 800, does not grow with 3 GB; those take `GATE_MAX_BATCH_BYTES`, which is 1 GB else.
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.table import Row

SLOW = True
SIZES_MB = (100, 300)
RECORDS = (200, 800)
MOST_GROWTH = 1.05
ANSWER = "A berth costs 12 euro a night. "
WORDS = [f"word{number:03}" for number in range(1_000)]


def measure() -> list[Row]:
    """Read files of two sizes, plain and packed, and check two numbers of records."""
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for kind, work in (("read", _read), ("read, packed", _read), ("checked", _check)):
            peaks = []
            for size in RECORDS if work is _check else SIZES_MB:
                path = Path(place) / f"records.jsonl{'.gz' if 'packed' in kind else ''}"
                count = size if work is _check else size * 1_000_000 // len(_line(0))
                _write(path, count)
                count, spent, peak = _apart(work, path)
                peaks.append(peak)
                called = f"{size} records" if work is _check else f"{size} MB, {count:,} records"
                rows.append(Row(f"{kind}: {called}", f"{spent:.1f} s, {peak:.0f} MB at most"))
            growth = peaks[1] / peaks[0]
            rows.append(Row(f"{kind}: growth", f"{growth:.2f} times", f"< {MOST_GROWTH}", growth < MOST_GROWTH))
    return rows


def _line(number: int) -> bytes:
    more = " ".join(random.Random(number).choices(WORDS, k=400))
    messages = [
        {"role": "user", "content": f"What does berth {number:09} cost?"},
        {"role": "assistant", "content": f"{ANSWER}{more}."},
    ]
    return json.dumps({"messages": messages}).encode() + b"\n"


def _write(path: Path, count: int) -> None:
    with gzip.open(path, "wb", compresslevel=1) if path.suffix == ".gz" else path.open("wb") as file:
        for number in range(count):
            file.write(_line(number))


def _apart(work: Callable[[Path], int], path: Path) -> tuple[int, float, float]:
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_measured, (work, path))


def _measured(work: Callable[[Path], int], path: Path) -> tuple[int, float, float]:
    began = time.perf_counter()
    count = work(path)
    return count, time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _read(path: Path) -> int:
    from gate.cli.inputs import read_records
    from gate.services.run import caps
    from gate.settings import Settings

    return sum(each.refused is None for each in read_records(path, caps(), max_batch=Settings().max_batch_bytes))


def _check(path: Path) -> int:
    from click.testing import CliRunner

    from gate import cli

    corpus = path.with_name("prices.txt")
    corpus.write_text(ANSWER)
    out = path.with_name("reports")
    CliRunner().invoke(cli.group, ["check", str(path), "--corpus", str(corpus), "-f", "json", "-o", str(out), "-q"])
    return len([*out.glob("*.json")])
