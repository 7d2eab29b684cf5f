"""A name of the package stands for one thing, and says which."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "functions" / "gate"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not path.stem.startswith("__"))
SHARED_MODULES = {"model", "passages", "run"}
SHARED_CLASSES = {"Passage", "Reading", "Sentence"}
"""What still stands for two things; nothing joins them."""
RIDDLES = {"of", "said", "shown", "who", "whom", "kept", "standing", "over", "one", "aside", "settled", "absent"}


def repeated(names: Iterator[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


@cache
def definitions(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


def test_no_two_modules_bear_one_name() -> None:
    assert repeated(path.stem for path in MODULES) <= SHARED_MODULES


def test_no_two_public_classes_bear_one_name() -> None:
    classes = (node.name for path in MODULES for node in definitions(path) if isinstance(node, ast.ClassDef))
    assert repeated(name for name in classes if not name.startswith("_")) <= SHARED_CLASSES


def test_no_function_is_named_by_a_riddle() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in MODULES
        for node in definitions(path)
        if isinstance(node, ast.FunctionDef) and node.name.removeprefix("_") in RIDDLES
    }
    assert not found
