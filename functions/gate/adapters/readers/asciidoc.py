"""The text of AsciiDoc, line by line: headings, lists, tables with their heads, code; nothing is included."""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import PurePosixPath

from gate.adapters.readers.layout import MOST_SPANNED, Cell, Layout, Read, Spread, spanned
from gate.adapters.readers.markdown_document import TAG, OpenElements, seen_html, words_of_html
from gate.text.composed import raised
from gate.text.delimited import pairs
from gate.text.formats.html_elements import hides

LONGEST_LINE = 20_000
LONGEST_TITLE = 300
LONGEST_VALUE = 200
"""Characters of the value of a name; it may hold other names."""
VERBATIM = re.compile(r"(-{4,}|\.{4,}|\+{4,}|`{3,}\S{0,40})\s*")
COMMENT = re.compile(r"/{4,}\s*")
FENCE = re.compile(r"(={4,}|\*{4,}|_{4,}|--|'{3,}|<{3,}|~{4,})\s*")
TABLE = re.compile(r"[|,:!]={3,}\s*")
HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*)")
ATTRIBUTE = re.compile(r":(!?[\w-]{1,80}!?):(?:\s+(.*))?")
BLOCK_LINE = re.compile(r"\[(?:\[.{0,200}\]|[^\[\]]{0,500})\]\s*")
TITLE_LINE = re.compile(r"\.[^.\s]")
MACRO = re.compile(r"(ifdef|ifndef|ifeval|endif|include|toc|image|video|audio|unix|pagebreak)::.*")
ITEM = re.compile(r"\s*(?:\*{1,6}|-|\.{1,6}|\d{1,4}\.|<\d{1,3}>|<\.>)\s+(?=\S)(?:\[[ x*]\]\s+)?")
TERM = re.compile(r"\s*(\S.{0,300}?)(?::{2,4}|;;)(?:\s+(\S.*))?")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION): ")
ADMONITION_LINE = re.compile(r"\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)(?:[.#%,][^\[\]]{0,200})?\]\s*")
ANCHOR_LINE = re.compile(r"\[(?:\[|#)([\w:.-]{1,200})")
INCLUDE = re.compile(r"(\\?)include::[^\s\[\]]{1,500}\[[^\[\]]{0,500}\]\s*")
WORD = re.compile(r"[^\W_]+")
CELL = re.compile(
    r"(?:^|(?<=\s))(?:(?P<across>\d{0,3})(?:\.(?P<down>\d{1,3}))?(?P<sign>[+*]))?[<^>.]{0,4}[adehlmsv]?(?<!\\)\|"
)
"""The beginning of a cell: `2+` fills two columns, `.2+` two rows, `2*` stands twice."""

_LINK = re.compile(r"((?:link|xref|mailto):{1,2}[^\s\[\]]{1,500}|https?://[^\s\[\]]{1,500})\[([^\[\]]{0,300})\]")
_IMAGE = re.compile(r"image::?[^\s\[\]]{1,500}\[([^\[\],=]{0,300})(?:,[^\[\]]{0,500})?\]")
_NAMED_VALUES = re.compile(r",\s{0,9}(?:window|role|id|title|opts|options|rel|xrefstyle)\s{0,9}=.*$")
_REFERENCE = re.compile(r"<<([^<>,]{1,200})(?:,([^<>]{1,300}))?>>")
_SHOWN = re.compile(
    r"(?:kbd|btn|menu|footnote|pass|stem|latexmath|asciimath|icon|image|anchor|indexterm2?):"
    r"[^\s\[\]]{0,200}\[([^\[\]]{0,500})\]"
)
_ANCHOR = re.compile(r"\[\[[^\[\]]{1,200}\]\]|\(\(\([^()]{1,200}\)\)\)")
_COLUMNS = re.compile(r"\bcols\s{0,9}=\s{0,9}(?:\"([^\"]{1,300})\"|([\d*]{1,9}))")
_STYLED_BY_ROLE = re.compile(r"\[([^\[\]\n]{1,200})\](##?|\*\*?|__?|``?)(?=\S)")
_STYLE_ENDS = {mark: re.compile(rf"(?<=\S){re.escape(mark)}(?!\w)") for mark in "#*_`"}
_STYLE_ENDS |= {mark: re.compile(re.escape(mark)) for mark in ("##", "**", "__", "``")}
_NAMED_ROLE = re.compile(r"\brole\s{0,9}=\s{0,9}[\"']?([^\"',\]]{1,200})")
_SUBSTITUTIONS = r"(?:[aqrpm,]{0,30}|macros|quotes|attributes|replacements)\["
"""Behind `pass:`, none that has tags shown as they are written."""
_PASSED = re.compile(rf"(\+{{3}}|pass:(?={_SUBSTITUTIONS}))")
"""The beginning of HTML in a line."""
_PASSED_BEGIN = re.compile(rf"\+{{3}}|pass:{_SUBSTITUTIONS}")
_PASSED_ENDS = {"+++": re.compile(r"\+{3}"), "pass:": re.compile(r"(?<!\\)\]")}
MATH = ("[stem", "[latexmath", "[asciimath")
_RAISED = re.compile(r"(?<!\^)\^(?=\S)([^\s^]{1,100})\^")
_ROLE = re.compile(r"\[[.#%][^\[\]\s]{1,100}\](?=[#*_`])")
_STYLED = (
    re.compile(r"\*\*(?=\S)([^*\n]{1,500}?)(?<=\S)\*\*"),
    re.compile(r"__(?=\S)([^_\n]{1,500}?)(?<=\S)__"),
    re.compile(r"(?<![\w`])``?\+?([^`\n]{1,500}?)\+?``?(?![\w`])"),
    re.compile(r"(?<![\w*])\*{1,2}(?=\S)([^*\n]{1,500}?)(?<=\S)\*{1,2}(?![\w*])"),
    re.compile(r"(?<![\w_])_{1,2}(?=\S)([^_\n]{1,500}?)(?<=\S)_{1,2}(?![\w_])"),
    re.compile(r"(?<![\w#])#{1,2}(?=\S)([^#\n]{1,500}?)(?<=\S)#{1,2}(?![\w#])"),
    re.compile(r"(?<![\w~])~(?=\S)([^\s~]{1,100})~"),
)
_CODE = 2
"""Which of these marks code."""
_NAMED = re.compile(r"\{([\w-]{1,80})\}")
ENTITIES = {
    "nbsp": " ",
    "sp": " ",
    "empty": "",
    "plus": "+",
    "vbar": "|",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "apos": "'",
}


