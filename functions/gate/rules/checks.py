"""Checks that need no model: what a claim quotes, counts, dates and measures must stand in its evidence.

They are recorded beside the model's label and never change it; the policy acts on them, and only to be stricter.
A check appears where the claim holds something of its kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from gate.model import Check
from gate.rules.quantities import BARE, CLOCK, Date, Quantity, find_dates, find_quantities

_QUOTES = re.compile(r"“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]|「([^」]+)」|\"([^\"]+)\"")
_STRAIGHT = str.maketrans("‘’‚‛“”„‟‐‑‒–—", "''''\"\"\"\"-----")
_LISTED = 3
"""How many of the evidence's own values a detail names."""

NAMES: tuple[tuple[str, Callable[[Quantity], bool]], ...] = (
    ("numbers", lambda found: found.kind == BARE),
    ("percentages", lambda found: found.kind == "percent"),
    ("currencies", lambda found: found.currency),
    ("times", lambda found: found.kind == CLOCK),
    ("units", lambda found: not found.currency and found.kind not in (BARE, CLOCK, "percent")),
)
CHECK_NAMES = frozenset({"quotes", "dates", *(name for name, _ in NAMES)})
"""Names of the checks made here; a verifier can add others."""


def run_checks(claim: str, evidence: Sequence[str]) -> list[Check]:
    """Compare `claim` with the texts of its evidence.

    Returns:
        `quotes`, `dates`, `numbers`, `percentages`, `currencies`, `times`, `units`, those of them that apply. `detail`
        names what the evidence does not have, and what it has instead.
    """
    return [check.copy() for check in _run_checks(claim, tuple(evidence))]


@lru_cache(maxsize=64)
def _run_checks(claim: str, evidence: tuple[str, ...]) -> tuple[Check, ...]:
    """Kept for a moment: the local verifier asks before it answers, and whoever reads the answer asks again."""
    claim, texts = unicodedata.normalize("NFKC", claim), [unicodedata.normalize("NFKC", text) for text in evidence]
    stated = [found for found in find_quantities(_without_quotes(claim)) if not found.vague]
    if not stated and not find_dates(claim):
        return tuple(check for check in [_check_quotes(claim, texts)] if check is not None)
    amounts = [found for text in texts for found in find_quantities(text)]
    dates = [found for text in texts for found in find_dates(text)]
    amounts += [_bare(part) for date in dates for part in (date.year, date.month, date.day) if part is not None]
    checks = [_check_quotes(claim, texts), _check_dates(claim, dates, amounts)]
    for name, belongs in NAMES:
        own = [found for found in stated if belongs(found)]
        missing = [found.text for found in own if not any(_same(found, other) for other in amounts)]
        checks.append(_check(name, own, missing, (other.text for other in amounts if belongs(other))))
    return tuple(check for check in checks if check is not None)


def _check(name: str, stated: Sequence[object], missing: list[str], instead: Iterable[str]) -> Check | None:
    if not stated:
        return None
    if not missing:
        return {"name": name, "passed": True, "detail": ""}
    there = list(dict.fromkeys(text for text in instead if text))[:_LISTED]
    has = f"; the evidence has {', '.join(there)}" if there else ""
    return {"name": name, "passed": False, "detail": f"not in the evidence: {', '.join(dict.fromkeys(missing))}{has}"}


def _check_quotes(claim: str, texts: Sequence[str]) -> Check | None:
    """Quotations of two words or more; shorter ones, and titles, are names more often than somebody's words."""
    quoted = ["".join(groups) for groups in _QUOTES.findall(claim)]
    quoted = [quote for quote in quoted if len(quote) > 20 or len(quote.split()) > 1]
    quoted = [quote for quote in quoted if not _title(quote)]
    folded = [_fold(text) for text in texts]
    missing = [quote for quote in quoted if not any(_quoted_in(quote, text) for text in folded)]
    return _check("quotes", quoted, missing, ())


def _title(quote: str) -> bool:
    """Whether it is the name of a work rather than somebody's words: long words begin with capitals."""
    long = [word for word in re.findall(r"\w+", quote) if len(word) > 3]
    return quote.isascii() and all(word[0].isupper() for word in long)


def _quoted_in(quote: str, text: str) -> bool:
    parts = [_fold(part).strip(" .,;:!?") for part in re.split(r"\[?(?:…|\.\.\.)\]?", quote)]
    return all(part in text for part in parts)


def _fold(text: str) -> str:
    return " ".join(text.translate(_STRAIGHT).casefold().split())


def _without_quotes(claim: str) -> str:
    return _QUOTES.sub(lambda match: " " * len(match[0]), claim)


def _check_dates(claim: str, there: Sequence[Date], amounts: Sequence[Quantity]) -> Check | None:
    stated: dict[str, list[Date]] = {}
    for date in find_dates(_without_quotes(claim)):
        stated.setdefault(date.text, []).append(date)
    numbers = {value for found in amounts if found.kind == BARE for value in found.values}
    missing = [
        text
        for text, readings in stated.items()
        if not any(_fits(one, other, numbers) for one in readings for other in there)
    ]
    return _check("dates", list(stated), missing, (date.text for date in there))


def _fits(stated: Date, there: Date, numbers: set[float]) -> bool:
    """Whether the evidence's date says all that the claim's does; a year may stand elsewhere in the evidence."""
    year = stated.year in (None, there.year) or (there.year is None and stated.year in numbers)
    return year and stated.month in (None, there.month) and stated.day in (None, there.day)


def _same(stated: Quantity, there: Quantity) -> bool:
    """Whether two amounts are the same; one without a unit may have any, and "over 50" is not "under 50"."""
    if stated.bound * there.bound < 0:
        return False
    if stated.kind == there.kind:
        return _near(stated, stated.values, there.values)
    if there.kind == BARE or stated.kind == BARE:
        return _near(stated, stated.written, there.written)
    return False


def _near(stated: Quantity, ours: Iterable[float], theirs: Iterable[float]) -> bool:
    # 1 % covers a converted unit ("5 miles" for "8 km") and is less than any slip between whole numbers up to 100
    room = stated.slack + (0.01 if stated.kind in _CONVERTED else 1e-9) * max(map(abs, stated.values))
    theirs = list(theirs)
    return any(abs(one - other) <= room + 1e-9 for one in ours for other in theirs)


def _bare(value: int) -> Quantity:
    return Quantity("", BARE, frozenset({float(value)}), written=frozenset({float(value)}))


_CONVERTED = frozenset({"length", "mass", "volume", "speed", "area"})
