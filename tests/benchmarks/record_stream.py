"""A file of many records, JSON Lines, read and checked: what memory it takes.

Records of 3 kB in OpenAI's form, each read, counted and let go, as `gate check traces.jsonl` takes them; then checked,
by the command, against a corpus of one passage. Each size in a process of its own. More than 1 GB takes
`GATE_MAX_BATCH_BYTES`.
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.benchmarks.table import Row
from tests.memory import most_memory

SLOW = True
SIZES_MB = (100, 3_000)
PACKED_MB = (100, 300)
RECORDS = (200, 800)
KINDS = 1_000
"""Texts that differ in more than a number."""
MOST_GROWTH = 1.05
ANSWER = "A berth costs 12 euro a night. "
WORDS = [f"word{number:03}" for number in range(1_000)]


def measure() -> list[Row]:
    """Read files of two sizes, plain and packed, and check two numbers of records."""
    rows = []
    with tempfile.TemporaryDirectory() as place:
        kinds = (("read", _read, SIZES_MB), ("read, packed", _read, PACKED_MB), ("checked", _check, RECORDS))
        for kind, work, sizes in kinds:
            peaks = []
            for size in sizes:
                path = Path(place) / f"records.jsonl{'.gz' if 'packed' in kind else ''}"
                count = size if work is _check else size * 1_000_000 // len(_line(0))
                _write(path, count)
                count, spent, peak = _apart(work, path)
                peaks.append(peak)
                called = f"{size} records" if work is _check else f"{size:,} MB, {count:,} records"
                rows.append(Row(f"{kind}: {called}", f"{spent:.1f} s, {peak:.0f} MB at most"))
            growth = peaks[1] / peaks[0]
            rows.append(Row(f"{kind}: growth", f"{growth:.2f} times", f"< {MOST_GROWTH}", growth < MOST_GROWTH))
    return rows


def _line(number: int) -> bytes:
    more = _more(number % KINDS)
    messages = [
        {"role": "user", "content": f"What does berth {number:09} cost?"},
        {"role": "assistant", "content": f"{ANSWER}{more}."},
    ]
    return json.dumps({"messages": messages}).encode() + b"\n"


@cache
def _more(kind: int) -> str:
    return " ".join(random.Random(kind).choices(WORDS, k=400))


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
    return count, time.perf_counter() - began, most_memory() / 1e6


def _read(path: Path) -> int:
    from gate.cli.inputs import read_records
    from gate.services.run import caps
    from gate.settings import Settings

    return sum(
        each.refused is None
        for each in read_records(path, caps(), max_batch=max(Settings().max_batch_bytes, path.stat().st_size))
    )


def _check(path: Path) -> int:
    from click.testing import CliRunner

    from gate import cli

    corpus = path.with_name("prices.txt")
    corpus.write_text(ANSWER)
    out = path.with_name("reports")
    CliRunner().invoke(cli.group, ["check", str(path), "--corpus", str(corpus), "-f", "json", "-o", str(out), "-q"])
    return len([*out.glob("*.json")])
