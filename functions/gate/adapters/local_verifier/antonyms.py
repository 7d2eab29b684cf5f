"""Words that turn a statement round without a "not": antonyms, prefixes, "all" for "some"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gate.text.tokens import stem, words
from gate.text.words.negation import negated
from gate.text.words.quantifiers import EXCEPTING, PARTIAL, UNIVERSAL

_PAIRS = """
increase/decrease rise/fall rose/fell grow/shrink grew/shrank gain/loss raise/lower raised/lowered up/down
before/after above/below over/under inside/outside more/less more/fewer most/least higher/lower larger/smaller
bigger/smaller longer/shorter older/younger earlier/later faster/slower heavier/lighter cheaper/dearer better/worse
best/worst maximum/minimum highest/lowest largest/smallest longest/shortest oldest/youngest first/last
earliest/latest fastest/slowest cheapest/dearest allow/prohibit allow/forbid permit/prohibit permit/forbid
allowed/forbidden permitted/forbidden allowed/banned permitted/banned open/close opened/closed win/lose won/lost
accept/reject accept/refuse approve/reject agree/disagree buy/sell bought/sold include/exclude including/excluding
start/end begin/end began/ended enable/disable add/remove import/export hire/dismiss hired/fired succeed/fail
success/failure pass/fail passed/failed arrive/depart arrival/departure enter/leave lend/borrow lent/borrowed
push/pull attack/defend create/destroy built/demolished love/hate support/oppose encourage/discourage
strengthen/weaken expand/contract promote/demote deposit/withdraw confirm/deny confirmed/denied guilty/innocent
mandatory/optional required/optional compulsory/voluntary public/private free/paid hot/cold warm/cold wet/dry
alive/dead full/empty strong/weak rich/poor safe/dangerous true/false present/absent positive/negative
upper/lower northern/southern eastern/western north/south east/west left/right front/back major/minor
majority/minority former/latter internal/external indoor/outdoor indoors/outdoors temporary/permanent
temporarily/permanently always/never everyone/nobody everything/nothing domestic/foreign ancient/modern
male/female men/women boys/girls husband/wife father/mother son/daughter brother/sister uncle/aunt profit/loss
asset/liability ally/enemy friend/enemy victory/defeat ceiling/floor within/after morning/evening day/night
summer/winter
"""
_IN = """accurate active adequate appropriate audible capable complete consistent correct curable dependent direct
discreet divisible edible effective efficient eligible equal evitable excusable expensive experienced famous finite
flexible formal frequent fertile hospitable humane justice legible organic secure sensitive separable significant
sincere soluble stable sufficient tangible tolerant valid variable visible voluntary balanced material mature
measurable mobile modest moral mortal movable partial passable patient penetrable perfect permeable personal plausible
polite possible practical precise probable proper pure legal legitimate liberal licit literate logical legally
rational recoverable refutable regular relevant religious replaceable resistible responsible reversible correctly
directly completely effectively probably properly possibly regularly"""
_DIS = """able advantage affected agree allow appear approve armed assemble believe charge comfort connect continue
courage engage entangle honest inherit integrate like locate loyal mount obey order organized own please prove
qualify regard respect satisfied similar trust"""
_MIS = "behave calculate count identify interpret judge label manage match place quote read represent spell"
_NO_PREFIX = frozenset({"less", "der", "til", "ion", "it", "canny", "sense"})
"""What stands after "un" or "non" in words that deny nothing: un-less, un-der, un-til, un-ion, non-sense."""


def _closed(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_OTHERS = re.compile(r"(?i)\b(?:elsewhere|(?:\w+(?:one|body|thing|where)|no one) else|(?:no|any) others?)\b")

_PREFIXED = {
    **dict.fromkeys(("in", "im", "il", "ir"), _closed(_IN)),
    "dis": _closed(_DIS),
    "mis": _closed(_MIS),
}


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split():
        one, other = map(stem, pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()
"""Key → the keys that say the contrary."""


def antonym(claim: Sequence[str], sentence: Sequence[str]) -> tuple[str, str] | None:
    """A word of the claim, and the one that says the contrary in the sentence, where neither text has both.

    "A came before B" and "B came after A" are the same: nothing is found where the words round it change sides.
    """
    ours, theirs = frozenset(claim), frozenset(sentence)
    for at, word in enumerate(claim):
        if word in theirs:
            continue
        for other in OPPOSITES.get(word, frozenset()) & theirs - ours:
            there = sentence.index(other)
            if not _change_sides(claim[:at], claim[at + 1 :], sentence[:there], sentence[there + 1 :]):
                return word, other
    return None


def _change_sides(left: Sequence[str], right: Sequence[str], before: Sequence[str], behind: Sequence[str]) -> bool:
    ours, theirs = (set(left), set(right)), (set(before), set(behind))
    kept = len(ours[0] & theirs[0]) + len(ours[1] & theirs[1])
    changed = len(ours[0] & theirs[1]) + len(ours[1] & theirs[0])
    return changed > kept


def prefixed(claim: Sequence[str], sentence: Sequence[str]) -> tuple[str, str] | None:
    """A word of the claim that the sentence has only with a prefix that denies it ("un-", "il-"), or without it."""
    ours, theirs = frozenset(claim), frozenset(sentence)
    for mine in ours - theirs:
        for other in (*_with_prefix(mine), *_without_prefix(mine)):
            if other in theirs - ours:
                return mine, other
    return None


def _with_prefix(word: str) -> Iterator[str]:
    if word.endswith(("less", "ful")):
        yield word.removesuffix("less") + "ful" if word.endswith("less") else word.removesuffix("ful") + "less"
    if len(word) > 2 and word not in _NO_PREFIX:
        yield from (f"un{word}", f"non{word}")
        yield from (prefix + word for prefix, bases in _PREFIXED.items() if word in bases)


def _without_prefix(word: str) -> Iterator[str]:
    for prefix in ("un", "non"):
        base = word.removeprefix(prefix)
        if base != word and len(base) > 2 and base not in _NO_PREFIX:
            yield base
    yield from (
        word.removeprefix(prefix)
        for prefix, bases in _PREFIXED.items()
        if word.startswith(prefix) and word.removeprefix(prefix) in bases
    )


def leaves_out_others(claim: str, following: str) -> str:
    """The words of a denial of all others ("not elsewhere", "nobody else") after what the claim says of all; or empty.

    Args:
        claim: it.
        following: what stands after the sentence about it.
    """
    if UNIVERSAL.isdisjoint(_low(claim)) or not negated(following):
        return ""
    found = _OTHERS.search(following)
    return found[0] if found else ""


def more_general(claim: str, sentence: str) -> tuple[str, str] | None:
    """A word of the claim that leaves out nothing ("all") where the sentence has one that does ("most", "except")."""
    ours, theirs = _low(claim), _low(sentence)
    every, some = UNIVERSAL & ours, PARTIAL & theirs
    if not every or (PARTIAL | EXCEPTING) & ours:
        return None
    less = (EXCEPTING & theirs if every - {"only"} else frozenset()) or (some if not every & theirs else frozenset())
    return (min(every), min(less)) if less else None


def _low(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, words(text)))
