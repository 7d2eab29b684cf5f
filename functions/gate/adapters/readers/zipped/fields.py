"""Fields of Word: what of them is no text, because their command alone is drawn, or stands in it.

A paragraph with one that is drawn, an equation, a sign or an entry of a list, is left out: to pass it over would say
something else.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LEFT_OUT = "paragraphs drawn from a field's command are not read"
_PARTS = tuple(f"{W}{name}" for name in ("fldChar", "instrText", "t"))
_DRAWN = ("EQ", "SYMBOL", "ADVANCE", "AUTONUM", "LISTNUM", "MACROBUTTON", "GOTOBUTTON", "FORMDROPDOWN", "FORMCHECKBOX")


def drawn_fields(root: Any) -> set[Any]:
    """The elements that such fields below `root` consist of."""
    drawn, open_fields = set[Any](), list[list[Any]]()
    for element in root.iter():
        what = element.get(f"{W}fldCharType")
        if element.tag == f"{W}fldSimple":
            drawn |= {element} if _is_drawn(element.get(f"{W}instr", "")) else set()
        elif what == "begin":
            open_fields.append([element])
        elif open_fields and element.tag in _PARTS:
            open_fields[-1].append(element)
            if what == "end":
                field = open_fields.pop()
                drawn |= {*field} if _is_drawn("".join(part.text or "" for part in field)) else set()
    return drawn


def empty_commands(root: Any, tags: Collection[str]) -> None:
    """Empty the elements called one of `tags` in the commands of fields, which may go on over paragraphs; a field that
    nobody ends is none."""
    marks = [element for element in root.iter() if element.tag in tags or element.tag == f"{W}fldChar"]
    whole, open_fields = set[Any](), list[Any]()
    for mark in marks:
        what = mark.get(f"{W}fldCharType")
        if what == "begin":
            open_fields.append(mark)
        elif what == "end" and open_fields:
            whole |= {mark, open_fields.pop()}
    unshown, results = 0, list[bool]()  # of each field around, whether its result has begun
    for mark in marks:
        what = mark.get(f"{W}fldCharType")
        if mark in whole and what == "begin":
            results.append(False)
            unshown += 1
        elif mark in whole:
            unshown -= not results.pop()
        elif what == "separate" and results and not results[-1]:
            results[-1] = True
            unshown -= 1
        elif unshown and what is None:
            mark.clear()


def _is_drawn(command: str) -> bool:
    return command.lstrip().upper().startswith(_DRAWN)
