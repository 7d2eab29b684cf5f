"""What a reader sees of an answer: the blocks of its Markdown, rendered, and where each rendered character stands.

CommonMark and tables, by markdown-it-py. The library says on which lines a block stands. Where in its line a character
stands is worked out here: a rule of ours sees every place at which the library begins to read a token.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from gate.claims.covered import covered
from gate.claims.tags import TEMPLATE, Span, read_tag
from gate.text.composed import raised
from gate.text.formats.html_elements import INLINE, RARE, STRUCK

Kind = Literal[
    "paragraph",
    "heading",
    "item",
    "row",
    "head",
    "code",
    "html",
    "alternative",
    "image",
    "footnote",
    "unseen",
    "template",
]
BESIDE: tuple[Kind, ...] = ("unseen", "alternative", "image")
"""Blocks that stand beside the text: no sentence, row or heading is parted by them."""
LONGEST_PARAGRAPH = 20_000
"""Characters; what is longer is read as it is written: to find links and emphasis takes more than linear time."""
DEEPEST = 40
"""Quotes and lists within each other; below it lines are read as they are written."""

_LINE_END = re.compile(r"\r\n?|\n")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\s]{1,100}\]:[ \t]*")
_IMAGE = re.compile(r"\]\(\s*<?(?P<target>[^\s()<>]{1,2000})")
_TITLE = "|".join(
    rf"{opening}(?P<{name}>(?:\\.|[^\\{closing}]){{1,1000}}+){closing}"
    for name, opening, closing in (("double", '"', '"'), ("single", "'", "'"), ("round", r"\(", r"\)"))
)
_LONGEST_TARGET = 5_000
"""Characters of a link's address and title."""
_MARKUP = re.compile(r"[~<&\\`\[{|%$]|(?<=\w)[*_=]{1,3}(?=\w)|(?<!\S)[*_=]{1,3}(?=\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TITLED = re.compile(rf"\]\(\s*(?:<[^<>\n]{{0,2000}}>|[^\s<>]{{0,2000}}+)\s+(?:{_TITLE})", re.DOTALL)
_TARGET = re.compile(r" {0,3}\[[^\]]{1,1000}\]:")
_TARGET_TITLED = re.compile(
    rf"[ >]*\[[^\]]{{1,1000}}\]:\s*(?:<[^<>\n]{{0,2000}}>|[^\s<>]{{1,2000}}+)\s+(?:{_TITLE})\s*$"
)
_QUOTE = re.compile("[\"'“”]")
_MOST_UNSAID = 2
"""Words on the line of a code fence, or in quotation marks there, that are a language, a file or options."""
_FENCE_WORD = re.compile(r"[^\W\d_][^\W\d_'’]*[.,:;!?]*")
_COMMENTED = r"<!--(?:-?>|(?:[^-]|-(?!-!?>))*+(?:--!?>)?)"
"""A comment, which ends where browsers end it."""
_COMMENT = re.compile(_COMMENTED)
_TAG = re.compile(rf"{_COMMENTED}|<[/!?]?[A-Za-z][^<>]*>")
_HIDDEN = re.compile(r"<(script|style|template)(?=[\s/>])", re.IGNORECASE)
_INLINE = re.compile(rf"</?(?:{'|'.join(sorted(INLINE | RARE))})\b|<!--", re.IGNORECASE)
"""Tags within a sentence; any other parts what stands before it from what follows."""
_ANCHOR = re.compile(r"<a\s[^<>]*?\bhref\s*=\s*[\"']?([^\s\"'<>]{1,2000})", re.IGNORECASE)
_ID = re.compile(r"\s(?:id|name)\s*=\s*[\"']?([^\s\"'<>]{1,200})", re.IGNORECASE)
_OF_TABLE = re.compile(r"<(/?(?:table|tr|td|th))(?=[\s/>])", re.IGNORECASE)
_SPANS = re.compile(r"\s(?:col|row)span\b", re.IGNORECASE)
SPANNING = "spanning"
_REFERENCE = re.compile(r"&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});?|[A-Za-z][A-Za-z0-9]{1,31};)")
"""A character by its number or name."""
_WORD = re.compile(r"[^\W_]")
_TILDES = re.compile(r"~{3,}")
"""Some windows cross out what stands between two of them, others show them."""
_BOLD = re.compile(r"(\*\*|__)(?![\s*_])[^*_`\n\[\]]{1,60}(?<![\s.!?:;,*_])\1")
"""A paragraph in bold letters, which looks like a heading: "**Known issues**"."""
LOWEST = 7
"""Level of such a heading, which stands under every other."""
_CONTAINERS: dict[str, Kind] = {
    "heading": "heading",
    "list_item": "item",
    "th": "head",
    "td": "row",
    "footnote": "footnote",
}


@dataclass(slots=True)
class Block:
    """A stretch of the answer that is read as one.

    Attributes:
        kind: what it is. `head` and `row` are lines of a table; `alternative` is a text that stands for an image or in
            an attribute of a tag; `image` the address of what is shown and is no text; `unseen` is what no reader sees:
            the target of a link, a comment, and what a code fence says beside its language, a title aside; `template`,
            of a span alone, is what a chat model's template leaves.
        text: as rendered; a line break is a blank.
        starts, ends: for each character of `text`, the offsets in the answer of what it was made from.
        level: of a heading, 1 to 6; of an item, how deep its list is; else 0.
        cells: of a head or row, where in `text` each cell is.
        code, links: where in `text` code spans are, and links, with their addresses.
        struck: where in `text` is what stands crossed out; `crossed`: how many such stretches are open at its end.
        raised: where in `text` begins what is raised, as far as it has not ended.
        breaks: where in `text` the lines begin that are not its first.
        language: of code, what its fence says.
        label: of a footnote or a numbered item, what it is referred to by; of the target of a link, its title; of a
            title, "title".
        anchors: of HTML, where in `text` elements with an id begin, and their ids.
        tags: of HTML, where in `text` tags of tables stand, and their names: `td`, `/td`; `SPANNING` of a cell that may
            stand below several heads.
    """

    kind: Kind
    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    level: int = 0
    cells: list[Span] = field(default_factory=list)
    code: list[Span] = field(default_factory=list)
    links: list[tuple[int, int, str]] = field(default_factory=list)
    struck: list[Span] = field(default_factory=list)
    crossed: int = 0
    raised: int | None = None
    breaks: list[int] = field(default_factory=list)
    language: str = ""
    label: str = ""
    anchors: list[tuple[int, str]] = field(default_factory=list)
    tags: list[tuple[int, str]] = field(default_factory=list)

    def add(self, text: str, offsets: Iterable[Span]) -> None:
        """Append rendered text, with the offsets of each of its characters."""
        self.text += text
        for start, end in offsets:
            self.starts.append(start)
            self.ends.append(end)

    def strike(self, *, begins: bool) -> bool:
        """Begin or end a stretch that is crossed out; whether there was one to end."""
        if not begins and not self.crossed:
            return False
        self.crossed += 1 if begins else -1
        if begins and self.crossed == 1:
            self.struck.append((len(self.text), sys.maxsize))
        elif not begins and not self.crossed:
            self.struck[-1] = (self.struck[-1][0], len(self.text))
        return True

    def raise_figures(self, *, begins: bool) -> None:
        """Begin or end a raised stretch."""
        if not begins and self.raised is not None:
            self.text = self.text[: self.raised] + raised(self.text[self.raised :])
        self.raised = len(self.text) if begins else None

    def source(self, start: int, end: int) -> Span:
        """Offsets in the answer of `text[start:end]`, which must not be empty."""
        return self.starts[start], self.ends[end - 1]


@dataclass(frozen=True, slots=True)
class _Source:
    """Text of the answer without what its container puts before each line, and the offset of each character."""

    text: str
    offsets: list[int]

    def spans(self, start: int, end: int) -> list[Span]:
        return [(offset, offset + 1) for offset in self.offsets[start:end]]

    def whole(self, start: int, end: int) -> Span:
        return self.offsets[start], self.offsets[end - 1] + 1


def blocks(answer: str) -> list[Block]:
    """Cut `answer` into what a reader sees, in order; markup aside, each letter and digit of it is in one block."""
    lines, env = [*_lines(answer)], dict[str, Any]()
    tokens = _reader().parse(answer, env)
    env["known_titles"] = {target["title"] for target in env.get("references", {}).values()}
    seen = [block for block in _seen(lines, tokens, env) if block.text.strip()]
    return sorted([*seen, *_passed_over(lines, tokens)], key=lambda block: block.starts[0])


def _lines(answer: str) -> Iterator[_Source]:
    start, text = 0, answer.replace("\0", "\ufffd")  # as the library reads it
    for end in _LINE_END.finditer(text):
        yield _Source(text[start : end.start()], [*range(start, end.start())])
        start = end.end()
    yield _Source(text[start:], [*range(start, len(text))])


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"maxNesting": DEEPEST, "strikethrough_single_tilde": True}).enable(
        ["table", "strikethrough"]
    )
    reader.disable(["inline", "text_join", "fragments_join"])  # we read inside of blocks; what is joined has no place
    reader.inline.ruler.before("text", "place", _note_place)
    reader.block.ruler.before("reference", "footnote", _footnote, {"alt": ["paragraph", "reference"]})
    return reader


