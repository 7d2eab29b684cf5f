"""Elements of HTML that stand within a sentence."""

from __future__ import annotations

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
_UNSHOWN = """script style template noscript datalist dialog title rp bdo noembed noframes progress meter select"""
UNSHOWN = frozenset(_UNSHOWN.split())
"""Elements whose text a page leaves out, in whole or in part, or turns around."""
PLAIN_COLOURS = frozenset({"red", "green", "blue", "orange", "purple", "brown", "crimson", "darkred", "darkgreen"})
"""Colours of letters that are seen on white and on black."""
