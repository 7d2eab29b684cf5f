"""How exact an amount is: "about", "more than", "or less"."""

from __future__ import annotations

import re

_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.|roughly|nearly|almost|some|circa|c\.|ca\.|etwa|rund|environ|~|≈|over|under|"
    r"more than|less than|at least|at most|up to|well over)\s*(?:[$€£¥₹]\s?)?$",
    re.IGNORECASE,
)
_MORE = r"(?:more|greater|higher|larger|longer|older|heavier) than"
_LESS = r"(?:less|fewer|lower|smaller|shorter|younger|lighter) than"
_NOT = r"(?:(?<!need )not|never|cannot|(?!needn)\w{2,7}n['’]t)(?: be)?"
_OVER = r"(?:over|above|exceed(?:s|ed|ing)?)"
_BOUND = re.compile(
    rf"(?i)\b(?:(?P<most>(?:no|{_NOT}) {_MORE}|{_NOT} {_OVER}|{_LESS}|at most|up to|under|below|a maximum of)|"
    rf"(?P<least>(?:no|{_NOT}) {_LESS}|{_NOT} (?:under|below)|{_MORE}|at least|{_OVER}|a minimum of))"
    r"\s*(?:[$€£¥₹]\s?)?$|(?:(?P<below>[<≤]=?)|[>≥]=?)\s*(?:[$€£¥₹]\s?)?$"
)
_OR_SO = re.compile(
    r"(?i)(?:\+|\s(?:\w{1,30}\s)?or (?:more|over|above|older|longer|(?P<most>less|fewer|under|below|younger))"
    r"|\s(?:at (?:the )?least|minimum|(?P<below>at (?:the )?most|maximum)))(?!\w)"
)
"""What makes an amount a bound, before it and after it; "no more than" is found before "more than". What need not be
over 20 may be, and "no under 18 policy" speaks of those under 18."""
_MARK = re.compile(r"(?:(?:</?[A-Za-z][^<>]*>)+|[-=>]>|^[ \t>]*>)\s*(?:[$€£¥₹]\s?)?$", re.MULTILINE)
"""What ends in ">" and compares nothing: a tag, an arrow, the sign of a quoted line, which begins its line."""
_NEAR, _LONGEST_MARK = 25, 200
"""Characters before an amount in which its bound is looked for, and a mark between the two."""


def roughly(text: str, start: int) -> bool:
    """Whether the amount at `start` is called an approximate one."""
    return bool(_ABOUT.search(text[max(0, start - 20) : start].rstrip(" $€£¥₹") + " "))


def bound_of(text: str, start: int, end: int) -> int:
    """1 where the amount at `text[start:end]` is the least, -1 where it is the most, 0 where nothing says so."""
    mark = _MARK.search(text, max(0, start - _LONGEST_MARK), start) if ">" in text else None
    before = start if mark is None else mark.start()
    found = _BOUND.search(text, max(0, before - _NEAR), before) or _OR_SO.match(text, end)
    return 0 if found is None else -1 if found["most"] or found["below"] else 1
