"""Where the sections of a Markdown text are; the text itself is kept as it is written."""

from __future__ import annotations

import re
from itertools import pairwise

from markdown_it import MarkdownIt

from gate.retrieval.chunking import Section, headed

_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?:(?!---)[^\r\n]{0,2000}\r?\n){1,200}---[ \t]*(?:\r?\n|$)")
_LINE = re.compile(r"(?m)^([A-Za-z][\w-]{0,60}):[ \t]+([^\r\n]*)")


def sections_of(text: str) -> tuple[str | None, list[Section]]:
    """Return the first heading of level one, and the sections; code blocks and front matter hold no headings."""
    told, after = front_matter(text)
    starts = [after, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text[after:]))]
    starts = [starts[0], *(after + start for start in starts[1:])]
    marks = [
        (starts[token.map[0]], int(token.tag[1:]), inline.content)
        for token, inline in pairwise(MarkdownIt().parse(text[after:]))
        if token.type == "heading_open" and token.map is not None and token.level == 0
    ]
    title = next((name for _, level, name in marks if level == 1), None)
    return title or told.get("title"), headed(marks, len(text), title)


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """Return what a page's head says in single lines (`title: Fees`), and where the page begins behind it."""
    found = _FRONT.match(text)
    if found is None or not (lines := _LINE.findall(found[0])):
        return {}, 0
    return {name.lower(): value.strip().strip("\"'") for name, value in lines if value.strip()}, found.end()
