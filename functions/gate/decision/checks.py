"""Checks that need no model: what a claim quotes, counts, dates and measures must stand in its evidence.

They are recorded beside the model's label and never change it; the policy acts on them, and only to be stricter.
A check appears where the claim holds something of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from gate.decision.amounts import alike, same
from gate.decision.numbered_names import all_told_of_another, alone, told_of_another
from gate.decision.passages import Clauses, Figures, Passage, speaks_against
from gate.model import NONE_KNOWN, Check, Known
from gate.text.composed import composed
from gate.text.delimited import pairs
from gate.text.figures.dates import Date, find_dates
from gate.text.figures.numbered import Numbered
from gate.text.figures.odd_numerals import odd_numerals
from gate.text.figures.quantities import BARE, CLOCK, Quantity, find_quantities
from gate.text.words.function_words import FUNCTION_WORDS

_OPENING = re.compile('([“«„「]|(?<!\\d)")')
"""Behind a digit a straight mark is the sign of inches."""
_CLOSING = {sign: re.compile(f"[{ends}]") for sign, ends in zip('“«„「"', ("”", "»", "“”", "」", '"'), strict=True)}
_STRAIGHT = str.maketrans("‘’‚‛“”„‟‐‑‒–—", "''''\"\"\"\"-----")
CAPITALISED = re.compile(r"(?<!\w)[\d_a-z]*([^\W\d_a-z]\w*)\s?$")
_POINTS = re.compile(r"[()\[\]\"'…]|(?<!\d)[.,;:!?]|[.,;:!?](?!\d)")
"""Punctuation that says nothing of what is quoted; within a figure it does."""
_OF_STEP = re.compile(r"(?i)\bsteps?\s(?:\d{1,3}(?:\s?(?:,|and|or|to|-|&)\s?)+)*$")
"""What stands before the number of a step, which is the answer's own."""
_LISTED = 3
"""How many of the evidence's own values a detail names."""

