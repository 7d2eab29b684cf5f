"""Marks by which one window shows a text without some of its words, crosses them out or draws others in their place.

Chat products, wikis and forums each have a language of their own beside Markdown; any other window shows its marks.
What stands between them is read as it is written, and the mark is told, so that nothing passes unseen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from gate.text.figures.numbers import CARDINALS
from gate.text.formats.html_elements import hides

Span = tuple[int, int]

_INSIDE = r"(?=[^\n]{0,300}?[^\W_])"
_DRAWN = re.compile(
    # a stroke through the letter before
    r"(?<=[^\W_])[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb]"
    # commands of formulae that cross out, hide or rename
    r"|\\(?:[hv]?phantom|[bx]?cancel|cancelto|sout|(?:math)?[lrc]lap|(?:text)?color|[ef]?colorbox|htmlStyle"
    r"|[egx]?def|let|(?:re)?newcommand)(?![A-Za-z])"
)
_WRITTEN = re.compile(
    # spoilers of Discord, Telegram and Matrix, and of Reddit
    rf"\|\|(?=\S){_INSIDE}[^|\n]{{1,300}}(?<=\S)\|\||>!(?=\S){_INSIDE}[^!\n]{{1,300}}!<"
    # comments of Obsidian and of templates, changes in CriticMarkup
    rf"|%%{_INSIDE}[^%\n]{{1,300}}%%|\{{[#%]{_INSIDE}[^{{}}\n]{{1,300}}[#%]\}}|\{{/\*{_INSIDE}[^{{}}\n]{{1,300}}\*/\}}"
    rf"|\{{(?:--|\+\+|~~|>>|==){_INSIDE}[^{{}}\n]{{1,300}}(?:--|\+\+|~~|<<|==)\}}"
    # expressions in MDX, and a comment that is none here
    r"|\{[^{}\n]{1,100}(?:&&|\?)[^{}\n]{1,200}\}|<!--"
    # tags of forums, a word crossed out in Jira and Org, a link of a wiki that shows another text
    r"|\[/(?:s|strike|del|hide|hidden|i?spoilers?|colou?r|size|font|comment)\]"
    r"|(?<![^\s(\"'“‘])([-+])(?=[^\W\d_])\w{1,30}\1(?![^\s).,;:!?\"'”’])"
    r"|\[\[[^\[\]|\n]{1,100}\|[^\[\]\n]{1,100}\]\]"
    # names of digits, which windows draw as such
    rf"|:(?:{'|'.join(CARDINALS)}|keycap_ten|100|1234):"
    # a tag that never ends, which a page leaves out with all that follows
    r"|<[A-Za-z][A-Za-z]+(?=[\s/])[^<>]*\Z",
)
_NAMED = re.compile(
    # :name[…], :::name and :name:`…`
    r"(?<![\w:]):{1,9}\s?\{?\.?(?P<directive>[A-Za-z][\w-]{0,30})(?=[\[:{}\s])"
    # […]{.name}, {: .name} and [name]#…#
    r"|\{:?(?P<attributes>[^{}\n]{1,200})\}|\[(?P<role>[A-Za-z.][\w. -]{0,40})\](?=#)"
)
_WORD = re.compile(r"[A-Za-z][\w:-]*")
_STYLED = re.compile(r"(?i)\b(?:style|hidden|class)\b\s*=|(?<!\S)\.[A-Za-z]")


def covered(text: str, code: Sequence[Span] = ()) -> Iterator[Span]:
    """Where in a text such marks are, in order; `code`: where spans of code are, in which what is written is shown."""
    written = [one.span() for one in _WRITTEN.finditer(text)]
    written += [one.span() for one in _NAMED.finditer(text) if _names_a_hiding(one)]
    drawn = [one.span() for one in _DRAWN.finditer(text)]
    yield from sorted([*drawn, *(one for one in written if not _is_within(one[0], code))])


def _is_within(place: int, spans: Sequence[Span]) -> bool:
    at = bisect_left(spans, place + 1, key=lambda one: one[1])
    return at < len(spans) and spans[at][0] <= place


def _names_a_hiding(found: re.Match[str]) -> bool:
    """Whether a directive, a role or one of some attributes has the name of what hides or crosses out."""
    attributes = found["attributes"]
    if attributes is not None:
        return bool(_STYLED.search(attributes)) and (
            "style" in attributes or any(map(hides, _WORD.findall(attributes)))
        )
    return any(map(hides, _WORD.findall(found["directive"] or found["role"])))
