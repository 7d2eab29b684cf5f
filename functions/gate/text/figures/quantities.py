"""Amounts in a text, as values that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from gate.text.figures.bounds import bound_of, roughly
from gate.text.figures.dates import without_dates
from gate.text.figures.letters import as_digits, blanked, small
from gate.text.figures.multiples import Multiple, find_multiples
from gate.text.figures.numbers import CARDINALS, ORDINALS, SCALES, VAGUE_WORDS
from gate.text.figures.numerals import (
    BEGINS,
    DIGITS,
    HALF,
    RATIO,
    SCALE,
    WORDS,
    inexact,
    ordinal,
    ratio,
    readings,
    spoken,
)
from gate.text.figures.rates import rate_of
from gate.text.figures.units import CASED_UNITS, CODES, CURRENCIES, ERAS, PERIODS, UNITS, Unit, Units
from gate.text.words.function_words import BY_LANGUAGE

BARE = "number"
CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount.

    Attributes:
        text: as written, with its period.
        start, end: where it stands.
        units: what its unit may stand for; `number` where none is named, `clock` of a time of day.
        written: its possible readings in the unit written ("1,234" may be 1234 or 1.234).
        slack: how far another value may lie from it, in the unit written, and still be the same amount.
        about: the same as a share of each reading, where it is told as inexact or as a bound.
        vague: a word such as "one", which may not be an amount.
        bound: 1 where it is the least ("more than", "or more"), -1 where it is the most, 0 where nothing says so.
        per: the unit that it is counted by ("a day", "per km"), where it is a rate.
        counted: a number of things whose name is no unit that is known ("12 rooms").
        ordinal: a place in an order ("third", "20th").
        spelled: a share, factor or repetition in words ("a third", "doubled", "twice").
    """

    text: str
    start: int
    end: int
    units: Units
    written: frozenset[float]
    slack: float = 0.0
    about: float = 0.0
    vague: bool = False
    bound: int = 0
    per: Unit | None = None
    counted: bool = False
    spelled: bool = False
    ordinal: bool = False

    @property
    def kind(self) -> str:
        """What it measures, in its first reading."""
        return self.units[0].dimension

    @property
    def bare(self) -> frozenset[float]:
        """What a number without a unit would be of it: "7 pm" is 7 and 19."""
        return self.written | {value % 12 for value in self.written} if self.kind == CLOCK else self.written

    @property
    def measures(self) -> bool:
        """Whether a unit or a currency that is known is named with it."""
        return self.kind != "number" and not (self.vague or self.ordinal)

    @property
    def currency(self) -> bool:
        """Whether it is an amount of money."""
        return self.kind in CODES


_SIGNS = sorted((name for name in CURRENCIES if not name.isalpha() and " " not in name), key=len, reverse=True)
_CODES = rf"{'|'.join(map(re.escape, _SIGNS))}|(?<!\w)(?:{'|'.join(sorted(CODES)).lower()}|kr)"
_AMOUNT = re.compile(
    rf"(?P<money>{_CODES})?\s?(?<![\w.,])(?<![a-z]-)(?<!\d{{4}}[-–/])(?:(?P<sign>[-−])(?=\d))?"
    rf"(?:(?:(?P<whole>\d{{1,3}})[ -])?(?P<ratio>{RATIO})(?=\s[^\W\d_])"
    rf"|(?P<digits>{DIGITS})(?:\^(?P<power>[-+−]?\d{{1,2}})(?!\d))?|\b(?P<words>{WORDS})\b)"
    rf"(?P<ordinal>(?:st|nd|rd|th|['’]?s)\b)?(?P<half>[ -]and[ -]a[ -]half\b)?"
    rf"(?:(?:\s|-)?(?P<scale>{SCALE})\b)?"
)
"""In the small letters of a text."""
_BEGINS, _BEFORE = re.compile(BEGINS), 5
"""How a number begins, and the characters that a currency, a blank and a sign take before it."""
_BEFORE_A_NAME = re.compile(r"\d{3}[ -](?=[A-ZÀ-Þ])")
_K = re.compile(r"k\b")
_NAME = r"[^\W\d_]{1,30}[²³23]?(?!\w)"
_AFTER = re.compile(
    rf"(?i)(?P<gap>\s?-?\s?)(?P<one>[%‰°¢₽₩][CF]?(?!\w)|(?:us|nz|hk|[acsr])?[$€£¥₹]|{_NAME})"
    rf"(?:[\s-](?P<two>{_NAME}))?"
)
"""The word after a number, and the next."""
_REST = re.compile(r"[^\W\d_]|[.,]\d")
"""What makes a number part of a name: 3D, 4x4, 3.11.2."""
_FIRST_RELEASE = re.compile(r"(?<![\w.,-])(\d{1,4}\.\d{1,4})\.0(?![\w.-])")
"""2.38.0, which people call 2.38."""
_PARTY = re.compile(r"(?i)third[ -]part(?:y|ies)(?!\w)")
"""Somebody else, and no place in an order."""
_ERA = "|".join(re.escape(name) for name in sorted(ERAS, key=len, reverse=True))
_ERA_AFTER = re.compile(rf"(?:(?:\s|-)(?:century|centuries|Jahrhunderts?|Jh\.|siècle|siglo))?\s?(?P<era>{_ERA})(?!\w)")
_ERA_BEFORE = re.compile(r"(?<!\w)(?P<era>AD|A\.D\.|CE)\s?$")
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?|\b(?P<h>\d{1,2}):(?P<m>\d{2})\b"
)
_MONEY_SCALE = re.compile(r"(?i)\s?(?P<scale>[mbk])(?!\w)")
_MONEY_SCALES = {"m": 1e6, "b": 1e9, "k": 1e3}
_FUNCTION_WORDS = frozenset().union(*BY_LANGUAGE.values())
_NO_DESCRIPTION = _FUNCTION_WORDS.union(CARDINALS, ORDINALS, SCALES)
_DESCRIBED = frozenset({"time", "month", "length", "mass", "area", *CODES})
"""What has a word before its unit: "30 calendar days", "12 long tons"."""
_APART = ("A", "C")
"""Letters that are a unit after a blank and part of a name without one: a Type 37A."""
_RANGE = re.compile(r"\s?(?:-|–|—|to|or|bis|à)\s?")
_ABOUT = 0.1
"""How far "about 50" may lie off, as a share of it."""
_NEAR = 60
"""Characters after a number in which its unit stands."""


