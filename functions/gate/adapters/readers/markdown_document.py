"""What a reader of a Markdown page sees: its words without the marks, its tables row by row, its code as it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from gate.adapters.readers.html import AROUND
from gate.adapters.readers.html import text_of as text_of_html
from gate.adapters.readers.layout import Layout, Read
from gate.repository.names.corpus_names import code_of_markdown
from gate.text.composed import MOVED
from gate.text.delimited import pairs
from gate.text.formats.html_elements import STRUCK, UNSEEN, is_struck

DEEPEST = 100
"""Blocks within blocks; what lies deeper would be passed over, so such a page is read as it is written."""
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?:(?!---)[^\r\n]{0,2000}\r?\n){1,200}---[ \t]*(?:\r?\n|$)")
_LINE = re.compile(r"(?m)^([A-Za-z][\w-]{0,60}):[ \t]+([^\r\n]*)")
LONGEST_PART = 500_000
"""Characters of Markdown that are read at once."""
_NOTE = re.compile(r"(?m)^( {0,3})\[\^")
_AROUND = re.compile(rf"<(?=/?(?:{'|'.join(sorted(AROUND))}|main|article)\b)/?\w{{3,8}}[^<>]{{0,2000}}>", re.IGNORECASE)
"""Tags that tell what surrounds a page of HTML from what it is about; in Markdown all of it is the page."""
_STRUCK = re.compile(r"(?<!\S)~(?=[^\s~])[^~\n]{1,500}(?<=\S)~(?![\w~])")
"""What GitHub crosses out, and CommonMark does not; what others lower (`H~2~O`) stands behind a letter."""
TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w-]{0,40})(?P<about>(?=[\s/>])[^<>]{0,2000})>")
_COMMENT, _COMMENT_END = re.compile("(<!--)"), {"<!--": re.compile("-->")}
_END = re.compile(r"</([A-Za-z][\w-]{0,40})")
_CROSSED_FORMULA = re.compile(
    r"\\(?:(?:[hv]?phantom|[bx]?cancel|cancelto|sout|st|enclose)(?![A-Za-z])|(?:text)?color\s{0,9}\{\s{0,9}white\b)"
)
"""Commands of formulae that cross out or hide."""
_FIELDS = frozenset({"textarea", "select"})
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "link", "meta", "source", "col"})
_RAW = frozenset({"script", "style", "textarea", "title"})
"""Elements in which a tag is none but their own end."""


def text_of(text: str) -> Read:
    """Lay out a page; its title is its first heading of level one, or that of its head."""
    told, after = front_matter(text)
    page = Layout()
    page.block("\n".join(line for line in text[:after].splitlines() if line.strip("-\ufeff \t")), as_written=True)
    body = _NOTE.sub(r"\1\\[^", text[after:])  # a footnote is no address of a link
    reader = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    around = OpenElements(body)
    for part in _parts(body):
        tokens = reader.parse(part)
        if any(token.level >= DEEPEST - 1 for token in tokens):
            page.code(part)
        else:
            _lay_out(tokens, page, around)
    read = page.finish()
    return read._replace(title=read.title or told.get("title"), code=read.code | code_of_markdown(text))


def _parts(text: str) -> Iterator[str]:
    """A long page cut before headings, else between paragraphs or lines: an item of a list takes two kilobytes while it
    is read, and a page of a million of them is four megabytes long."""
    start = 0
    while len(text) - start > LONGEST_PART:
        most = start + LONGEST_PART
        ends = (text.rfind(mark, start + 1, most) for mark in ("\n\n#", "\n\n", "\n"))
        end = next((each + 1 for each in ends if each > 0), most)
        yield text[start:end]
        start = end
    yield text[start:]


class OpenElements:
    """The elements that are open, as far as they take back what stands in them, or hide it.

    Args:
        text: in which they are ended: `List<Object>` opens nothing that hides what follows.
        around: those that a piece of HTML before has opened, and that a later one may end.
    """

    def __init__(self, text: str, around: OpenElements | None = None) -> None:
        self._around, self._hiding, self._raw = around, 0, ""
        self._hidden = UNSEEN & {name.lower() for name in _END.findall(text)}
        self._open = defaultdict[str, list[bool]](list)

    @property
    def hides(self) -> bool:
        """Whether the page shows nothing of what stands here, or crosses it out."""
        return self._hiding > 0 or (self._around is not None and self._around.hides)

    def take(self, tag: re.Match[str]) -> None:
        """Open or end an element; an end of what is not open ends nothing."""
        name = tag["name"].lower()
        if self._raw and not (tag["end"] and name == self._raw):
            return
        self._raw = ""
        if tag["end"]:
            if self._open[name]:
                self._hiding -= self._open[name].pop()
            elif self._around is not None:
                self._around.take(tag)
        elif name in STRUCK or not (name in _VOID or tag["about"].endswith("/")):
            hides = name in STRUCK or name in self._hidden or is_struck(tag["about"])
            self._open[name].append(hides)
            self._hiding += hides
            self._raw = name if name in _RAW & self._hidden else ""

    def leave_open(self) -> None:
        """Hand on what hides and has no end here: a browser lets `<s>` go on in the blocks behind it."""
        around = self._around
        if around is not None:
            for name, opened in self._open.items():
                around._open[name].extend(filter(None, opened))
            around._hiding += self._hiding


def _lay_out(tokens: Sequence[Token], page: Layout, around: OpenElements) -> None:
    number, level, rows = "", 0, list[list[str]]()
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "list_item_open":
            number = f"{token.info}{token.markup} " if token.info else ""
        elif token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            page.table(rows)
            rows = []
        elif token.type == "inline":
            shown = _seen_words(token.children or [], around)
            if rows:
                rows[-1].append(shown)
            elif level:
                page.heading(level, shown)
            elif shown or not around.hides:
                page.block(number + shown, as_written=True)
            number, level = "", 0
        elif token.type in ("fence", "code_block") and not around.hides:
            page.code(token.content)
        elif token.type == "html_block":
            page.block(words_of_html(seen_html(token.content, around)), as_written=True)


def seen_html(block: str, around: OpenElements) -> str:
    """What a page shows of a piece of HTML, with its tags; what it opens and does not end is open behind it."""
    kept, at = list[str](), 0
    for start, end in pairs(block, _COMMENT, _COMMENT_END):
        kept.append(block[at:start])
        at = end
    block = "".join(kept) + block[at:]
    kept, at = [], 0
    for tag in TAG.finditer(block):
        if not around.hides:
            kept.append(block[at : tag.start()])
        at = tag.end()
        around.take(tag)
        if not around.hides:
            kept.append(tag[0])
    return "".join(kept) + ("" if around.hides else block[at:])


def words_of_html(block: str) -> str:
    """The words of a piece of HTML; of one that cannot be read all of it."""
    if not TAG.sub("", block).strip():
        return ""  # to read each of 80,000 tags by itself takes 30 s
    try:
        return text_of_html(_AROUND.sub("<div>", block)).text
    except ValueError:
        return block


def _seen_words(tokens: Sequence[Token], around: OpenElements | None = None) -> str:
    """The words of a line; what is struck out or hidden is none of them, nor is what HTML says beside them. Of a line
    with a formula that crosses out none is read: where that begins and ends each program says for itself; and none of
    one with words in a drawing or a field, without which it may say the opposite."""
    if any(token.type == "text" and _CROSSED_FORMULA.search(token.content) for token in tokens):
        return ""
    html = "".join(token.content for token in tokens if token.type == "html_inline")
    ended = {name.lower() for name in _END.findall(html)}
    if {"svg", "text"} <= ended or not _FIELDS.isdisjoint(ended):
        return ""
    inside = OpenElements(html, around)
    shown = "".join(_words(tokens, inside))
    inside.leave_open()
    return shown


def _words(tokens: Sequence[Token], around: OpenElements) -> Iterator[str]:
    struck, moved = 0, _as_it_is
    for token in tokens:
        tag = TAG.match(token.content) if token.type == "html_inline" else None
        name = tag["name"].lower() if tag else ""
        if tag:
            around.take(tag)
            if name in MOVED:
                moved = _as_it_is if tag["end"] else MOVED[name]
        struck += {"s_open": 1, "s_close": -1}.get(token.type, 0)
        if struck > 0 or around.hides:
            continue
        if token.type in ("text", "code_inline", "text_special"):
            shown = token.content if token.type == "code_inline" else _STRUCK.sub("", token.content)
            yield moved(shown)
        elif token.type in ("softbreak", "hardbreak") or name == "br":
            yield "\n"
        elif token.type == "image":
            yield _seen_words(token.children or [])


def _as_it_is(text: str) -> str:
    return text


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """Return what a page's head says in single lines (`title: Fees`), and where the page begins behind it."""
    found = _FRONT.match(text)
    if found is None or not (lines := _LINE.findall(found[0])):
        return {}, 0
    return {name.lower(): value.strip().strip("\"'") for name, value in lines if value.strip()}, found.end()