def text_of(text: str) -> Read:
    """Return the text as a reader sees it, its title and its sections.

    Raises:
        ValueError: a line is far too long.
    """
    lines = [*_without_hidden(text.splitlines())]
    reading = _Reading(_titles(lines), OpenElements(text))
    for line in lines:
        if len(line) > LONGEST_LINE:
            raise ValueError(f"a line of more than {LONGEST_LINE:,} characters")
        reading.take(line.rstrip())
    return reading.finish()


def _titles(lines: list[str]) -> dict[str, str]:
    """The headings of a document by what references call them: their anchors, and their own words."""
    found: dict[str, str] = {}
    before = ""
    for line in lines:
        if heading := HEADING.fullmatch(line[:LONGEST_TITLE].rstrip()):
            anchor = ANCHOR_LINE.match(before)
            found[_called(anchor[1] if anchor else heading[2])] = found[_called(heading[2])] = heading[2]
        before = line
    return found


def _called(name: str) -> str:
    return " ".join(WORD.findall(name.lower()))


def _columns(line: str) -> int:
    """How many columns the line before a table says that it has: `[cols="1,3*"]` four, `[cols=2]` two; else 0."""
    if not (found := _COLUMNS.search(line)):
        return 0
    parts = (found[1] or found[2]).split(",")
    return sum(spanned(part.partition("*")[0]) if "*" in part or len(parts) == 1 else 1 for part in parts)


def _is_hidden(attributes: str) -> bool:
    """Whether attributes of a text or a block name a role that hides it: `#old.line-through`, `role="line-through"`."""
    _, *roles = attributes.partition(",")[0].split("%")[0].split(".")
    named = _NAMED_ROLE.search(attributes)
    return any(map(hides, [*(role.partition("#")[0] for role in roles), *(named[1].split() if named else ())]))


def _without_hidden(lines: list[str]) -> Iterator[str]:
    """The lines less what a role hides: the section, block, list or paragraph below `[.line-through]`."""
    at = 0
    while at < len(lines):
        line, end = lines[at].rstrip(), at + 1
        if BLOCK_LINE.fullmatch(line) and _is_hidden(line[1:-1]):
            at = _end_below(lines, at + 1)
            continue
        if VERBATIM.fullmatch(line) or COMMENT.fullmatch(line):
            end = _end_of_block(lines, at)
        yield from lines[at:end]
        at = end


def _end_below(lines: list[str], at: int) -> int:
    """Where that ends which stands below a line of attributes."""
    while at < len(lines) and (not lines[at].strip() or TITLE_LINE.match(lines[at]) or BLOCK_LINE.fullmatch(lines[at])):
        at += 1
    if at < len(lines) and (heading := HEADING.fullmatch(lines[at].rstrip())):
        return _end_of_section(lines, at + 1, len(heading[1]))
    is_list = at < len(lines) and ITEM.match(lines[at]) is not None
    while at < len(lines):
        if _opens(lines[at]):
            at = _end_of_block(lines, at)
            if not is_list:
                return at
        elif lines[at].strip():
            at += 1
        else:
            at = next((place for place in range(at, len(lines)) if lines[place].strip()), len(lines))
            if not is_list or at == len(lines) or not ITEM.match(lines[at]):
                return at
    return at


