"""What a benchmark reports, as a Markdown table."""

from __future__ import annotations

import datetime
import platform
import re
from pathlib import Path
from typing import NamedTuple

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"


class Row(NamedTuple):
    """One figure: what was measured, the value as shown, the goal as shown, and whether the goal was met."""

    what: str
    value: str
    goal: str = ""
    met: bool | None = None


def render(name: str, doc: str, rows: list[Row]) -> str:
    """The section of a benchmark: title, command, date, machine and table."""
    title, _, rest = doc.strip().partition("\n")
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    lines = [
        f"## {title.rstrip('.')}",
        "",
        *([rest.strip(), ""] if rest.strip() else []),
        f"`make bench NAMES={name}`, {datetime.date.today().isoformat()}, two shared cores, {machine}.",
        "",
        "| what | measured | goal | |",
        "|---|---|---|---|",
        *(f"| {row.what} | {row.value} | {row.goal} | {_mark(row.met)} |" for row in rows),
        "",
    ]
    return "\n".join(lines)


def write(name: str, text: str) -> None:
    """Put a section into docs/benchmarks.md in place of its predecessor."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    section = f"{begin}\n{text}{end}\n"
    document = DOCUMENT.read_text() if DOCUMENT.exists() else "# Benchmarks\n"
    old = re.compile(re.escape(begin) + ".*?" + re.escape(end) + "\n", re.DOTALL)
    replaced = old.sub(lambda _: section, document) if old.search(document) else f"{document.rstrip()}\n\n{section}"
    DOCUMENT.write_text(replaced)


def _mark(met: bool | None) -> str:
    return "" if met is None else "met" if met else "**missed**"
