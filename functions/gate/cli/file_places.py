"""Where a passage of a corpus stands: the file, and the line where that can be told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MAX_BYTES = 5_000_000
"""Of a file in which a passage's line is sought."""
LEAST = 12
"""Characters of a line of a passage that tell where it stands."""


def place_of_passage(passage: Mapping[str, Any], corpus: str | None) -> dict[str, Any]:
    """Return `file`, and `line` (from 1) where a line of the passage stands in it as it is written; else nothing.

    A row brings whatever id it likes: what lies outside, or is hidden, is not looked at.

    Args:
        corpus: the path that was searched; a corpus by name names its files by their paths from here.
    """
    from gate.adapters.readers.folders import is_inside

    document = str(passage["id"]).partition("#")[0]
    root = Path(corpus) if corpus is not None and Path(corpus).exists() else Path()
    file = root if root.is_file() and root.name == document else root / document
    try:
        is_part = file == root or is_inside(Path(os.path.realpath(file)), Path(os.path.realpath(root)))
        if not is_part or not file.is_file():
            return {}
        text = file.read_bytes().decode("utf-8") if file.stat().st_size <= MAX_BYTES else ""
    except (OSError, ValueError):  # a name that no file can have, or no text
        text = ""
    at = -1
    for line in str(passage["content"]).splitlines()[:40]:
        if len(line.strip()) >= LEAST and (at := text.find(line.strip())) >= 0:
            break
    return {"file": file.as_posix()} | ({"line": text.count("\n", 0, at) + 1} if at >= 0 else {})
