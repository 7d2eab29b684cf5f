"""Signs that a claim says something else than evidence in the same words: they keep `supported` from being said.

A small model is lenient with a changed number or a lost "not". Each guard is a plain comparison that can be pointed
at, and only ever makes a verdict stricter; the probabilities stay the calibrated layer's. What the guards cost and
what they stop is measured by `training.measure_guards` and recorded in docs/verification.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gate.model import Label
from gate.rules.checks import run_checks
from gate.rules.lexical import Reading
from gate.rules.words import Token, is_negation, tokens

_CLAUSE = re.compile(r"[;,:()]|\s[–—-]\s")
_MEMBER = re.compile(
    r"(?i:and |while |but )?(?P<with>(?i:in|for|from|at|on|to|by|with|under))\s(?:the\s)?[^\W\d_a-z]\w+"
)
_STAND_IN = re.compile(r"(?<![A-Za-z0-9])[A-Z]+-9[0-9]{3}(?![0-9])")
_LIMITING = frozenset({"only", "unless", "except"})
"""Words that turn a sentence half round: "only if" stands against "not unless" without contradicting it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What a guard says: the label that takes the place of a milder one, and why."""

    guard: str
    label: Label
    why: str


Guard = Callable[[str, Sequence[str], Reading], Stop | None]


def amount_differs(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """A number, date, amount or unit of the claim that the evidence does not have."""
    failed = [check for check in run_checks(claim, documents) if not check["passed"] and check["name"] != "quotes"]
    if not failed:
        return None
    label: Label = (
        "unsupported" if any("; the evidence has" in check["detail"] for check in failed) else "weakly_supported"
    )
    return Stop("amount", label, f"{failed[0]['name']} differ: {failed[0]['detail']}")


def denial_differs(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """The best sentence denies what the claim says, or the other way round; "not … until" and "only when" agree."""
    if reading.best is None:
        return None
    ours, theirs = _Denial.of(claim), _Denial.of(reading.best.text)
    if ours.denies == theirs.denies or (ours.limits if theirs.denies else theirs.limits):
        return None
    return Stop("denial", "unsupported", "one of the two denies something that the other does not")


def names_crossed(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """Two names that the claim joins stand in different members of a list: "in A it is B, in C D" joins no A and D."""
    members = _parallel(reading.best.text) if reading.best else []
    own = frozenset(word.key for word in tokens(claim))
    for first, second in _joined(claim):
        holders = [
            {at for at, names in enumerate(members) if name in names and names - own} for name in (first, second)
        ]
        if all(holders) and not holders[0] & holders[1]:
            return Stop("names", "unsupported", "the evidence joins each of these names with another one")
    return None


def stand_in_differs(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """A pseudonym (`PHONE-9001`) of the claim that the evidence does not have: another value of that kind."""
    missing = [token for token in _STAND_IN.findall(claim) if not any(token in text for text in documents)]
    return Stop("pseudonym", "unsupported", f"it has no {missing[0]}") if missing else None


GUARDS: tuple[Guard, ...] = (amount_differs, denial_differs, names_crossed, stand_in_differs)


def stopped(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """What the first guard that objects to `supported` says; None where none does."""
    return next((stop for guard in GUARDS if (stop := guard(claim, documents, reading))), None)


@dataclass(frozen=True, slots=True)
class _Denial:
    denies: bool
    limits: bool

    @classmethod
    def of(cls, text: str) -> _Denial:
        keys = [token.key for token in tokens(text)]
        return cls(any(map(is_negation, keys)), not _LIMITING.isdisjoint(keys))


def _parallel(sentence: str) -> list[frozenset[str]]:
    """Names in the members of a list whose members all begin alike, with a preposition and a name; else nothing."""
    found: dict[str, list[frozenset[str]]] = {}
    for clause in _CLAUSE.split(sentence):
        opening = _MEMBER.match(clause.strip())
        if opening:
            words = tokens(clause)
            names = frozenset(word.key for at, word in enumerate(words) if _is_name(word, at, clause))
            found.setdefault(opening["with"].lower(), []).append(names)
    return next((members for members in found.values() if len(members) > 1), [])


def _is_name(word: Token, at: int, text: str) -> bool:
    starts = at == 0 and text.lstrip()[:1].isupper() and len(word.text) < 4
    return word.capital and not word.number and not starts


def _joined(claim: str) -> list[tuple[str, str]]:
    """Pairs of neighbouring names that words stand between: a list ("Visa, Mastercard or PayPal") joins nothing."""
    words = tokens(claim)
    places = [at for at, word in enumerate(words) if _is_name(word, at, claim)]
    pairs = []
    for left, right in pairwise(places):
        between = [word.key for word in words[left + 1 : right]]
        if [key for key in between if key not in {"and", "or", "the", "of", "de"}]:
            pairs.append((words[left].key, words[right].key))
    return pairs
