"""Numbers as the format of their cell shows them: thousands where it counts in thousands, nothing where it hides them.

All digits of a number are kept: how far a column is rounded is a matter of its width.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

LONGEST = 255
"""Characters of a format; programs write no longer one."""
_PARTS = re.compile(
    r'"(?P<quoted>[^"]{0,255})"?|\\(?P<one>.)|\[\$(?P<money>[^\]-]{0,30})(?:-[^\]]{0,30})?\]|\[(?P<about>[^\]]{0,30})\]'
    r"|[_*](?:.|$)|(?P<end>;)|(?P<number>General|[0#?][0#?.,]{0,255})|(?P<other>.)",
    re.DOTALL | re.IGNORECASE,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s{0,9}(-?\d{1,20}(?:\.\d{1,20})?)")
_HOLDS = {"<": lt, ">": gt, "=": eq, "<=": le, ">=": ge, "<>": ne}


class FormatSection(NamedTuple):
    """What a format shows before and behind a number: `numbers` are its places for digits.

    `as_is`: it shows the number as it is written. `condition`: of the numbers that it shows, None: it has none.
    `words`: what it shows, None in the place of a text. `is_signed`: it says itself that a number is below nothing, by
    a sign, a bracket or a colour.
    """

    before: str
    behind: str
    numbers: tuple[str, ...]
    percent: bool
    as_is: bool
    condition: str | None
    words: tuple[str | None, ...]
    is_signed: bool


def shown_number(value: float, form: str) -> str | None:
    """A number as its format shows it; None: nobody can tell."""
    sections = _sections(form)
    if not sections:
        return _written(value)
    if len(sections) > 3 or (len(sections) > 1 and None in sections[-1].words):
        sections = sections[:-1][:3]  # the last one is for texts
    if any(section.condition is not None for section in sections):
        section = _which_holds(value, sections)
    else:
        section = sections[(1 if value < 0 else 2 if value == 0 else 0) if len(sections) > (1 if value else 2) else 0]
        value = value if len(sections) == 1 or section.is_signed else abs(value)
    return None if section is None else _in(section, value)


def _in(section: FormatSection, value: float) -> str:
    if section.as_is:
        return _written(value)
    if not section.numbers:
        return section.before.strip()
    if section.percent:
        value *= 100
    if thousands := len(section.numbers[0]) - len(section.numbers[0].rstrip(",")):
        value /= 1_000**thousands
    number = _written(value) + " %" * section.percent
    return " ".join(filter(None, (section.before.strip(), number, section.behind.strip())))


def _written(value: float) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def shown_text(text: str, form: str) -> str:
    """A text as its format shows it: its fourth part says how, or a last one with "@"; it may say other words."""
    if len(form) > LONGEST:
        return ""
    sections = _sections(form)
    if len(sections) > 3 or (sections and "@" in form and None in sections[-1].words):
        return "".join(text if word is None else word for word in sections[min(len(sections), 4) - 1].words)
    return text


def _which_holds(value: float, sections: Sequence[FormatSection]) -> FormatSection | None:
    """The section whose condition holds, else the one behind them; None: programs do not agree."""
    given = [section for section in sections[:2] if section.condition is not None]
    if sections[0] not in given or len(sections) > len(given) + 1:
        return None
    for section in given:
        found = _CONDITION.fullmatch(section.condition or "")
        if found is None:
            return None
        if _HOLDS[found[1]](value, float(found[2])):
            return section
    return sections[len(given)] if len(sections) > len(given) else None


@lru_cache(maxsize=4_096)
def _sections(form: str) -> Sequence[FormatSection]:
    """The parts of a format for what is more, less, and nothing; none where it shows what is as it is."""
    if not 0 < len(form) <= LONGEST:
        return ()
    parts: list[list[re.Match[str]]] = [[]]
    for part in _PARTS.finditer(form):
        if part["end"]:
            parts.append([])
        else:
            parts[-1].append(part)
    return tuple(map(_section, parts))


def _section(parts: Sequence[re.Match[str]]) -> FormatSection:
    around, numbers, signs, words = ["", ""], list[str](), "", list[str | None]()
    abouts = [part["about"] for part in parts if part["about"]]
    for part in parts:
        said = next((part[name] for name in ("quoted", "one", "money") if part[name] is not None), None)
        if part["number"]:
            numbers.append(part["number"])
            words += [None] if part["number"].lower() == "general" else []
        elif said is not None:
            around[bool(numbers)] += said
            words.append(said)
        elif part["other"]:
            signs += part["other"]
            words.append(None if part["other"] == "@" else part["other"])
    condition = next((each.strip() for each in abouts if any(sign in each for sign in "<>=")), None)
    is_coloured = any(each.strip() != condition for each in abouts)
    is_signed = is_coloured or any(sign in signs + around[0] for sign in "-\u2212(")
    as_is = len(numbers) > 1 or "@" in signs or "/" in signs or "E" in signs.upper()
    as_is = as_is or [each.lower() for each in numbers] == ["general"]
    before, behind = around[0].rstrip("-\u2212( ") if is_signed else around[0], around[1]
    return FormatSection(before, behind, (*numbers,), "%" in signs, as_is, condition, (*words,), is_signed)
