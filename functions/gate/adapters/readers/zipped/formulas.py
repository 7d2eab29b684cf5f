"""Formulas within paragraphs of word processors: they are words of their sentence, and read where they are plain.

A paragraph with another one is left out: to pass the formula over would say something else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MATH = "{http://www.w3.org/1998/Math/MathML}math"
LEFT_OUT = "paragraphs with a formula that is no plain text were left out"
_PLAIN = {f"{M}{name}" for name in ("oMathPara", "oMath", "r", "t", "f", "num", "sSup", "sSub", "e")}
SIGNS = {f"{M}den": "/", f"{M}sup": "^", f"{M}sub": "_"}
"""What stands before a part of a formula."""


def is_plain(formula: Any) -> bool:
    """Whether a formula of Word is letters, figures, fractions and powers alone: nothing that is drawn around or
    through them, hidden, or set over each other."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        if one.tag == f"{M}fPr" and one.find(f"{M}type") is not None:
            return False
        if one.tag.startswith(M) and one.tag.endswith("Pr"):
            continue
        if one.tag.startswith(M) and one.tag not in _PLAIN and one.tag not in SIGNS:
            return False
        waiting.extend(one)
    return True


def paragraphs_with(root: Any, tags: Collection[str], what: Callable[[Any], bool]) -> list[Any]:
    """The outermost paragraphs, called one of `tags`, that hold such an element."""
    found = list[Any]()
    waiting: list[tuple[Any, Any]] = [(root, None)]
    while waiting:
        element, paragraph = waiting.pop()
        if paragraph is None and element.tag in tags:
            paragraph = element
        if paragraph is not None and what(element):
            found.append(paragraph)
        waiting.extend((child, paragraph) for child in element)
    return found
