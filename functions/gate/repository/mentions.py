"""Finds what could be a path in a document, and where it stands. Nothing is decided here.

Line by line with a few regular expressions: 10,000 documents have to be read in seconds and every mention needs its
line, which general Markdown parsers give for blocks only.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Literal

Surface = Literal["link", "reference", "html", "include", "inline", "command", "prose"]
"""`reference`: `[name]: target`; `include`: a directive that copies a file; `command`: the program of a shell line."""

MAX_LINE = 10_000
"""Longer lines are data, not prose."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that could be a path: the target as written, its place, and the line it stands on."""

    target: str
    surface: Surface
    line: int
    column: int
    text: str
    folder: str = ""
    """For a command: the folder that an earlier `cd` of the same block went to."""


_FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})\s*(.*)$")
_FENCE_INCLUDE = re.compile(r"^\{(?:include|literalinclude|image|figure)\}\s+(\S+)")
_HOLDS = re.compile(r" {0,3}(?:[-*+]\s|\d{1,9}[.)]\s|\[\^|[^\w\s#*_`'\"(\[])")
"""How a line begins that may hold what stands further in: an item of a list, a footnote, a tag, the mark of a note."""
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\(\s*<?((?:[^()\s<>]|\([^()\s]*\))+)>?(?:\s+[\"'(][^\n]*?[\"')])?\s*\)")
_REFERENCE = re.compile(r"^\s{0,3}\[(?!\^)[^\]]+\]:\s*<?([^\s>]+)>?")
_HTML = re.compile(
    r"<[a-zA-Z][^<>]*?\b(?:href|src)\s*=\s*[\"']([^\"'<>]+)[\"']|^\s*(?:href|src)=[\"']([^\"'<>{}]+)[\"']"
)
_RST_LINK = re.compile(r"(?<![:`])`[^`<>]*<([^`<>\s]+)>`__?")
_RST_TARGET = re.compile(r"^\s*\.\. _[^:]+:\s+(\S+)$")
_RST_DIRECTIVE = re.compile(r"^\s*(?:\.\. (?:\|[^|]+\| )?(?:include|literalinclude|image|figure)::)\s+(\S+)\s*$")
_RST_ROLE = re.compile(r":(?:doc|download):`(?:[^`<>]*<)?([^`<>]+)>?`")
RST_BLOCKS = "code-block|code|sourcecode|prompt"
"""Directives of reStructuredText whose content is code."""
_RST_BLOCK = re.compile(rf"^\s*\.\. (?:{RST_BLOCKS})::")
RST_CODE = re.compile(r"``(.+?)``")
_PROSE = re.compile(r"(?<![\w/@:.(\[-])((?:[\w.-]+/)+[\w.-]*\w\.[A-Za-z]\w{0,5})(?![\w/(])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_COMMENT = re.compile(r"<!--.*?-->")
_SHELL = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "terminal", "shellscript"})
_PROMPT = re.compile(r"^\s*(?:[$%>]|[\w.@~-]*\$)\s+")
_PROGRAM = re.compile(
    r"^\s*(?:sudo\s+|time\s+|env\s+|[A-Z_][A-Z0-9_]*=\S*\s+)*"
    r"(?:(?:python[\d.]*|bash|sh|zsh|node|ruby|perl|source|\.|torchrun|deno\s+run|go\s+run|ts-node|tsx)\s+"
    r"(?:-[\w=-]+\s+)*)?((?:\.{0,2}/)?[\w.-]+(?:/[\w.-]+)+)(?=\s|$)"
)
_CD = re.compile(r"^\s*(?:cd|pushd)\s+([^\s;&|]+)")


def mentions(text: str, *, restructured: bool = False, prose: bool = False) -> Iterator[Mention]:
    """Yield the mentions of a document, in the order of its lines.

    Args:
        text: Markdown; HTML passes for Markdown.
        restructured: it is reStructuredText.
        prose: paths in running text count too, as they do in an answer; in documentation none was ever a true one.
    """
    return _restructured(text) if restructured else _markdown(text, prose)


class Fences:
    """Which lines of a Markdown page are code, told line after line.

    Attributes:
        info: what stands behind the mark that began the last block: its language.
    """

    def __init__(self) -> None:
        self.info = ""
        self._mark, self._is_quoted = "", False

    def kind(self, line: str) -> Literal["opening", "code", "closing", "text"]:
        """What the next line is. A block that nothing closes ends with the quotation that it stands in."""
        is_quoted = line.lstrip().startswith(">")
        if self._is_quoted and not is_quoted:
            self._mark = ""
        mark = _FENCE.match(line) if "`" in line or "~" in line else None
        if mark and not self._mark and "`" not in mark[2]:
            self._mark, self._is_quoted, self.info = mark[1], is_quoted, mark[2].strip()
            return "opening"
        if mark and self._mark and mark[1].startswith(self._mark) and not mark[2].strip():
            self._mark = ""
            return "closing"
        return "code" if self._mark else "text"


class Indents:
    """Which lines of Markdown are code by their indent, told line after line.

    That is certain behind a paragraph or a heading alone: what stands further in behind an item of a list, a note or a
    tag may be its text.
    """

    def __init__(self) -> None:
        self._is_plain = self._may_begin = False

    def has(self, line: str) -> bool:
        """Whether the next line is code."""
        if not line.strip():
            self._may_begin = True
            return False
        if line.startswith(("    ", "\t")):
            return self._is_plain and self._may_begin
        self._is_plain, self._may_begin = not _HOLDS.match(line), False
        return False


def _markdown(text: str, with_prose: bool) -> Iterator[Mention]:
    fences, indents, folder, hidden = Fences(), Indents(), "", False
    for number, raw in enumerate(lines(text), 1):
        kind = fences.kind(raw)
        if kind == "opening":
            folder = ""
            yield from _found(_FENCE_INCLUDE, fences.info, "include", number, raw)
        elif kind == "code" and re.split(r"[\s{,]", fences.info.lower(), maxsplit=1)[0] in _SHELL:
            folder = yield from _command(raw, number, folder)
        elif kind == "text":
            line, hidden = without_comments(raw, hidden)
            if not (indents.has(raw) and not with_prose) and line.strip():
                yield from _markdown_line(line, number, with_prose)


def _markdown_line(line: str, number: int, with_prose: bool) -> Iterator[Mention]:
    prose = line
    if "`" in line:
        for code in CODE.finditer(line):
            yield Mention(code[2].strip(), "inline", number, code.start() + 1, line)
        prose = CODE.sub(lambda match: " " * len(match[0]), line)
    if "](" in prose:
        yield from _found(_LINK, prose, "link", number, line)
    if "]:" in prose:
        yield from _found(_REFERENCE, prose, "reference", number, line)
    if "href" in prose or "src" in prose:
        yield from _found(_HTML, prose, "html", number, line)
    if with_prose and "/" in prose:
        yield from _found(_PROSE, prose, "prose", number, line)


class Literals:
    """Which lines of reStructuredText are code, told line after line: what is further in than the mark before it.

    Args:
        block: the directives that begin one, beside a paragraph that ends with two colons.
    """

    def __init__(self, block: re.Pattern[str] = _RST_BLOCK) -> None:
        self._block, self._depth = block, -1

    def has(self, line: str) -> bool:
        """Whether the next line stands in a block of code."""
        depth = len(line) - len(line.lstrip())
        if self._depth >= 0 and (not line.strip() or depth > self._depth):
            return True
        is_paragraph = line.rstrip().endswith("::") and not line.lstrip().startswith("..")
        self._depth = depth if is_paragraph or self._block.match(line) else -1
        return False

    @property
    def begins(self) -> bool:
        """Whether a block begins behind the line that was told last, or goes on there."""
        return self._depth >= 0


def _restructured(text: str) -> Iterator[Mention]:
    literals = Literals()
    for number, line in enumerate(lines(text), 1):
        if literals.has(line):
            continue
        prose = line
        if "``" in line:
            for code in RST_CODE.finditer(line):
                yield Mention(code[1].strip(), "inline", number, code.start() + 1, line)
            prose = RST_CODE.sub(lambda match: " " * len(match[0]), line)
        if "`" in prose:
            yield from _found(_RST_LINK, prose, "link", number, line)
            yield from _found(_RST_ROLE, prose, "reference", number, line)
        if ".." in prose:
            yield from _found(_RST_DIRECTIVE, prose, "include", number, line)
            yield from _found(_RST_TARGET, prose, "reference", number, line)


def _found(pattern: re.Pattern[str], where: str, surface: Surface, number: int, line: str) -> Iterator[Mention]:
    for match in pattern.finditer(where or ""):
        target = next((group for group in match.groups() if group), "")
        if surface in ("link", "reference"):
            target = _ESCAPED.sub(r"\1", target)
        yield Mention(unescape(target.strip()), surface, number, match.start() + 1, line)


def _command(line: str, number: int, folder: str) -> Generator[Mention, None, str]:
    """Yield the program of a shell line; return the folder that the block is in afterwards."""
    command = _PROMPT.sub("", line)
    moved = _CD.match(command)
    if moved:
        folder = f"{folder}/{moved[1]}" if folder else moved[1]
        command = command.partition("&&")[2]
    program = _PROGRAM.match(command)
    if program:
        yield Mention(program[1], "command", number, line.find(program[1]) + 1, line, folder)
    return folder


def lines(text: str) -> Iterator[str]:
    """Lines without front matter, with everything too long emptied, so that numbers stay right."""
    all_lines = text.split("\n")
    skip = 0
    if all_lines[0].strip() == "---":
        skip = next((n for n, line in enumerate(all_lines[1:200], 1) if line.strip() in ("---", "...")), 0)
    for number, line in enumerate(all_lines):
        yield "" if number < skip or len(line) > MAX_LINE else line.rstrip("\r")


def without_comments(line: str, hidden: bool) -> tuple[str, bool]:
    """Blank HTML comments out; the second value says whether the next line begins inside one."""
    if hidden:
        end = line.find("-->")
        if end < 0:
            return "", True
        line = " " * (end + 3) + line[end + 3 :]
    if "<!--" not in line:
        return line, False
    closed = line.rfind("-->") + 3  # a comment that begins behind it ends on another line, or never
    if closed > 2:
        line = _COMMENT.sub(lambda match: " " * len(match[0]), line[:closed]) + line[closed:]
    begin = line.find("<!--")
    return (line[:begin], True) if begin >= 0 else (line, False)
