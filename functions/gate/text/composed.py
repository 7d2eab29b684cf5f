"""The form in which texts are compared, Unicode's composed one (NFKC), less what it makes of figures.

It would write "30¹ days" as "301 days", "10⁶" as "106", "30 days¹" as "30 days1", and "1½ hours" as "11⁄2 hours"; a
blank that does not break as any other, so that "1 000 days" ended in two figures. What shows nothing parts no figure.
"""

from __future__ import annotations

import re
import unicodedata

from gate.text.scripts import INVISIBLE

_FRACTION = "\u00bc-\u00be\u2150-\u215e\u2189"
_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_SMALL = f"{_RAISED}\u2080-\u2089\u2460-\u249b"
"""Digits that are raised, lowered, or in a circle."""
_BEHIND = re.compile(
    rf"(?<=\d)(?:(?P<fraction>[{_FRACTION}])|(?=[⁺⁻]?[{_SMALL}]))|(?:(?<=[^\W\d_]{{4}})|(?<=[%‰°]))(?=[{_RAISED}])"
)
"""Behind a short word what is raised is a part of it: m², CO₂."""
_OVERRIDES = "\u202d\u202e"
"""What stands behind one is shown in another order: such a figure stays one that nobody can tell."""
_UNSEEN = re.compile(f"(?![{_OVERRIDES}])[{INVISIBLE}]")
_FIXED = "\u00a0\u2007\u2009\u202f\u066c"
_GROUPED = re.compile(rf"(?<![\w.,])\d{{1,3}}(?:[{_FIXED}]\d{{3}})+(?!\d)")
_TOGETHER = str.maketrans("", "", _FIXED)
_UP = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_DOWN = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")
_FIGURES = re.compile(r"[0-9+-]+")


def composed(text: str) -> str:
    """The text in this form, without what shows nothing.

    Groups of digits are one figure; what is raised behind a figure or a word stands behind "^", a fraction behind a
    blank.
    """
    if text.isascii():
        return text
    text = _GROUPED.sub(lambda found: found[0].translate(_TOGETHER), _UNSEEN.sub("", text))
    return unicodedata.normalize("NFKC", _BEHIND.sub(_apart, text))


def raised(text: str) -> str:
    """What a page shows raised: of figures it is a power, or a mark, and no part of the figure before it."""
    return text.translate(_UP) if _FIGURES.fullmatch(text.strip()) else text


def lowered(text: str) -> str:
    """What a page shows lowered, in the same way: "30" with a low "1" behind it is no 301."""
    return text.translate(_DOWN) if _FIGURES.fullmatch(text.strip()) else text


MOVED = {"sup": raised, "sub": lowered}
"""What shows a text so, by how formats begin the name of it: `<sup>`, "superscript", "super 58%"."""


def _apart(found: re.Match[str]) -> str:
    return f" {found['fraction']}" if found["fraction"] else "^"
