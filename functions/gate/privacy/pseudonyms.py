"""Personal data replaced by tokens that keep values apart, so that texts can still be compared without it.

Plain redaction makes two different phone numbers equal, and a wrong number in a claim would pass. Here the same value
gets the same token in every text given together (`PHONE-9001`), another value another one (`PHONE-9002`), and what a
reader of those texts quotes or says can be turned back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from gate.privacy import patterns
from gate.privacy.redaction import Finding, merged

Find = Callable[[str], Iterable[Finding]]

FIRST = 9001
"""Numbers of four digits, because verifiers compare numbers more strictly than words, and long ones than short ones."""
_CONTEXT = 200
"""Characters compared on each side of a token to tell which of its places is quoted."""
_DIGIT_KINDS = frozenset({"PHONE", "SSN", "CARD"})


class Place(NamedTuple):
    """Where a token stands for a value: `value` as written there, with what stands before and after it."""

    value: str
    before: str
    after: str


@dataclass(slots=True)
class Pseudonyms:
    """Token → the places where it stands, in order. Holds the values: it is never stored or logged."""

    places: dict[str, list[Place]] = field(default_factory=dict)

    def restore(self, text: str) -> str:
        """Return `text` with tokens turned back.

        A value written in several ways comes back as it is written where the text around the token fits best, and of
        equal places in the last, so that a quote is again the verbatim stretch it was taken from.
        """
        if not self.places:
            return text
        return self._token().sub(lambda found: self._value(found[0], text, found.start(), found.end()), text)

    def tokens_in(self, text: str) -> list[str]:
        """The tokens that stand in a text, each once, in order."""
        return list(dict.fromkeys(self._token().findall(text))) if self.places else []

    def _token(self) -> re.Pattern[str]:
        tokens = "|".join(sorted(self.places, key=len, reverse=True))
        return re.compile(rf"(?<![A-Za-z0-9])(?:{tokens})(?![0-9])")

    def _value(self, token: str, text: str, start: int, end: int) -> str:
        places = self.places[token]
        if len({place.value for place in places}) == 1:
            return places[0].value
        before, after = text[max(0, start - _CONTEXT) : start][::-1], text[end : end + _CONTEXT]
        return max(reversed(places), key=lambda place: _fit(place, before, after)).value


def pseudonymize(texts: Sequence[str], find: Find = patterns.find) -> tuple[list[str], Pseudonyms]:
    """Replace personal data in texts that are read together.

    Args:
        texts: such as a claim and its passages.
        find: what is personal in a text.

    Returns:
        The texts with tokens, and what turns tokens back.
    """
    findings = [merged(find(text)) for text in texts]
    if not any(findings):
        return list(texts), Pseudonyms()
    tokens = _Tokens("\n".join(texts))
    hidden = [_hide(text, found, tokens) for text, found in zip(texts, findings, strict=True)]
    pseudonyms = Pseudonyms()
    for text, stands in hidden:
        for token, value, start, end in stands:
            before, after = text[max(0, start - _CONTEXT) : start][::-1], text[end : end + _CONTEXT]
            pseudonyms.places.setdefault(token, []).append(Place(value, before, after))
    return [text for text, _ in hidden], pseudonyms


class _Tokens:
    """Gives each value its token; a number that one of the texts already holds is not used."""

    def __init__(self, taken: str) -> None:
        self._taken = taken
        self._counts: dict[str, int] = {}
        self._by_value: dict[tuple[str, str], str] = {}

    def token(self, kind: str, value: str) -> str:
        key = (kind, _same(kind, value))
        if key not in self._by_value:
            self._by_value[key] = self._next(kind)
        return self._by_value[key]

    def _next(self, kind: str) -> str:
        while True:
            self._counts[kind] = self._counts.get(kind, FIRST - 1) + 1
            if str(self._counts[kind]) not in self._taken:
                return f"{kind}-{self._counts[kind]}"


def _hide(text: str, findings: list[Finding], tokens: _Tokens) -> tuple[str, list[tuple[str, str, int, int]]]:
    pieces: list[str] = []
    stands: list[tuple[str, str, int, int]] = []
    done = length = 0
    for kind, _, start, end in findings:
        # A token must not grow together with a letter or digit beside it: it could not be found again.
        left = " " if start and text[start - 1].isalnum() else ""
        right = " " if text[end : end + 1].isalnum() else ""
        token = tokens.token(kind, text[start:end])
        pieces += (text[done:start], left, token, right)
        at = length + start - done + len(left)
        stands.append((token, text[start:end], at, at + len(token)))
        length, done = at + len(token) + len(right), end
    return "".join([*pieces, text[done:]]), stands


def _same(kind: str, value: str) -> str:
    """Reduce a value to what makes it the same however it is written."""
    if kind in _DIGIT_KINDS:
        digits = "".join(character for character in value if character.isdigit())
        return digits[1:] if kind == "PHONE" and len(digits) == 11 and digits[0] == "1" else digits
    return re.sub(r"[\s\-]+", "" if kind == "IBAN" else " ", value).casefold()


def _fit(place: Place, before: str, after: str) -> int:
    return _shared(place.before, before) + _shared(place.after, after)


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
