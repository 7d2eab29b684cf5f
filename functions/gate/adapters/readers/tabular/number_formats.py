"""Numbers as the format of their cell shows them: thousands where it counts in thousands, nothing where it hides them.

All digits of a number are kept: how far a column is rounded is a matter of its width.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

LONGEST = 255
"""Characters of a format; programs write no longer one."""
_PARTS = re.compile(
    r'"(?P<quoted>[^"]{0,255})"?|\\(?P<one>.)|\[\$(?P<money>[^\]-]{0,30})(?:-[^\]]{0,30})?\]|\[(?P<about>[^\]]{0,30})\]'
    r"|[_*](?:.|$)|(?P<end>;)|(?P<number>General|[0#?][0#?.,]{0,255})|(?P<other>.)",
    re.DOTALL | re.IGNORECASE,
)
_CONDITION = re.compile(r"[<>=]")


class FormatSection(NamedTuple):
    """What a format shows before and behind a number: `numbers` are its places for digits."""

    before: str
    behind: str
    numbers: tuple[str, ...]
    percent: bool


def shown_number(value: float, form: str) -> str:
    """A number as its format shows it."""
    sections = _sections(form)
    section = sections[_which(value, len(sections))]
    if section is None:
        return f"{value:.12g}" if isinstance(value, float) else str(value)
    if not section.numbers:
        return section.before.strip()
    if section.percent:
        value *= 100
    if thousands := len(section.numbers[0]) - len(section.numbers[0].rstrip(",")):
        value /= 1_000**thousands
    number = f"{value:.12g}" if isinstance(value, float) else str(value)
    return " ".join(filter(None, (section.before.strip(), number + " %" * section.percent, section.behind.strip())))


def shows_text(form: str) -> bool:
    """Whether a format shows a text: its fourth part says how, and may say nothing."""
    return form.count(";") < 3 or form.rpartition(";")[2].strip() != ""


def _which(value: float, count: int) -> int:
    return (1 if count > 1 else 0) if value < 0 else 2 if value == 0 and count > 2 else 0


@lru_cache(maxsize=4_096)
def _sections(form: str) -> Sequence[FormatSection | None]:
    """The parts of a format for what is more, less, and nothing; None for one that shows the number as it is."""
    if not 0 < len(form) <= LONGEST:
        return (None,)
    around, numbers, signs = [["", ""]], [list[str]()], [""]
    for part in _PARTS.finditer(form):
        if part["end"]:
            around.append(["", ""])
            numbers.append([])
            signs.append("")
        elif part["number"]:
            numbers[-1].append(part["number"])
        elif (said := part["quoted"] or part["one"] or part["money"]) is not None:
            around[-1][bool(numbers[-1])] += said
        else:
            signs[-1] += part["other"] or "".join(_CONDITION.findall(part["about"] or ""))
    whole = zip(around, numbers, signs, strict=True)
    return tuple(_section(before, behind, places, other) for (before, behind), places, other in whole)


def _section(before: str, behind: str, numbers: Sequence[str], signs: str) -> FormatSection | None:
    is_plain = len(numbers) > 1 or _CONDITION.search(signs) or "@" in signs or "/" in signs or "E" in signs.upper()
    if is_plain or [each.lower() for each in numbers] == ["general"]:
        return None
    return FormatSection(before, behind, tuple(numbers), "%" in signs)
