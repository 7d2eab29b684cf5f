"""Says where documents have too long lines of prose: `python -m tests.prose`, part of `make check`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / ".github").glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "training" / "README.md",
    ]
)
LONGEST = 200
EXCEPTED = re.compile(r"(?<=\])\([^)\s]*\)|(`+)[^`]+\1")
"""Targets of links, and code."""
FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def long_prose(path: Path) -> Iterator[str]:
    """Name the lines of a document that are too long; tables, code and the targets of links may be longer."""
    fence = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif not line.lstrip().startswith("|") and len(EXCEPTED.sub("", line)) > LONGEST:
            place = f"{path.relative_to(ROOT).as_posix()}:{number}"
            yield f"{place}: {len(line)} characters; wrap the line at about 120 ({LONGEST} at most)"


if __name__ == "__main__":
    sys.exit("\n".join(found for document in DOCUMENTS for found in long_prose(document)) or 0)
