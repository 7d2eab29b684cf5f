"""Words as a reader sees them, whatever letters that look like Latin ones they are written in."""

from __future__ import annotations

import re
import unicodedata

_LIKE = str.maketrans(
    {
        **dict(zip("аеорсухіѕјптвкмн", "aeopcyxisjntbkmh", strict=True)),
        **dict(zip("οντηεραικυχ", "ovtnepaikux", strict=True)),
        **dict(zip("ɴᴏᴛᴇᴠʀɪᴜʜᴡᴄᴀʙ", "notevriuhwcab", strict=True)),
        **dict(zip("ոս013@$", "nuoleas", strict=True)),
    }
)
"""Cyrillic and Armenian, Greek, small capitals, and signs that stand for letters."""
_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2060-\u2064\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_PARTED = re.compile(r"(?<![^\W_])[^\W\d_](?:[ ._|\\/*-][^\W\d_]){2,}(?![^\W_])")
"""Letters one by one: "n o t", "n-o-t"."""
_WITHIN = re.compile(r"(?<=[^\W\d_])[|\\/*_](?=[^\W\d_])")
_WORD = re.compile(r"\S+")


def folded(text: str) -> str:
    """The text with the Latin letters that its letters look like; a word of another alphabet alone is left as it is."""
    if text.isascii() and not _PARTED.search(text) and not _WITHIN.search(text) and not re.search(r"\d[a-z]", text):
        return text
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    plain = _WITHIN.sub("", _PARTED.sub(lambda found: re.sub(r"[\W_]", "", found[0]), plain))
    return _WORD.sub(_latin, plain)


def _latin(found: re.Match[str]) -> str:
    word = "".join(letter for letter in unicodedata.normalize("NFD", found[0]) if not unicodedata.combining(letter))
    return word.lower().translate(_LIKE) if re.search(r"[A-Za-z\u1d00-\u1d2b\u0262-\u0299]", word) else found[0]
