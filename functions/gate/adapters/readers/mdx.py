"""MDX as Markdown: without imports, exports, expressions and tags of components; what stands between them stays."""

from __future__ import annotations

import html
import re

from gate.adapters.readers.markdown_document import front_matter
from gate.text.delimited import pairs
from gate.text.formats.html_elements import STRUCK, is_struck

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_BESIDE = re.compile(r"(^ {0,3}(?:`{3,}|~{3,})[^\s`{]{0,40}).{0,2000}$")
_TOP = re.compile(r"^# \S", re.MULTILINE)
_MODULE = re.compile(r"(?:import|export)\s")
_COMMENT, _COMMENT_END = re.compile(r"(\{/\*)"), {"{/*": re.compile(r"\*/\}")}
_SPAN = re.compile(r"(`[^`\n]{1,500}`)")
_TAG = re.compile(r"</?(?:[A-Za-z][\w.:-]{0,100})?(?:\s[^<>`]{0,2000})?/?>")
_KEPT = re.compile(rf"</?(?:br|sup|sub|{'|'.join(sorted(STRUCK))})(?=[\s/>])")
"""Tags that the reader of Markdown knows."""
_NAME = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,100})")
_NO_NAME = re.compile(r"[^\w-]")
_TITLE = re.compile(r"""\b(?:title|label|heading)\s{0,9}=\s{0,9}(?:"([^"<>]{1,500})"|'([^'<>]{1,500})')""")
_EXPRESSION = re.compile(r"\{[^{}\n]{0,500}\}")


def markdown_of(text: str) -> str:
    """Return the Markdown that a reader of the page sees; code is left as it is."""
    told, start = front_matter(text)
    lead = [f"# {told['title']}\n\n"] if "title" in told and not _TOP.search(text, start) else []
    lead += [f"{told['description']}\n\n"] if "description" in told else []
    struck = frozenset(name[2] for tag in _TAG.findall(text) if is_struck(tag) and (name := _NAME.match(tag)))
    parts = [
        _titled(part) if is_code else _plain(part, struck) for is_code, part in _stretches(text[start:].lstrip("\n"))
    ]
    return "".join([*lead, *parts])


def _titled(code: str) -> str:
    """A block of code behind its title; what else stands beside its language is for the page's maker."""
    opening, _, rest = code.partition("\n")
    titles = [first or second for first, second in _TITLE.findall(opening)]
    return "".join(f"{title}\n\n" for title in titles) + _BESIDE.sub(r"\1", opening, count=1) + "\n" + rest


def _stretches(text: str) -> list[tuple[bool, str]]:
    """The text cut at its fences of code."""
    found: list[tuple[bool, str]] = []
    fence, held = "", list[str]()
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            held.append(line)
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line.strip().strip(fence[0]):
                found.append((True, "".join(held)))
                fence, held = "", []
        elif mark:
            found.append((False, "".join(held)))
            fence, held = mark[1], [line]
        else:
            held.append(line)
    found.append((bool(fence), "".join(held)))
    return found


def _plain(text: str, struck: frozenset[str]) -> str:
    """Markdown without what is none; `struck` are the names of tags of which one crosses its text out by a style."""
    shown, at = [], 0
    for start, end in pairs(text, _COMMENT, _COMMENT_END):
        shown.append(text[at:start])
        at = end
    text = "".join(shown) + text[at:]
    kept, skipping = [], False
    for line in text.splitlines(keepends=True):
        if _MODULE.match(line):
            skipping = True
        elif not line.strip():
            skipping = False
        if not skipping:
            kept.append(line)
    return "".join(part if part.startswith("`") else _without_tags(part, struck) for part in _SPAN.split("".join(kept)))


def _without_tags(text: str, struck: frozenset[str]) -> str:
    text = _TAG.sub(lambda tag: _kept_of_tag(tag[0], struck) + _shown_of_tag(tag), text)
    return html.unescape(_EXPRESSION.sub(_shown_of_expression, text))


def _kept_of_tag(tag: str, struck: frozenset[str]) -> str:
    """A tag as the reader of Markdown knows it, where one of its name crosses its text out; else nothing."""
    name = _NAME.match(tag)
    if name is None or name[2] not in struck or tag.endswith("/>"):
        return ""
    style = ' style="line-through"' if is_struck(tag) else ""
    return f"<{name[1]}{_NO_NAME.sub('-', name[2])[:40]}{style}>"


def _shown_of_tag(found: re.Match[str]) -> str:
    if _KEPT.match(found[0]):
        return found[0]
    titles = [first or second for first, second in _TITLE.findall(found[0])]
    return "\n\n" + "\n\n".join(titles) + "\n\n" if titles else ""


def _shown_of_expression(found: re.Match[str]) -> str:
    inner = found[0][1:-1].strip()
    return inner[1:-1] if len(inner) > 1 and inner[0] == inner[-1] and inner[0] in "\"'`" else ""