def _end_of_section(lines: list[str], at: int, level: int) -> int:
    while at < len(lines):
        heading = HEADING.fullmatch(lines[at].rstrip())
        if heading and len(heading[1]) <= level:
            return at
        at = _end_of_block(lines, at) if _opens(lines[at]) else at + 1
    return at


def _opens(line: str) -> bool:
    """Whether a line begins a block that the same line ends."""
    return line[:1] not in "'<" and any(kind.fullmatch(line.rstrip()) for kind in (VERBATIM, COMMENT, FENCE, TABLE))


def _end_of_block(lines: list[str], at: int) -> int:
    mark = "```" if lines[at].startswith("```") else lines[at].strip()
    return next((place + 1 for place in range(at + 1, len(lines)) if lines[place].strip() == mark), len(lines))


def _without_struck(text: str) -> str:
    """The text less what stands in a role that hides it: `[.line-through]#never#`."""
    shown, at, unclosed = list[str](), 0, set[str]()
    for found in _STYLED_BY_ROLE.finditer(text):
        about, mark = found.groups()
        if found.start() < at or mark in unclosed or not (_is_hidden(about) or hides(about)):
            continue
        end = _STYLE_ENDS[mark].search(text, found.end())
        if end is None:
            unclosed.add(mark)
        else:
            shown.append(text[at : found.start()])
            at = end.end()
    return "".join(shown) + text[at:]


