"""The recipes of docs/integrations.md as they stand there, and a harbour to try them on."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
FACTS = [f"Fact {number} holds." for number in range(25)]
"""An answer of 25 claims, the first five false: a judge that loses ten verdicts loses those (docs/comparison.md)."""
TRUE, FALSE = "Boats leave at nine.", "Boats leave at eleven."


def block(title: str, language: str = "python") -> str:
    """The code under a heading of the page."""
    (_, _, part) = PAGE.read_text(encoding="utf-8").partition(f"# {title}\n")
    found = re.search(rf"```{language}\n(.*?)```", part.partition("\n#")[0], re.DOTALL)
    if not found:
        raise LookupError(f"{PAGE.name} has no {language} under {title}")
    return found[1]


def harbour() -> Path:
    """Go to a new folder with a corpus `docs` that says when boats leave."""
    folder = Path(tempfile.mkdtemp())
    (folder / "docs").mkdir()
    (folder / "docs" / "harbour.md").write_text(TRUE, encoding="utf-8")
    os.chdir(folder)
    return folder


def run(title: str, **names: Any) -> dict[str, Any]:
    """Run the code under a heading in a harbour, with `names` of the reader's own; returns what it defines."""
    harbour()
    names["__name__"] = "__main__"  # a module that is there, for dataclasses
    exec(compile(block(title), f"{PAGE.name}: {title}", "exec"), names)
    return names


def fails(test: Any) -> str:
    """What a test says that must fail."""
    try:
        test()
    except AssertionError as error:
        return str(error)
    raise SystemExit("passed, and should have failed")
