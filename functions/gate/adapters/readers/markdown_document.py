"""Where the sections of a Markdown text are; the text itself is kept as it is written."""

from __future__ import annotations

import re
from itertools import pairwise

from markdown_it import MarkdownIt

from gate.retrieval.chunking import Section, headed


def sections_of(text: str) -> tuple[str | None, list[Section]]:
    """Return the first heading of level one, and the sections; code blocks hold no headings."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    marks = [
        (starts[token.map[0]], int(token.tag[1:]), inline.content)
        for token, inline in pairwise(MarkdownIt().parse(text))
        if token.type == "heading_open" and token.map is not None and token.level == 0
    ]
    title = next((name for _, level, name in marks if level == 1), None)
    return title, headed(marks, len(text), title)
