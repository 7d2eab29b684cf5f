"""The tree stays one that a reader finds a way in: no folder that is a drawer."""

from __future__ import annotations

from pathlib import Path

import gate

ROOT = Path(gate.__file__).parent
ONE_EACH = ("agents", "cli")
"""Folders with a module for each agent, and for each command."""


def test_no_folder_has_more_than_fifteen_modules() -> None:
    roots = (ROOT, ROOT.parents[1] / "infra")
    folders = [
        folder
        for root in roots
        for folder in (root, *root.rglob("*"))
        if folder.is_dir() and folder.name not in ONE_EACH
    ]
    counts = {folder: len([*folder.glob("[!_]*.py")]) for folder in folders}
    assert not {folder: count for folder, count in counts.items() if count > 15}
    assert counts[ROOT / "text"] > 5
