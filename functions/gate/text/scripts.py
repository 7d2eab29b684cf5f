"""Scripts: their characters, as classes for patterns, and their digits."""

from __future__ import annotations

_ZEROS = (
    0x0660,
    0x06F0,
    0x0966,
    0x09E6,
    0x0A66,
    0x0AE6,
    0x0B66,
    0x0BE6,
    0x0C66,
    0x0CE6,
    0x0D66,
    0x0E50,
    0x0ED0,
    0x1040,
)
DIGITS = {zero + value: str(value) for zero in _ZEROS for value in range(10)}
"""Digits of other scripts, as `str.translate` takes them, and the ASCII digits that they are."""
MARKS = "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff\u0e80-\u0fff\u1000-\u109f"
"""Combining marks, which `\\w` leaves out, and with them the vowels of Indic, Arabic and Hebrew writing."""
HAN = "\u2e80-\u2fdf\u3005\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3040-\u309f"
KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff{HAN}{HIRAGANA}{KATAKANA}"
"""Scripts that put no spaces between words."""
INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f"
)
"""Characters that show nothing: joiners, direction marks, variation selectors, tags."""
