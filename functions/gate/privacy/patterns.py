"""Patterns for e-mail addresses, US phone numbers and Social Security numbers: the floor under every redactor.

Each pattern is anchored at the edge of a run and takes runs possessively or in bounded pieces, so that the time is
linear in the text, whatever the text. What they do not catch is listed in docs/privacy.md.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from gate.privacy.redaction import Finding, redacted
from gate.text.scripts import INVISIBLE

VERSION = "2"

_LOOKS_LIKE = (
    {0xFF00 + code: chr(0x20 + code) for code in range(1, 0x5F)}  # full-width forms
    | dict.fromkeys([0x3000, 0x205F, *range(0x2000, 0x200B)], " ")
    | dict.fromkeys([0x2043, 0xFE58, 0xFE63, 0xFF0D], "-")
    | {0xFE6B: "@"}
)
_WRITTEN_OTHERWISE = re.compile(f"[{INVISIBLE}{''.join(map(chr, _LOOKS_LIKE))}]")
_SEEN = re.compile(f"[^{INVISIBLE}]+")

DASHES = "\\-\u2010\u2011\u2012\u2013\u2014\u2212"
BLANKS = " \t\u00a0\u2007\u2009\u202f\u200b\u2060"
GAP = f"(?:[{BLANKS}]{{0,2}}[{DASHES}./·][{BLANKS}]{{0,2}}(?:\\r?\\n)?|[{BLANKS}]{{1,2}})"
"""What may stand between the groups of a phone number: a mark with blanks around it, or blanks."""

_LETTER = "A-Za-z0-9\u00c0-\u024f\u0370-\u052f"
_LOCAL = f"[{_LETTER}._%+\\-]"
_DOMAIN = (
    f"(?:(?:[{_LETTER}][{_LETTER}_\\-]*+\\.){{1,32}}(?:xn--[a-z0-9\\-]+|[A-Za-z\u00c0-\u024f\u0370-\u052f]{{2,}})"
    r"|\[\d{1,3}(?:\.\d{1,3}){3}\])"
)
EMAIL = re.compile(
    f'(?:(?<!{_LOCAL})(?:[{_LETTER}]{{1,2}}[\'’])?{_LOCAL}++|"[^"\\n]{{1,64}}")[@＠]{_DOMAIN}'
    f"(?:{_LOCAL}*+[@＠]{_DOMAIN})*+"
)
"""The second line takes addresses that stand against the first, as in `a@example.com-b@example.com`."""
EMAIL_FOREIGN = re.compile(r"(?<![\w.%+-])[\w.%+-]++[@＠](?=[^\x00-\u052f\s])[\w-]++(?:\.[\w-]++)+")
"""A domain in a script in which words need not stand apart: as far as the letters go."""
EMAIL_SPELLED = re.compile(
    r"(?<![\w.+-])[\w.+-]++"
    r"(?:%(?:25)*40|&#(?:64|x40);|&commat;| ?[\[({<] ?at ?[\])}>] ?)"
    r"(?:[\w-]++(?:\.| ?[\[({<] ?(?:dot|\.) ?[\])}>] ?)){1,8}[A-Za-z]{2,}",
    re.IGNORECASE,
)
_NOT_TOP_LEVEL = frozenset({"png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "mjs", "json", "html"})
_AT = re.compile("[@＠]")
_RELEASE = re.compile(r"v?\d+\.\d+")

_EXTENSION = r"(?:[ \t]?,?[ \t]?(?:x|ext\.?|extension)[ \t]?\d{1,6}(?!\d))?"
PHONE = re.compile(
    f"(?<!\\d)(?:(?:(?<!\\w)|\\+)1{GAP}?)?(?:"
    f"\\( ?\\d{{3}} ?\\)(?:{GAP})?\\d{{3}}(?:{GAP})?\\d{{4}}"
    f"|\\d{{3}}{GAP}\\d{{3}}(?:{GAP})?\\d{{4}}"
    f"|\\d{{6}}{GAP}\\d{{4}}"
    f")(?!\\d){_EXTENSION}",
    re.IGNORECASE,
)
PHONE_BARE = re.compile(r"(?<![\w.$€£#/-])(?<!\d,)(?:\+?1)?[2-9]\d{9}(?!\w|[.,-]\d)")
_COUNTED = re.compile(
    "order|invoice|isbn|ticket|tracking|case|ref|reference|sku|part|serial|item|commit|timestamp|epoch|batch|lot|build|"
    "version|id|upc|ean|gtin|doi|pmid|seed|size|population|total|sum"
)
"""Words before ten digits that make them something else than a phone number."""
_NUMBER_WORDS = frozenset({"no", "nr", "num", "number", "code", "is", "of"})
_WORDS = re.compile(r"[^\W_]+")
_NOT_PHONE_AFTER = re.compile(
    r"[ \t]{0,2}(?:%|(?:bytes|[kmg]b|ns|ms|seconds|rows|records|users|people|usd|eur|dollars|euros|tokens|items)\b)",
    re.IGNORECASE,
)
_CONTEXT = 32
"""Characters read before a bare number to tell a phone number from a count or an order number."""

_SSN_GAP = f"[{BLANKS}]?[{DASHES}][{BLANKS}]?(?:\\r?\\n)?"
SSN = re.compile(f"(?<!\\d)\\d{{3}}{_SSN_GAP}\\d{{2}}{_SSN_GAP}\\d{{4}}(?![^\\W_])")
SSN_CUED = re.compile(
    r"\b(?:ssn|social[ -]security(?:[ -](?:number|no\.?|#))?)[\s:#=]{0,4}(?:is|was)?[\s:#]{0,3}"
    r"(?P<value>\d{3}[ .]?\d{2}[ .]?\d{4})(?!\d)",
    re.IGNORECASE,
)


class Rule(NamedTuple):
    """A pattern, what it finds, and a check that a match must pass; a group `value`, if any, is the find.

    `needs` says whether a text holds what every match has: most hold none, which is seen in a hundredth of the time.
    """

    kind: str
    name: str
    pattern: re.Pattern[str]
    check: Callable[[str, int, int], bool] | None = None
    needs: Callable[[str], bool] | None = None


def is_address(text: str, start: int, end: int) -> bool:
    """Whether what looks like an e-mail address is none of `icon@2x.png` and `package@1.2.0-beta.rc`."""
    domains = [match.end() for match in _AT.finditer(text, start, end)]
    ends = [*(at - 1 for at in domains[1:]), end]
    return any(_is_domain(text, *domain) for domain in zip(domains, ends, strict=True))


def _is_domain(text: str, start: int, end: int) -> bool:
    top_level = text[text.rfind(".", start, end) + 1 : end].lower()
    return top_level not in _NOT_TOP_LEVEL and not _RELEASE.match(text, start, end)


def is_bare_phone(text: str, start: int, end: int) -> bool:
    """Whether ten digits in a row are a phone number, by the words around them."""
    return not is_counted(text, start) and not _NOT_PHONE_AFTER.match(text, end)


def is_counted(text: str, start: int) -> bool:
    """Whether the words before a number say that it numbers something: an order, a book, a version."""
    words = _WORDS.findall(text[max(0, start - _CONTEXT) : start].lower())
    while words and words[-1] in _NUMBER_WORDS:
        words.pop()
    return bool(words and _COUNTED.fullmatch(words[-1]))


_SPELLED_SIGN = re.compile(r"[%&\[({<](?:(?:25)*40|#(?:64|x40);|commat;| ?at ?[\])}>])", re.IGNORECASE)
_FOUR_DIGITS = re.compile(r"\d\d\d\d")
_FOUR_ASCII_DIGITS = re.compile(r"\d\d\d\d", re.ASCII)
"""In a third of the time."""


def _has_sign(text: str) -> bool:
    return "@" in text or "＠" in text


def _has_spelled_sign(text: str) -> bool:
    return any(begins in text for begins in "%&[({<") and _SPELLED_SIGN.search(text) is not None


def _has_four_digits(text: str) -> bool:
    return (_FOUR_ASCII_DIGITS if text.isascii() else _FOUR_DIGITS).search(text) is not None


RULES: tuple[Rule, ...] = (
    Rule("EMAIL", "email", EMAIL, is_address, needs=_has_sign),
    Rule("EMAIL", "email-foreign", EMAIL_FOREIGN, needs=_has_sign),
    Rule("EMAIL", "email-spelled", EMAIL_SPELLED, needs=_has_spelled_sign),
    Rule("SSN", "ssn", SSN, needs=_has_four_digits),
    Rule("SSN", "ssn-cued", SSN_CUED, needs=_has_four_digits),
    Rule("PHONE", "us-phone", PHONE, needs=_has_four_digits),
    Rule("PHONE", "us-phone-bare", PHONE_BARE, is_bare_phone, needs=_has_four_digits),
)


def find(text: str, rules: tuple[Rule, ...] = RULES) -> Iterator[Finding]:
    """Yield what `rules` find in `text`, rule by rule; findings may overlap.

    A text with characters that show nothing, or look like others, is read once more as it looks: a zero-width space in
    a number hides it from a pattern and from nobody else.
    """
    yield from _found(text, rules)
    if not text.isascii() and _WRITTEN_OTHERWISE.search(text):
        seen = [(match.start(), match[0]) for match in _SEEN.finditer(text)]
        places = array("q")
        for start, stretch in seen:
            places.extend(range(start, start + len(stretch)))
        for kind, name, start, end in _found("".join(stretch for _, stretch in seen).translate(_LOOKS_LIKE), rules):
            yield Finding(kind, name, places[start], places[end - 1] + 1)


def _found(text: str, rules: tuple[Rule, ...]) -> Iterator[Finding]:
    there: dict[Callable[[str], bool], bool] = {}
    for rule in rules:
        if rule.needs and rule.needs not in there:
            there[rule.needs] = rule.needs(text)
        if rule.needs and not there[rule.needs]:
            continue
        group = "value" if "value" in rule.pattern.groupindex else 0
        for match in rule.pattern.finditer(text):
            start, end = match.span(group)
            if rule.check is None or rule.check(text, start, end):
                yield Finding(rule.kind, rule.name, start, end)


def hidden(name: str) -> str:
    """Return a name that travels in the open, such as a file's, with what the floor finds in it replaced."""
    return redacted(name, find(name), "patterns").text


def hidden_id(key: str) -> str:
    """Return the id of a document or passage as `hidden` does, told from others of the same look by a hash of it."""
    shown = hidden(key)
    return key if shown == key else f"{shown}~{hashlib.sha256(key.encode()).hexdigest()[:8]}"