_ERAS = ("BC", "AD")
NAMES: tuple[tuple[str, Callable[[Quantity], bool]], ...] = (
    ("multiples", lambda found: found.spelled),
    ("numbers", lambda found: found.kind in (BARE, *_ERAS)),
    ("percentages", lambda found: found.kind == "percent"),
    ("currencies", lambda found: found.currency),
    ("times", lambda found: found.kind == CLOCK),
    ("units", lambda found: True),
)
"""Name of a check, and what belongs to it, the first that fits."""
CHECK_NAMES = frozenset({"quotes", "dates", "personal_data", "names", "pairs", *(name for name, _ in NAMES)})
"""Names of the checks made here; a verifier can add others."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """A figure of the claim.

    Attributes:
        has: whether figures of the evidence hold it.
        rival: whether they hold one that could stand for it.
        name: it names something ("Passage 3", "the third"), so that any passage may have it.
    """

    text: str
    start: int
    has: Callable[[Figures], bool]
    rival: Callable[[Figures], bool]
    name: bool = False


@dataclass
class _Compared:
    """A claim without its quotations, and its evidence with all of its figures."""

    claim: str
    clauses: Clauses
    passages: Sequence[Passage]
    there: Figures

    @cached_property
    def names(self) -> Sequence[Numbered]:
        """Names of the claim that end in a number, to be told from others of the evidence."""
        return alone(Passage(self.claim).numbered)

    @cached_property
    def sentences(self) -> Sequence[Passage]:
        """Those of the evidence."""
        return [sentence for passage in self.passages for sentence in passage.sentences]


def run_checks(claim: str, evidence: Sequence[str], known: Known = NONE_KNOWN) -> list[Check]:
    """Compare `claim` with the texts of its evidence.

    Of several texts, one that has a figure vouches for it where no sentence of another one says more of its clause
    with another figure.

    Args:
        known: figures of the claim that need no evidence, as `known_figures` has them.

    Returns:
        `quotes`, `dates`, `multiples`, `numbers`, `percentages`, `currencies`, `times`, `units`, those of them that
        apply. `detail` names what the evidence does not have, and what it has instead.
    """
    original, claim = claim, composed(claim)
    texts = [composed(text) for text in evidence]
    plain = _without_quotes(claim)
    stated: dict[str, list[_Stated]] = {"dates": _dates(plain)}
    for found in find_quantities(plain):
        if not (found.vague or (found.kind == BARE and _OF_STEP.search(plain, max(0, found.start - 60), found.start))):
            stated.setdefault(_name(found), []).append(_amount(found, plain))
    if odd := list(odd_numerals(original)):
        there_too = {numeral for text in evidence for numeral, _ in odd_numerals(text)}
        stated.setdefault("numbers", []).extend(_odd(numeral, start, there_too) for numeral, start in odd)
    passages = [Passage(text) for text in texts] if any(stated.values()) else []
    there = Figures.joined(passage.figures for passage in passages)
    # what is a third in words can be two figures elsewhere
    stated["multiples"] = [figure for figure in stated.get("multiples", []) if figure.rival(there)]
    compared = _Compared(plain, Clauses(plain), passages, there)
    checks = [_check_quotes(claim, texts)]
    checks += [_compare(name, figures, compared, known) for name, figures in stated.items()]
    return [check for check in checks if check is not None]


def _name(found: Quantity) -> str:
    return next(name for name, belongs in NAMES if belongs(found))


def _odd(numeral: str, start: int, known: Collection[str]) -> _Stated:
    """A numeral that is not reckoned with here: the evidence has the same, or it is not there."""
    return _Stated(numeral, start, lambda _: numeral in known, lambda _: False, name=True)


def _amount(found: Quantity, claim: str) -> _Stated:
    before = CAPITALISED.search(claim[max(0, found.start - 30) : found.start])
    in_name = found.kind == BARE and before is not None and before[1].lower() not in FUNCTION_WORDS
    return _Stated(
        found.text,
        found.start,
        lambda there: any(same(found, other) for other in there.amounts),
        lambda there: any(alike(found, other) for other in there.amounts),
        in_name or found.ordinal,
    )


def _compare(name: str, stated: Sequence[_Stated], compared: _Compared, known: Known) -> Check | None:
    there = compared.there
    missing = [figure.text for figure in stated if not (figure.text in known or figure.has(there))]
    rivals = [figure.rival for figure in stated if figure.text in missing][:_LISTED]
    details = _not_there(missing, _texts(name, there, rivals))
    found = (figure for figure in stated if figure.text not in missing)
    return _check(name, stated, [*details, *filter(None, (_said_elsewhere(name, one, compared) for one in found))])


def _said_elsewhere(name: str, figure: _Stated, compared: _Compared) -> str:
    """What says that a figure of the claim, though the evidence has it, is not said of what the claim is about."""
    if len(compared.passages) > 1 and not figure.name:
        words = compared.clauses.around(figure.start, figure.start + len(figure.text))
        deciding = speaks_against(words, compared.passages, figure.has, figure.rival)
        if deciding is not None:
            instead = ", ".join(_texts(name, deciding.figures)[:_LISTED])
            return f"only in another passage: {figure.text}; the one that decides has {instead}"
    names = [one for one in compared.names if (one.number.start == figure.start) == figure.name]
    if not names:  # most claims have none, and their evidence is not taken apart
        return ""
    if figure.name:
        other = all_told_of_another(compared.claim, names, compared.sentences)
    else:
        other = told_of_another(names, figure.has, figure.rival, compared.sentences)
    return f"said of {other[1].text}, not of {other[0].text}: {figure.text}" if other else ""


def _texts(name: str, there: Figures, rivals: Sequence[Callable[[Figures], bool]] = ()) -> list[str]:
    """The figures that belong to a check, as they are written; first those that could stand for a missing one."""
    if name == "dates":
        return list(dict.fromkeys(date.text for date in there.dates))
    found = [one for one in there.amounts if one.text and _name(one) == name]
    found.sort(key=lambda one: not any(rival(Figures([one], [])) for rival in rivals))
    return list(dict.fromkeys(one.text for one in found))


def _not_there(missing: Sequence[str], instead: Sequence[str]) -> list[str]:
    has = f"; the evidence has {', '.join(instead[:_LISTED])}" if instead else ""
    return [f"not in the evidence: {', '.join(dict.fromkeys(missing))}{has}"] if missing else []


def _check(name: str, stated: Sequence[object], details: Sequence[str]) -> Check | None:
    return {"name": name, "passed": not details, "detail": "; ".join(dict.fromkeys(details))} if stated else None


def _check_quotes(claim: str, texts: Sequence[str]) -> Check | None:
    """Quotations of two words or more; shorter ones, and titles, are names more often than somebody's words."""
    quoted = [claim[start + 1 : end - 1] for start, end in _quotations(claim)]
    quoted = [quote for quote in quoted if len(quote) > 20 or len(quote.split()) > 1]
    quoted = [quote for quote in quoted if not _title(quote)]
    folded = [_fold(text) for text in texts] if quoted else []
    missing = [quote for quote in quoted if not any(_quoted_in(quote, text) for text in folded)]
    return _check("quotes", quoted, _not_there(missing, ()))


def _title(quote: str) -> bool:
    """Whether it is the name of a work rather than somebody's words: long words begin with capitals."""
    long = [word for word in re.findall(r"\w+", quote) if len(word) > 3]
    return quote.isascii() and all(word[0].isupper() for word in long)


def _quoted_in(quote: str, text: str) -> bool:
    parts = [_fold(part).strip(" .,;:!?") for part in re.split(r"\[?(?:…|\.\.\.)\]?", quote)]
    return all(part in text for part in parts)


def _fold(text: str) -> str:
    return " ".join(_POINTS.sub(" ", text.translate(_STRAIGHT).casefold()).split())


def _without_quotes(claim: str) -> str:
    pieces, at = [], 0
    for start, end in _quotations(claim):
        pieces += [claim[at:start], " " * (end - start)]
        at = end
    return "".join(pieces) + claim[at:]


def _quotations(claim: str) -> Iterator[tuple[int, int]]:
    return pairs(claim, _OPENING, _CLOSING, least=1)


def _dates(claim: str) -> list[_Stated]:
    readings: dict[str, list[Date]] = {}
    for date in find_dates(claim):
        readings.setdefault(date.text, []).append(date)
    return [
        _Stated(text, claim.find(text), partial(_has_date, dates), lambda there: bool(there.dates))
        for text, dates in readings.items()
    ]


def _has_date(readings: Sequence[Date], there: Figures) -> bool:
    numbers = {value for found in there.amounts if found.kind == BARE for value in found.written}
    return any(_fits(date, other, numbers) for date in readings for other in there.dates)


def _fits(stated: Date, there: Date, numbers: set[float]) -> bool:
    """Whether the evidence's date says all that the claim's does; a year may stand elsewhere in the evidence."""
    year = stated.year in (None, there.year) or (there.year is None and stated.year in numbers)
    return year and stated.month in (None, there.month) and stated.day in (None, there.day)