class _Reading:
    """The document so far; `_until` is the line that ends a block of code, a comment or a table.

    `_warning` heads the next paragraph: NOTE, TIP. `_fills`: names in the next block of code stand for their values.
    `_columns` of the next table; 0: nothing says how many. `_html`: elements that HTML of the document has opened.
    `_is_math`: what comes next is no HTML. `_is_html`: the next paragraph is.
    """

    def __init__(self, titles: Mapping[str, str], html_so_far: OpenElements) -> None:
        self._html, self._is_math, self._is_html = html_so_far, False, False
        self._layout, self._titles = Layout(), titles
        self._warning, self._fills, self._columns = "", False, 0
        self._names = dict(ENTITIES)
        self._paragraph: list[str] = []
        self._until = ""
        self._kind = ""
        self._held: list[str] = []

    def take(self, line: str) -> None:
        """Read one more line."""
        if self._until:
            self._inside(line)
        elif TABLE.fullmatch(line):
            self._begin("table", line)
        elif COMMENT.fullmatch(line):
            self._begin("comment", line)
        elif VERBATIM.fullmatch(line):
            self._begin("code", "```" if line.startswith("```") else line)
        elif found := ADMONITION_LINE.fullmatch(line):
            self._end_paragraph()
            self._warning = found[1]
        elif BLOCK_LINE.fullmatch(line):
            self._end_paragraph()
            self._fills, self._columns = "attributes" in line, _columns(line) or self._columns
            self._is_math, self._is_html = line.startswith(MATH), line.startswith(("[pass]", "[pass,", "[pass."))
        elif not line.strip() or line == "+" or FENCE.fullmatch(line) or line.startswith("//") or MACRO.fullmatch(line):
            self._end_paragraph()
        elif found := ATTRIBUTE.fullmatch(line):
            self._end_paragraph()
            self._names[found[1]] = self._filled((found[2] or "").strip())[:LONGEST_VALUE]
        elif found := HEADING.fullmatch(line):
            self._end_paragraph()
            self._layout.heading(len(found[1]), self._shown(found[2]))
        else:
            self._prose(line)

    def finish(self) -> Read:
        """Return what was read."""
        if self._until:
            self._end_block()
        self._end_paragraph()
        return self._layout.finish()

    def _prose(self, line: str) -> None:
        if TITLE_LINE.match(line) and not self._paragraph:
            self._layout.block(self._shown(line[1:]))
        elif found := ITEM.match(line):
            self._end_paragraph()
            self._paragraph.append(line[found.end() :])
        elif (found := TERM.fullmatch(line)) and not self._paragraph:
            self._layout.term(found[1].strip("`"))
            self._paragraph.append(f"{found[1]}: {found[2] or ''}")
        else:
            self._paragraph.append(line.removesuffix(" +"))

    def _begin(self, kind: str, until: str) -> None:
        self._end_paragraph()
        self._kind, self._until, self._held = kind, until.strip(), []

    def _inside(self, line: str) -> None:
        if line.strip() == self._until:
            self._end_block()
        else:
            self._held.append(line)

    def _end_block(self) -> None:
        if self._kind == "code" and self._until.startswith("++++") and not self._is_math:
            self._layout.block(words_of_html(seen_html("\n".join(self._held), self._html)), as_written=True)
        elif self._html.hides:
            pass
        elif self._kind == "code":
            lines = (INCLUDE.sub(lambda found: found[0][1:] if found[1] else "", line) for line in self._held)
            code = "\n".join(lines)
            self._layout.code(self._filled(code) if self._fills else code)
        elif self._kind == "table":
            if any(rows := self._rows()):
                self._layout.table(rows)
            else:  # in another notation, such as CSV
                self._layout.code("\n".join(self._held))
        self._kind, self._until, self._held, self._fills, self._columns = "", "", [], False, 0
        self._is_math = self._is_html = False

    def _rows(self) -> list[list[str]]:
        """Cells stand in one line, as in the head, or one to a line: as many make a row as `cols` says, or as the first
        line has."""
        lines = [[*self._cells(line)] for line in self._held]
        width = self._columns or sum(cell.columns for cell in next(filter(None, lines), []))
        cells: list[Cell] = []
        for line, found in zip(self._held, lines, strict=True):
            begun = CELL.search(line)
            rest = line[: begun.start()] if begun else line
            if rest.strip() and cells:
                cells[-1] = cells[-1]._replace(text=f"{cells[-1].text} {self._shown(rest.strip())}")
            cells += found
        rows, taken, at = defaultdict[int, list[Cell]](list), Counter[int](), 0
        for cell in cells:
            while taken[at] and taken[at] + cell.columns > width:
                at += 1
            rows[at].append(cell)
            taken.update({at + below: cell.columns for below in range(cell.rows)})
        spread = Spread()
        return [spread.row(rows[number]) for number in range(at + 1)]

    def _cells(self, line: str) -> Iterator[Cell]:
        """The cells that begin in a line."""
        begun = [*CELL.finditer(line)]
        for found, following in zip_longest(begun, begun[1:]):
            text = self._shown(line[found.end() : following.start() if following else None].strip())
            across, down = (min(spanned(found[name]), MOST_SPANNED) for name in ("across", "down"))
            yield from [Cell(text)] * across if found["sign"] == "*" else [Cell(text, across, down)]

    def _end_paragraph(self) -> None:
        if self._paragraph:
            text = " ".join(self._paragraph)
            text = f"+++{text}+++" if self._is_html else text
            if found := ADMONITION.match(text):
                self._warning, text = found[1], text[found.end() :]
            lead = f"{self._warning.capitalize()}: " if self._warning else ""
            self._layout.block(lead + self._shown(text))
            self._paragraph, self._warning, self._is_html = [], "", False

    def _shown(self, text: str) -> str:
        """What a reader sees of a line; names of the document stand for their values, once."""
        text = self._without_html(_without_struck(self._filled(text)))
        text = _ANCHOR.sub("", _ROLE.sub("", text))
        text = _LINK.sub(self._link, _IMAGE.sub(r"\1", text))
        text = _REFERENCE.sub(lambda found: (found[2] or self._title(found[1])).strip(), text)
        text = _SHOWN.sub(lambda found: f" {found[1]}" if found[0].startswith("footnote") else found[1], text)
        for code in _STYLED[_CODE].findall(text):
            self._layout.named(code)
        for styled in _STYLED:
            text = styled.sub(r"\1", text)
        return html.unescape(_RAISED.sub(lambda found: raised(found[1]), text))

    def _without_html(self, text: str) -> str:
        """A line less the tags of HTML in it, and less what they cross out or hide, there or further on."""
        shown, at = list[str](), 0
        for start, end in pairs(text, _PASSED, _PASSED_ENDS):
            shown.append("" if self._html.hides else text[at:start])
            inner = _PASSED_BEGIN.sub("", text[start:end], count=1).removesuffix("+++").removesuffix("]")
            shown.append(TAG.sub("", seen_html(inner, self._html)))
            at = end
        return "".join(shown) + ("" if self._html.hides else text[at:])

    def _filled(self, text: str) -> str:
        return _NAMED.sub(lambda found: self._names.get(found[1], found[0]), text)

    def _link(self, found: re.Match[str]) -> str:
        """What a link is shown as: its text; else the title or the name of a page of these; else its address."""
        target, text = found[1], _NAMED_VALUES.sub("", found[2]).rstrip("^")
        if text.strip():
            return text
        if not target.startswith("xref:"):
            return target.removeprefix("link:").removeprefix("mailto:")
        page, _, place = target.rpartition(":")[2].partition("#")
        return PurePosixPath(page).stem if page.endswith(".adoc") else self._title(place or page)

    def _title(self, anchor: str) -> str:
        anchor = anchor.removeprefix("#")
        return self._titles.get(_called(anchor), anchor)
