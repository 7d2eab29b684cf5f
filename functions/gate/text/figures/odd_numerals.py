"""Numerals that nobody here reckons with, and a reader does: "Ⅻ days", "❾⓿ days", "within 九十 days", "XC days"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from gate.text.figures.units import UNITS
from gate.text.scripts import HAN, HIRAGANA, KATAKANA

_EAST = f"{HAN}{HIRAGANA}{KATAKANA}"
_HAN = rf"(?<![{_EAST}])[〇零一二三四五六七八九十百千万億亿兆廿卅两]+(?![{_EAST}])"
"""Among words of another script; in Chinese and Japanese they are words like others."""
_ROMAN = r"(?<!\w)(?=[IVXLC]{2})C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?=\s(?P<unit>[a-z]{3,20})(?!\w))"
_SIGN = "\0"
_NUMERALS = re.compile(rf"{_SIGN}+|{_HAN}|{_ROMAN}")
_KEYCAP_TEN = "\U0001f51f"


def odd_numerals(text: str) -> Iterator[tuple[str, int]]:
    """Each of them, as it is written, with its place; of Roman ones in letters those with a unit that is known."""
    marked = text if text.isascii() else "".join(_SIGN if _is_sign(char) else char for char in text)
    for found in _NUMERALS.finditer(marked):
        if found["unit"] is None or found["unit"] in UNITS:
            yield text[found.start() : found.end()], found.start()


@lru_cache(maxsize=4096)
def _is_sign(char: str) -> bool:
    """Whether a character is a number by itself, and no digit in the form in which texts are compared."""
    if char == _KEYCAP_TEN:
        return True
    if unicodedata.category(char) not in ("No", "Nl") or char == "〇":
        return False
    return not any("0" <= letter <= "9" for letter in unicodedata.normalize("NFKC", char))
