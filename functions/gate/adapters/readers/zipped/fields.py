"""Fields of Word that are drawn from their command and have no result: an equation, a sign, an entry of a list.

A paragraph with one is left out: to pass the field over would say something else.
"""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LEFT_OUT = "paragraphs with a field that is drawn from its command were left out"
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


def _is_drawn(command: str) -> bool:
    return command.lstrip().upper().startswith(_DRAWN)
