"""Where a sentence falls into parts: punctuation, and words that set one statement against another."""

from __future__ import annotations

import re

_AGAINST = "but|while|although|though|despite|whereas|unlike|contrary to|in fact|actually|in reality"
_TURNING = rf"{_AGAINST}|however|yet|still|nevertheless|nonetheless"
_REASONS = "because|since|as"
_DASH = r"\s[–—-]\s"
_CLAUSE = re.compile(rf"[;:()]|,(?!\d)|{_DASH}")
_MEMBER = re.compile(rf"(?i)[;:()]|,(?!\s?\d)|{_DASH}|\s(?:and|but|while|whereas|und|et|y)\s")
_STATEMENT = re.compile(rf"(?i);|{_DASH}|,\s(?=(?:it|they|he|she|we)\b)|,?\s(?=(?:{_AGAINST})\b)")
_LEADING = re.compile(rf"(?i)^\W*(?:{_AGAINST})\b[^,]*,")
_TURNS = re.compile(rf"(?i)[;:–—]|\b(?:{_TURNING}|{_REASONS})\b")


def clauses(text: str) -> list[str]:
    """Cut at punctuation; a comma within a number is none."""
    return _CLAUSE.split(text)


def members(text: str) -> list[str]:
    """Cut into the members of a list, each with its amounts."""
    return _MEMBER.split(text)


def statements(text: str) -> list[str]:
    """Cut where one statement is set against another: "While it is said that A, it is B, but C"."""
    leading = _LEADING.match(text)
    rest = text[leading.end() :] if leading else text
    return [*([leading[0]] if leading else []), *_STATEMENT.split(rest)]


def turns(text: str) -> bool:
    """Whether it goes on to another statement: "but", "because", a colon."""
    return bool(_TURNS.search(text))
