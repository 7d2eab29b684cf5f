"""Elements of HTML, and names of styles, by what a page does with their text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from gate.text.delimited import pairs

INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong", "sub",
     "sup", "time", "u", "var", "wbr", "font", "ins", "del", "label"}
)  # fmt: skip
RARE = frozenset({"bdo", "data", "dfn", "samp", "strike", "tt"})
"""Inline too; a page of a corpus is parted at them, an answer is not."""
_ELEMENTS = """address area article aside audio base blockquote body br button canvas caption center col colgroup
datalist dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
head header hgroup hr html iframe img input legend li link main map math menu menuitem meta meter nav nobr noembed
noframes noscript object ol optgroup option output p param picture pre progress rb rp rt rtc ruby script search section
select slot source style summary svg table tbody td template textarea tfoot th thead title tr track ul video
circle defs ellipse g line lineargradient path polygon polyline rect stop text tspan
acronym applet basefont big blink marquee"""
ELEMENTS = INLINE | RARE | frozenset(_ELEMENTS.split())
"""Names of tags that browsers know, with those of drawings."""
_BOOLEAN = """allowfullscreen async autofocus autoplay checked compact controls default defer disabled download
formnovalidate hidden inert ismap itemscope loop multiple muted nomodule noshade novalidate nowrap open playsinline
popover readonly required reversed selected"""
BOOLEAN = frozenset(_BOOLEAN.split())
"""Attributes that have no value."""
MEDIA = frozenset({"img", "iframe", "video", "audio", "object", "embed", "svg", "canvas", "frame", "applet"})
"""Elements that show what is no text."""
STRUCK = frozenset({"del", "s", "strike"})
"""Elements whose text is crossed out."""
_UNREAD = frozenset("script style template noscript datalist title rp noembed noframes select".split())  # noqa: SIM905
UNSHOWN = _UNREAD | {"dialog", "rt", "rtc", "bdo", "progress", "meter"}
"""Elements whose text a page leaves out, in whole or in part, or turns around."""
UNSEEN = _UNREAD | MEDIA | {"textarea", "annotation", "annotation-xml"}
"""Elements whose words are none of a page's: commands, choices of forms, and what stands in for something else."""
PLAIN_COLOURS = frozenset({"red", "green", "blue", "orange", "purple", "brown", "crimson", "darkred", "darkgreen"})
"""Colours of letters that are seen on white and on black."""
_HIDING = """hidden hide hides invisible visually offscreen transparent collapse collapsed collapsible opacity clip
clipped sr screenreader noshow strike strikethrough striked struck through deleted del removed spoiler redacted blur
blurred masked ghost white black s"""
HIDING = frozenset(_HIDING.split())
"""Words in the names of styles that hide a text or cross it out, in Tailwind, Bootstrap, Bulma and their kind."""
_WHOLE_NAMES = frozenset({"d-none", "display-none", "screen-reader-text", "screen-reader"})
_BESIDE_TEXT = re.compile(
    r"bg|border|overflow|whitespace|white-space|shadow|ring|fill|stroke|divide|from|to|via|outline"
)
_ESCAPED = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})\s?|(.))")
_COMMENT, _COMMENT_END = re.compile(r"(/\*)"), {"/*": re.compile(r"\*/")}
_QUOTE = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\\."
_QUOTED = re.compile(_QUOTE)
_BRACES = str.maketrans("{}", "\1\2"), str.maketrans("\1\2", "{}")
"""Within quotes and escaped they begin and end nothing."""
_BESIDE_ELEMENT = re.compile(rf"(?i)({_QUOTE})|::?(?:before|after|marker|placeholder|selection)\b")
"""Parts of a page that are none of its text."""
_OF_ANOTHER_RULE = re.compile(r"(?i)&|:scope\b|^(?:from|to)\b")
"""A selector that says nothing without the rule around it."""
_NO_SIZE = re.compile(r"(?:^|:)-?(?:h|w|size|scale|leading|text)-\[?0(?:px|rem|em)?\]?$")


def is_struck(about: str) -> bool:
    """Whether a tag's style, or all that it says of itself, crosses its text out."""
    return _strikes(html.unescape(about))


def _strikes(css: str) -> bool:
    return "line-through" in _unescaped(css).lower()


def _unescaped(css: str) -> str:
    """CSS with each escape as what it stands for: `line\\2d through`."""
    return _ESCAPED.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], css)


def striking(sheet: str) -> Iterator[str]:
    """The selectors of the rules of a style sheet that cross a text out; empty where nobody can say what of."""
    kept, at = list[str](), 0
    for start, end in pairs(sheet, _COMMENT, _COMMENT_END):
        kept.append(sheet[at:start])
        at = end
    plain = _QUOTED.sub(lambda found: found[0].translate(_BRACES[0]), "".join(kept) + sheet[at:])
    for rule in plain.split("}"):
        before, _, declared = rule.rpartition("{")
        selector = before.rpartition("{")[2].rpartition(";")[2].strip().translate(_BRACES[1])
        if any(map(_strikes, _declared_around(before))):
            yield ""
        for one in filter(_strikes, declared.split(";")):
            # a variable crosses out wherever it is asked for
            yield "" if one.lstrip().startswith("--") else _of_elements(selector)


def _declared_around(before: str) -> Iterator[str]:
    """What is declared before a rule within another one, as far as it stands behind the last one's end."""
    for part in before.split(";")[:-1]:
        yield part.rpartition("{")[2]


def _of_elements(selector: str) -> str:
    """A selector without what stands beside an element's text; empty where it needs the rule around it."""
    if _OF_ANOTHER_RULE.search(selector):
        return ""
    return _BESIDE_ELEMENT.sub(lambda found: found[1] or ":not(*)", selector)


def hides(name: str) -> bool:
    """Whether the name of a style, a role or a directive says that its text is hidden or crossed out: "sr-only"."""
    name = name.lower().lstrip(".")
    last = name.rpartition(":")[2]
    if last in _WHOLE_NAMES or _NO_SIZE.search(name):
        return True
    return not _BESIDE_TEXT.match(last) and not HIDING.isdisjoint(re.split(r"[-_]+", last))