@lru_cache(maxsize=1024)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every amount outside a date, in order; parts of names such as `GPT-4` or `3.11.2` are none."""
    text = _FIRST_RELEASE.sub(r"\1  ", without_dates(as_digits(text)))
    times = [_clock(match, text) for match in _TIME.finditer(small(text))]
    text = blanked(text, ((one.start, one.end) for one in times))
    spelled = list(find_multiples(text))
    rest = blanked(text, ((one.start, one.end) for one in spelled))
    return (*times, *_amounts(rest), *(_spelled(found, text) for found in spelled))


def _clock(match: re.Match[str], text: str) -> Quantity:
    hour, minute = int(match["hour"] or match["h"]), int(match["minute"] or match["m"] or 0)
    if match["half"]:
        hours = [hour % 12 + (12 if match["half"] == "p" else 0)]
    else:
        hours = [hour, hour + 12] if hour < 12 else [hour]
    written = frozenset(reading + minute / 60 for reading in hours)
    return Quantity(text[match.start() : match.end()], *match.span(), (Unit(CLOCK),), written)


def _spelled(found: Multiple, text: str) -> Quantity:
    bound, rate = bound_of(text, found.start, found.end), rate_of(text, found.start, found.end)
    return Quantity(
        text[found.start : rate.end if rate else found.end],
        found.start,
        found.end,
        found.units,
        frozenset({found.value}),
        found.slack,
        bound=bound,
        per=rate and rate.unit,
        spelled=True,
    )


def _amounts(text: str) -> Iterator[Quantity]:
    """Amounts in digits and number words; the first of "5 to 10 mg" has the unit of the second."""
    before: Quantity | None = None
    for match in _numbers(_to_search(text)):
        found = _amount(match, text) if before is None or match.start() >= before.end - 1 else None
        if found is None:
            continue
        if before is not None and before.kind == BARE and _RANGE.fullmatch(text, before.end, match.start()):
            before = replace(before, units=found.units, per=found.per)
        if before is not None:
            yield before
        before = found
    if before is not None:
        yield before


def _to_search(text: str) -> str:
    """The text in small letters, less a capital that ends groups of three: "12 737 MAX" are 12 of a name."""
    low, pieces, at = small(text), list[str](), 0
    for found in _BEFORE_A_NAME.finditer(text):
        pieces += [low[at : found.end()], text[found.end()]]
        at = found.end() + 1
    return "".join(pieces) + low[at:]


def _numbers(low: str) -> Iterator[re.Match[str]]:
    """Every `_AMOUNT`, looked for where a number begins: in all of a text that takes three times as long."""
    at = 0
    for begins in _BEGINS.finditer(low):
        if begins.start() >= at:
            match = _AMOUNT.search(low, max(at, begins.start() - _BEFORE))
            if match is None:
                return
            yield match
            at = match.end()


def _amount(match: re.Match[str], text: str) -> Quantity | None:
    """None where it is part of a name."""
    is_thousands = not match["scale"] and _K.match(text, match.end()) is not None
    named = _named(match, text, match.end() + is_thousands)
    if named is None:
        return None
    units, end, counted = named
    scale = SCALES["k"] if is_thousands else _scale(match, text)
    plain = {value + 0.5 * bool(match["half"]) for value in _values(match)}
    suffix = text[match.start("ordinal") : match.end("ordinal")]
    if suffix.endswith("s"):  # the 1960s
        plain = {value + year for value in plain for year in range(10)}
    sign = -1 if match["sign"] and not text[: match.start("sign")].rstrip()[-1:].isdigit() else 1
    written = frozenset(round(sign * value * scale, 9) for value in plain)
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    is_rough = roughly(text, match.start()) or inexact(match["words"] or "")
    slack, about = (0.0, _ABOUT) if is_rough else (_slack(match, scale), 0.0)
    vague = match["words"] in VAGUE_WORDS
    bound, rate = bound_of(text, start, end), rate_of(text, start, end)
    shown, per = text[start : rate.end if rate else end].strip(), rate.unit if rate else PERIODS.get(units[0].per)
    placed = bool(suffix and not suffix.endswith("s")) or ordinal(match["words"] or "")
    return Quantity(shown, start, end, units, written, slack, about, vague, bound, per, counted, ordinal=placed)


def _named(match: re.Match[str], text: str, end: int) -> tuple[Units, int, bool] | None:
    """The unit of an amount, where it ends, and whether another word stands there; None where it is part of a name.

    Args:
        end: of its number.
    """
    if match["money"]:
        large = _MONEY_SCALE.match(text, end)
        return UNITS[match["money"]], large.end() if large else end, False
    after = _AFTER.match(text[end : end + _NEAR])
    found = _unit(after) if after else None
    if found is None and match["digits"] and _REST.match(text, end):
        return None
    if match["ratio"] and not found and after and after["one"].lower() not in ("of", "the"):
        return None  # MEK 1/2
    if match["words"] in HALF and not (match["scale"] or found):
        return None  # "half a chance"
    if match["words"] and _PARTY.match(text, match.start("words")):
        return None
    era = _ERA_AFTER.match(text[end : end + _NEAR])
    if era:
        return (Unit(ERAS[era["era"]]),), end + era.end(), False
    era = _ERA_BEFORE.search(text[max(0, match.start() - 5) : match.start() + 1])
    if era:
        return (Unit(ERAS[era["era"]]),), end, False
    if found:
        return found[0], end + found[1], False
    return (Unit(BARE),), end, bool(after and after["gap"] and after["one"].lower() not in _FUNCTION_WORDS)


def _unit(after: re.Match[str]) -> tuple[Units, int] | None:
    """The unit that the words after a number name, and where its name ends."""
    one, two = after["one"], after["two"] or ""
    if two and f"{one} {two}".lower() in UNITS:
        return UNITS[f"{one} {two}".lower()], after.end()
    units = CASED_UNITS.get(one) or UNITS.get(one.lower())
    if units and (after["gap"] or one not in _APART):
        return units, after.end("one")
    described = len(two) > 2 and after["gap"] and one.islower() and one not in _NO_DESCRIPTION
    if described and two in UNITS and UNITS[two][0].dimension in _DESCRIBED:  # "30 calendar days"
        return UNITS[two], after.end()
    return None


def _scale(match: re.Match[str], text: str) -> float:
    if match["scale"]:
        return SCALES[match["scale"]]
    large = _MONEY_SCALE.match(text, match.end()) if match["money"] else None
    return _MONEY_SCALES[large["scale"].lower()] if large else 1.0


def _values(match: re.Match[str]) -> set[float]:
    if match["power"]:
        return _raised(match["digits"], int(match["power"].replace("−", "-")))
    if match["digits"]:
        return readings(match["digits"])
    return {ratio(match["whole"], match["ratio"]) if match["ratio"] else spoken(match["words"])}


def _raised(digits: str, power: int) -> set[float]:
    """The values of a figure with another raised behind it: a power of ten; of any other one, or a mark of a note."""
    values = readings(digits)
    return {10.0**power} if values == {10.0} else {*values, *(value**power for value in values if 0 < value < 1_000)}


def _slack(match: re.Match[str], scale: float) -> float:
    """Half of the last digit written where the number is plainly rounded."""
    decimals = re.search(r"[.,](\d+)$", match["digits"] or "")
    if decimals is None and scale == 1:
        return 0.0
    return float(0.5 * scale / 10 ** (len(decimals[1]) if decimals else 0))