def _note_place(state: StateInline, silent: bool) -> bool:
    """Note where the next token of a list begins, after the text that waits to become one; reads nothing."""
    if not silent:
        number = len(state.tokens) + bool(state.pending)
        state.env["places"].setdefault(id(state.tokens), {})[number] = state.pos
    return False


def _footnote(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """`[^label]: what it says`, one paragraph; plain CommonMark can take it for the target of a link."""

    def begins(at: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.match(state.src[state.bMarks[at] + state.tShift[at] : state.eMarks[at]])

    if state.is_code_block(line) or not (label := begins(line, _FOOTNOTE)):
        return False
    if not silent:
        last = line + 1
        while last < end and not state.isEmpty(last) and not begins(last, _TARGET):
            last += 1
        state.line = last
        state.push("footnote_open", "", 1).info = label[0].strip()[2:-2]
        token = state.push("inline", "", 0)
        token.content = state.getLines(line, last, state.blkIndent, False).strip()[len(label[0].lstrip()) :]
        token.map = [line, last]
        state.push("footnote_close", "", -1)
    return True


def _seen(lines: list[_Source], tokens: list[Token], env: dict[str, Any]) -> Iterator[Block]:
    """The blocks that the library found."""
    containers: list[Block] = []
    row: Kind = "row"
    lists, read, told, numbers = 0, _lines_read(tokens), _telling_numbers(tokens), Block("item")
    for place, token in enumerate(tokens):
        name = token.type.removesuffix("_open").removesuffix("_close")
        if place in told and token.map and token.map[0] in read:
            number = _number(lines[token.map[0]], token.info + token.markup, told[place])
            if told[place] == "image":
                yield number
            else:
                numbers.add(number.text, zip(number.starts, number.ends, strict=True))
        if name in ("bullet_list", "ordered_list"):
            lists += token.nesting
        elif name in ("thead", "tbody"):
            row = "head" if name == "thead" else "row"
        elif name in _CONTAINERS and token.nesting == 1:
            level = int(token.tag[1]) if name == "heading" else lists
            containers.append(Block(_CONTAINERS[name], level=level, label=token.info))
        elif name in _CONTAINERS:
            containers.pop()
        elif name == "tr" and token.nesting == 1 and token.map:
            numbers = Block("item")  # a row and HTML are read with what stands before them on their line
            yield from _row(Block(row), lines[token.map[0]], env)
        elif token.type == "inline" and token.map and name not in ("th", "td"):
            around = containers[-1] if containers else Block("paragraph")
            if around.kind not in ("head", "row"):
                block = Block(around.kind, level=around.level, label=around.label)
                if not containers and _BOLD.fullmatch(token.content.strip()):
                    block = Block("heading", level=LOWEST)
                if block.kind == "item":
                    block.add(numbers.text, zip(numbers.starts, numbers.ends, strict=True))
                else:
                    yield numbers
                numbers = Block("item")
                yield from _rendered(block, _content(lines, token), env)
        elif token.type in ("fence", "code_block") and token.map:
            yield numbers
            numbers = Block("item")
            yield from _code(lines, token)
        elif token.type == "html_block" and token.map:
            numbers = Block("item")
            yield from _html(lines[slice(*token.map)])


def _telling_numbers(tokens: list[Token]) -> dict[int, Kind]:
    """Where items begin whose number may be what is said, as in "It weighs:", "42. That is a lot.".

    Those of a list that begins at 0 or 1 say nothing. One that does not count on is drawn as another: an "image".
    """
    found, lists = dict[int, Kind](), list[list[int]]()
    for place, token in enumerate(tokens):
        if token.type in ("ordered_list_open", "bullet_list_open"):
            lists.append([])
        elif token.type == "list_item_open":
            items = lists[-1]
            items.append(place)
            if not token.info:
                continue
            first, number = int(tokens[items[0]].info), int(token.info)
            counts = number == first + len(items) - 1
            if first > 1 and counts:
                found[place] = "item"
            elif not counts and (first > 1 or number != first):
                found[place] = "image"
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            lists.pop()
    return found


def _number(line: _Source, number: str, kind: Kind) -> Block:
    """The number of an item as a block, with the blank behind it."""
    at = max(0, line.text.find(number))
    block = Block(kind)
    block.add(number, line.spans(at, at + len(number)))
    if kind == "item":
        block.add(" ", [(block.ends[-1] - 1, block.ends[-1])])
    return block


def _content(lines: list[_Source], token: Token) -> _Source:
    """What stands in a paragraph, heading or footnote: its lines without marker, quote sign or closing `#`."""
    assert token.map
    text, offsets = "", list[int]()
    for piece, line in zip(token.content.split("\n"), lines[slice(*token.map)], strict=False):
        piece = piece.lstrip(" \t")
        at = max(0, line.text.rfind(piece))
        text += piece + "\n"
        offsets += [*line.offsets[at : at + len(piece)], line.offsets[-1] + 1]
    return _Source(text[:-1], offsets[:-1])


def _row(block: Block, line: _Source, env: dict[str, Any]) -> Iterator[Block]:
    """A line of a table, cell by cell; also cells that are more than the head has, which pages leave out."""
    others: list[Block] = []
    for start, end in _cells(line.text):
        begin = len(block.text)
        cell, *further = _rendered(Block(block.kind), _Source(line.text[start:end], line.offsets[start:end]), env)
        if block.text and cell.text:
            block.add(", ", [(line.offsets[start - 1], line.offsets[start])] * 2)
            begin += 2
        block.code += [(begin + one, begin + other) for one, other in cell.code]
        block.links += [(begin + one, begin + other, href) for one, other, href in cell.links]
        block.struck += [(begin + one, begin + min(other, len(cell.text))) for one, other in cell.struck]
        block.add(cell.text, zip(cell.starts, cell.ends, strict=True))
        block.cells.append((begin, len(block.text)))
        others += further
    yield block
    yield from others


def _cells(line: str) -> Iterator[Span]:
    """Where the cells of a table's line are, without the blanks around them."""
    bars = [-1, *(found.start() for found in re.finditer(r"(?<!\\)\|", line)), len(line)]
    for number, (bar, following) in enumerate(pairwise(bars)):
        text = line[bar + 1 : following]
        start = bar + 1 + len(text) - len(text.lstrip())
        if text.strip() or 0 < number < len(bars) - 2:
            yield start, max(start, bar + 1 + len(text.rstrip()))


def _code(lines: list[_Source], token: Token) -> Iterator[Block]:
    """A block of code, each line with the blanks that are its own."""
    assert token.map
    fenced = token.type == "fence"
    info = token.info.strip()
    language, _, rest = info.partition(" ")
    block = Block("code", language=language)
    for piece, line in zip(token.content.split("\n"), lines[token.map[0] + fenced : token.map[1]], strict=False):
        at = max(0, line.text.rfind(piece.lstrip(" ")))
        indent = len(piece) - len(piece.lstrip(" "))
        first = line.offsets[at] if at < len(line.offsets) else (line.offsets or [0])[0]
        block.add(piece[:indent], [(first, first)] * indent)
        block.add(piece[indent:], [(offset, offset + 1) for offset in line.offsets[at : at + len(piece) - indent]])
        if line.offsets:
            block.add("\n", [(line.offsets[-1], line.offsets[-1] + 1)])
    yield block
    titled = any(len(quoted.split()) > _MOST_UNSAID for quoted in _QUOTE.split(rest)[1::2])
    beside = info if not titled and _may_say(info) else rest
    if beside:
        opening = lines[token.map[0]]
        at = opening.text.rfind(beside)
        kind: Kind = "alternative" if titled else "unseen" if beside is rest else "image"
        yield _plain(kind, [_Source(beside, opening.offsets[at : at + len(beside)])])


def _may_say(info: str) -> bool:
    """Whether the line of a fence may be a sentence: by its words, or by letters that no language and option has."""
    words = sum(bool(_FENCE_WORD.fullmatch(word)) for word in info.split())
    return words > _MOST_UNSAID or any(char.isalpha() and not char.isascii() for char in info)


def _html(lines: list[_Source]) -> Iterator[Block]:
    """The text between tags; then what stands in them, and what is written for a program."""
    raw = _plain("html", lines)
    places = list(zip(raw.starts, raw.ends, strict=True))
    block, at, others = Block("html"), 0, list[Block]()
    low = raw.text.lower()
    while tag := _TAG.search(raw.text, at):
        _add_raw(block, raw.text[at : tag.start()], places[at : tag.start()])
        at = tag.end()
        if block.text and not _INLINE.match(tag[0]) and read_tag(tag[0]):
            if block.text[-1:].strip():
                block.add(" ", [(raw.starts[tag.start()], raw.ends[tag.end() - 1])])
            if block.breaks[-1:] != [len(block.text)]:
                block.breaks.append(len(block.text))
        _add_tag(block, tag[0], places[tag.start() : at], others)
        _note_anchor(block, tag[0])
        if (hidden := _HIDDEN.match(tag[0])) and (close := low.find(f"</{hidden[1].lower()}", at)) >= 0:
            others.append(_stretch("code", raw.text[at:close], places[at:close]))
            at = close
    _add_raw(block, raw.text[at:], places[at:])
    _add_covered(block, others)
    yield block
    yield from others


def _add_covered(block: Block, others: list[Block]) -> None:
    """Add the marks by which a window may show a text without some of its words."""
    text = block.text
    escaped = {at for at, (start, end) in enumerate(zip(block.starts, block.ends, strict=True)) if end - start > 1}
    if "%" in text:  # one that is escaped begins no comment of a formula
        text = "".join("." if char == "%" and at in escaped else char for at, char in enumerate(text))
    formulae = text.count("$") > 1 or "\\begin" in text or any(text[at] in "([" for at in escaped)
    for start, end in covered(text, block.code, formulae=formulae):
        places = zip(block.starts[start:end], block.ends[start:end], strict=True)
        others.append(_stretch("image", block.text[start:end], places))


def _unrendered(block: Block) -> Iterator[Block]:
    """The first mark of what is read as it is written, and a window renders: who knows what is left of it there."""
    if found := _MARKUP.search(block.text):
        yield _stretch("image", found[0], zip(block.starts[found.start() :], block.ends[found.start() :], strict=True))


def _add_raw(block: Block, text: str, places: Sequence[Span]) -> None:
    """Add text between tags, or of an attribute, with what its character references stand for."""
    at = 0
    for found in _REFERENCE.finditer(text):
        block.add(text[at : found.start()], places[at : found.start()])
        said, at = html.unescape(found[0]), found.end()
        block.add(said, [(places[found.start()][0], places[at - 1][1])] * len(said))
    block.add(text[at:], places[at:])


def _add_tag(block: Block, text: str, places: list[Span], others: list[Block]) -> None:
    """Read a tag or a comment: what a page shows of it goes to the block, or is one of the `others`."""
    if comment := _COMMENT.match(text):
        if _WORD.search(comment[0]):
            others.append(_stretch("unseen", comment[0], places))
        block.add(text[comment.end() :], places[comment.end() :])  # the library ends comments at "-->" alone
        return
    tag = read_tag(text)
    if tag is None or (tag.name == "s" and places[0][0] == 0):  # a chat model's template begins so
        block.add(text, places)
        if not TEMPLATE.fullmatch(text):  # a page leaves out a tag that nobody knows
            others.append(_stretch("image", text, places))
        return
    if tag.name == "sup":
        block.raise_figures(begins=not tag.closing)
    if tag.name == "br" and block.text[-1:].strip():
        block.add(" ", [(places[0][0], places[-1][1])])
    if tag.name in STRUCK and not block.strike(begins=not tag.closing):
        block.add(text, places)
    for one in tag.shown:
        others.append(Block("alternative"))
        _add_raw(others[-1], text[slice(*one)], places[slice(*one)])
    if tag.media:
        others.append(_stretch("image", text[slice(*tag.media)], places[slice(*tag.media)]))


def _stretch(kind: Kind, text: str, places: Iterable[Span]) -> Block:
    block = Block(kind)
    block.add(text, list(places)[: len(text)])
    return block


def _note_anchor(block: Block, tag: str) -> None:
    """Note where an anchor begins or ends, where an element has an id, and what stands in a table."""
    at = len(block.text)
    if anchor := _ANCHOR.match(tag):
        block.links.append((at, at, anchor[1]))
    elif tag[:3].lower() == "</a" and block.links and block.links[-1][0] == block.links[-1][1]:
        start, _, href = block.links[-1]
        block.links[-1] = (start, at, href)
    if named := _ID.search(tag):
        block.anchors.append((at, named[1]))
    if found := _OF_TABLE.match(tag):
        block.tags.append((at, SPANNING if _SPANS.search(tag) else found[1].lower()))


def _plain(kind: Kind, lines: Iterable[_Source]) -> Block:
    """Lines as they are written."""
    block = Block(kind)
    for line in lines:
        if line.offsets:
            if block.text:
                block.add(" ", [(block.ends[-1], line.offsets[0])])
            block.add(line.text, line.spans(0, len(line.text)))
    return block


def _rendered(block: Block, source: _Source, env: dict[str, Any]) -> Iterator[Block]:
    """Fill `block` with what `source` renders to; after it come the texts that stand for its images."""
    if len(source.text) > LONGEST_PARAGRAPH:
        block.add(source.text.replace("\n", " "), source.spans(0, len(source.text)))
        yield block
        yield from _unrendered(block)
        return
    children: list[Token] = []
    env["places"], env["titles"] = {}, []
    reader = _reader()
    reader.inline.parse(source.text, reader, env, children)
    others: list[Block] = []
    for token, at in zip(children, _places(children, env["places"].get(id(children), {})), strict=True):
        _render(block, token, at, source, others, env)
    _add_covered(block, others)
    yield block
    yield from others


def _places(tokens: list[Token], noted: dict[int, int]) -> Iterator[int]:
    """Where each token begins; in a run of delimiters the library notes the first alone."""
    at = 0
    for number, token in enumerate(tokens):
        if number in noted:
            at = noted[number]
        yield at
        at += 2 if token.markup == "~~" or token.content == "~~" else 1


def _render(block: Block, token: Token, at: int, source: _Source, others: list[Block], env: dict[str, Any]) -> None:
    if token.type == "text" and _TILDES.fullmatch(token.content):
        others.append(_stretch("image", token.content, source.spans(at, at + len(token.content))))
    if token.type == "text" or (token.type == "text_special" and token.content == token.markup):
        block.add(token.content, source.spans(at, at + len(token.content)))
    elif token.type == "text_special" and token.content != token.markup:
        block.add(token.content, [source.whole(at, at + len(token.markup))] * len(token.content))
    elif token.type in ("softbreak", "hardbreak"):
        block.add(" ", [source.whole(at, at + 1)])
        block.breaks.append(len(block.text))
    elif token.type == "code_inline":
        at += len(token.markup)
        at += source.text[at : at + len(token.content)].replace("\n", " ") != token.content
        block.code.append((len(block.text), len(block.text) + len(token.content)))
        block.add(token.content, source.spans(at, at + len(token.content)))
    elif token.type == "html_inline":
        _add_tag(block, token.content.replace("\n", " "), source.spans(at, at + len(token.content)), others)
        _note_anchor(block, token.content)
    elif token.type in ("s_open", "s_close"):
        block.strike(begins=token.nesting > 0)
    elif token.type == "link_open":
        block.links.append((len(block.text), len(block.text), str(token.attrs.get("href", ""))))
        env["titles"].append(token.attrs.get("title"))
    elif token.type == "link_close":
        start, _, href = block.links[-1]
        block.links[-1] = (start, len(block.text), href)
        others += _title(str(env["titles"].pop() or ""), source, at, env)
    elif token.type == "image":
        begin = source.text.index(token.content, at + 2)
        end = begin + len(token.content)
        if token.content:
            label = _Source(token.content, source.offsets[begin:end])
            others.extend(_rendered(Block("alternative"), label, {**env}))
        first, last = target.span("target") if (target := _IMAGE.match(source.text, end)) else (at, at + 1)
        others.append(_stretch("image", source.text[first:last], source.spans(first, last)))
        others += _title(str(token.attrs.get("title") or ""), source, end, env)


def _title(title: str, source: _Source, at: int, env: dict[str, Any]) -> list[Block]:
    """The title of a link or image whose text ends behind a place, which a page shows when one points at it."""
    if not title or title in env["known_titles"]:
        return []  # of the target of several links, which is read where it stands
    for found in _TITLED.finditer(source.text, at, at + _LONGEST_TARGET):
        start, end = _span_of_title(found)
        if html.unescape(_ESCAPED.sub(r"\1", source.text[start:end])) == title:
            return [_titled(source, start, end)]
    block = Block("alternative", label="title")
    block.add(title.replace("\n", " "), [source.whole(at, at + 1)] * len(title))
    return [block]


def _span_of_title(found: re.Match[str]) -> Span:
    return next(found.span(name) for name in ("double", "single", "round") if found[name])


def _titled(source: _Source, start: int, end: int) -> Block:
    block = Block("alternative", label="title")
    _add_raw(block, source.text[start:end].replace("\n", " "), source.spans(start, end))
    return block


def _passed_over(lines: list[_Source], tokens: list[Token]) -> Iterator[Block]:
    """Lines that no token of the library holds: targets of links, and what is nested too deep to be read."""
    read = _lines_read(tokens)
    left = [number for number, line in enumerate(lines) if number not in read and _WORD.search(line.text)]
    for number in left:
        if found := _target(lines[number]):
            yield from found
        else:
            block = _plain("paragraph", [lines[number]])
            yield block
            yield from _unrendered(block)


def _lines_read(tokens: list[Token]) -> set[int]:
    read = set[int]()
    for token in tokens:
        if token.map and token.type in ("inline", "fence", "code_block", "html_block", "heading_open", "tr_open"):
            read.update(range(*token.map))
        if token.map and token.type == "thead_open":
            read.add(token.map[1])
    return read


def _target(line: _Source) -> list[Block]:
    """The target of links and its title; nothing where a line is none."""
    if not _TARGET.match(line.text.lstrip(" >")):
        return []
    titled = _TARGET_TITLED.match(line.text)
    if not titled:
        return [_plain("unseen", [line])]
    start, end = _span_of_title(titled)
    target = _plain("unseen", [_Source(line.text[:start], line.offsets[:start])])
    target.label = line.text[start:end]
    return [target, _titled(line, start, end)]
