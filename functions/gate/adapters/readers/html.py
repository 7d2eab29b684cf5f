"""The text of a web page, block by block, and where its headings are in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import Any

from bs4 import BeautifulSoup
from bs4.builder._htmlparser import BeautifulSoupHTMLParser, HTMLParserTreeBuilder
from bs4.element import NavigableString, PreformattedString, ProcessingInstruction, Tag
from bs4.exceptions import ParserRejectedMarkup
from soupsieve import SelectorSyntaxError

from gate.adapters.readers.layout import (
    Cell,
    DocumentTooLargeError,
    Read,
    Spread,
    refuse_long,
    row_text,
    spanned,
)
from gate.repository.names.corpus_names import words_in, words_of_term
from gate.retrieval.chunking import headed
from gate.text.composed import MOVED
from gate.text.formats.html_elements import ELEMENTS, INLINE, RARE, STRUCK, UNSEEN, is_struck
from gate.text.formats.style_sheets import StyleSheets, address_of, joined

AROUND = frozenset({"nav", "header", "footer", "aside"})
"""Elements that stand around what a page is about; all but `nav` are a part of it where they stand within."""
ABOUT = ("main", "article")
LEFT_OUT = frozenset({"nav", "head", "input"})
LONGEST_END = 1_000
"""Characters behind the last tag that ends."""
MOST_PARTS = 500_000
"""Elements, attributes and comments of a page: each takes a kilobyte and a half of memory once it is read."""
MOST_BYTES = 20_000_000
"""Of a page: one tag of that size takes a gigabyte before its attributes can be counted."""
MOST_STRIKING, LONGEST_SELECTOR = 50, 500
"""Rules of a page's own style sheets that cross out: each is looked up in the whole page."""
HEADING = re.compile(r"h[1-6]")
WITHOUT_END = frozenset(
    "li dd dt p option optgroup rb rp rt rtc caption colgroup thead tbody tfoot tr th td body".split()  # noqa: SIM905
)
"""Elements whose end need not be written."""
BLOCKS = ELEMENTS - INLINE - RARE
"""Elements by whose end a browser ends those without one."""
_SHEET_OF_XML = re.compile(r"^xml-stylesheet\s[^<>]{0,2000}?href\s{0,100}=\s{0,100}[\"']([^\"'<>]{1,2000})")
WORDLESS = frozenset({"hidden", "checkbox", "radio", "file", "color", "range", "image", "password"})
"""Fields whose value is not shown."""
UNDRAWN = frozenset({"desc", "metadata", "defs"})
NO_NAMES = (frozenset[str](), frozenset[str]())
_ITEMS_WITHIN = BLOCKS - {"address", "div", "p"}
_P_WITHIN = frozenset(
    {"applet", "caption", "table", "td", "th", "marquee", "object", "template", "button", "svg", "math"}
)
_IN_TABLE = frozenset({"table", "template"})
_ENDS_P = """address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form
h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul"""
ENDED_BY = {
    **dict.fromkeys(_ENDS_P.split(), (frozenset({"p"}), _P_WITHIN)),
    "li": (frozenset({"li"}), _ITEMS_WITHIN),
    **dict.fromkeys(("dd", "dt"), (frozenset({"dd", "dt"}), _ITEMS_WITHIN)),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), _IN_TABLE)),
    "tr": (frozenset({"tr"}), _IN_TABLE),
    **dict.fromkeys(("thead", "tbody", "tfoot"), (frozenset({"thead", "tbody", "tfoot"}), _IN_TABLE)),
}
"""What a tag ends that stands behind it, and within what it ends none of them."""
DEEPEST = 100
"""Elements that are looked through for one to end."""
_OF_HTML, _OF_BODY = re.compile(r"(?i)\bhtml\b|:root\b"), re.compile(r"(?i)\bbody\b")
_OF_TABLE = re.compile(r"(?i)\btbody\b|\btable\s*>")
_OF_ONE = re.compile(r"\s*(?:[^\s>+~:,]|:not\(\*\)|,\s*)+")
"""A selector of elements by themselves, wherever they stand."""
CODE = ("code", "pre", "kbd", "samp", "tt")


class _Parser(BeautifulSoupHTMLParser):
    """Refuses a page of more parts than memory is there for, and one that ends inside a tag or a comment: its end would
    be sought anew from each `<` of the rest.

    `overlapping`: elements that end within another one, or by the end of another one. A browser lets some of them go on
    behind it: of `<p><s>a</p><p>b</p>` both are crossed out. `begun`: those that end themselves, as only XML knows; of
    HTML `<s/>` is but a beginning.
    """

    _parts = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.overlapping: list[Tag] = self.soup.builder.overlapping  # type: ignore[attr-defined]
        self.begun: list[Tag] = self.soup.builder.begun  # type: ignore[attr-defined]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]], handle_empty_element: bool = True) -> None:
        """See `HTMLParser`."""
        self._count(1 + len(attrs))
        self._end_before(tag)
        super().handle_starttag(tag, attrs, handle_empty_element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        super().handle_startendtag(tag, attrs)
        ended = self.soup.tagStack[-1].contents[-1]
        if isinstance(ended, Tag) and not self.soup.builder.can_be_empty_element(tag):
            self.begun.append(ended)

    def handle_endtag(self, tag: str, check_already_closed: bool = True) -> None:
        """See `HTMLParser`; what is empty has ended where it began, and is not sought among all that did."""
        if check_already_closed and self.soup.builder.can_be_empty_element(tag):
            return
        if self.soup.open_tag_counter.get(tag):
            self._end(tag)
        super().handle_endtag(tag, check_already_closed=False)

    def _end_before(self, name: str) -> None:
        """End the element without an end that another one's beginning ends, as `<li>` does with the item before."""
        ended, within = ENDED_BY.get(name, NO_NAMES)
        if not any(map(self.soup.open_tag_counter.get, ended)):
            return
        for one in islice(reversed(self.soup.tagStack), DEEPEST):
            if one.name in ended:
                self.handle_endtag(one.name, check_already_closed=False)
            if one.name in ended or one.name in within:
                return
        self.overlapping += self.soup.tagStack[-1:]  # nobody has looked

    def _end(self, name: str) -> None:
        """Note which elements the end of one cuts off; each is cut off once."""
        cut = list(takewhile(lambda one: one.name != name, reversed(self.soup.tagStack)))
        torn = [one for one in cut if one.name not in WITHOUT_END]
        self.overlapping += torn
        if torn or (cut and name not in BLOCKS):
            self.overlapping.append(self.soup.tagStack[-1 - len(cut)])

    def handle_comment(self, data: str) -> None:
        """See `HTMLParser`."""
        self._count(1)
        super().handle_comment(data)

    def handle_pi(self, data: str) -> None:
        """See `HTMLParser`."""
        self._count(1)
        super().handle_pi(data)

    def unknown_decl(self, data: str) -> None:
        """See `HTMLParser`."""
        self._count(1)
        super().unknown_decl(data)

    def handle_decl(self, decl: str) -> None:
        """See `HTMLParser`."""
        self._count(1)
        super().handle_decl(decl)

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise DocumentTooLargeError(f"a page of more than {MOST_PARTS:,} elements, attributes and comments")

    def close(self) -> None:
        if self.rawdata.startswith("<") and len(self.rawdata) > LONGEST_END:
            raise ValueError("not HTML: a tag or a comment in it has no end")
        super().close()


class _Builder(HTMLParserTreeBuilder):
    def __init__(self) -> None:
        super().__init__(on_duplicate_attribute=BeautifulSoupHTMLParser.IGNORE)
        self.overlapping: list[Tag] = []
        self.begun: list[Tag] = []

    def feed(self, markup: Any, _parser_class: type[BeautifulSoupHTMLParser] = _Parser) -> None:
        super().feed(markup, _parser_class)


class _Beside(str):
    """Words of a drawing or a field of a form: a part of the sentence that they stand in, and no text by themselves."""


class _Text:
    """The text so far; blocks are told apart by an empty line."""

    def __init__(self) -> None:
        self.marks: list[tuple[int, int, str]] = []
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._length = 0
        self._table = _Table()

    def add(self, tag: Tag) -> None:
        for child in tag.children:
            if isinstance(child, Tag):
                self._add_tag(child)
            elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
                self._line.append(str(child))

    def _add_tag(self, tag: Tag) -> None:
        if _is_left_out(tag):
            self._line += [_Beside(f" {words} ") for words in _beside(tag)]
            return
        if tag.name in MOVED:
            self._line.append(MOVED[tag.name](_words_in(tag)))
            return
        if tag.name in INLINE:
            self.add(tag)
            return
        if tag.name == "tr" and (row := self._table.row(tag)) is not None:
            self.end_block()
            self._line.append(row)
            self.end_block()
            return
        if tag.name == "table":
            outer, self._table = self._table, _Table()
            self.end_block()
            self.add(tag)
            self.end_block()
            self._table = outer
            return
        self.end_block()
        if HEADING.fullmatch(tag.name):
            self._add_heading(tag)
            return
        self.add(tag)
        self.end_block()

    def _add_heading(self, tag: Tag) -> None:
        at, begun = len(self.marks), len(self._blocks)
        self.marks.append((self._length, int(tag.name[1]), ""))
        self.add(tag)
        self.end_block()
        self.marks[at] = (*self.marks[at][:2], " ".join(self._blocks[begun:]))

    def end_block(self) -> None:
        has_own = any(part.strip() for part in self._line if not isinstance(part, _Beside))
        block = _spaced("".join(self._line)) if has_own else ""
        self._line.clear()
        if block:
            self._blocks.append(block)
            self._length += len(block) + 2
            refuse_long(self._length)

    def text(self) -> str:
        self.end_block()
        return "\n\n".join(self._blocks)


class _Table:
    """A table so far: its first rows of heads alone are what its columns are called."""

    def __init__(self) -> None:
        self._heads: list[str] = []
        self._has_data = False
        self._spread = Spread()

    def row(self, row: Tag) -> str | None:
        """A row of data as one block, with its heads: what stands in one cell is about the others.

        None where the row lays out a page: a single cell, or headings and tables in it.
        """
        cells = row.find_all(["th", "td"], recursive=False)
        is_alone = (
            len(cells) < 2 and not self._spread.goes_on and all(spanned(one.get("rowspan")) == 1 for one in cells)
        )
        if is_alone or row.find([HEADING, "table"]):
            return None
        texts = self._spread.row(map(_cell, cells))
        refuse_long(sum(map(len, texts)))
        if self._has_data or {cell.name for cell in cells} != {"th"}:
            self._has_data = True
            return row_text(self._heads, texts)
        above = [*self._heads, *[""] * len(texts)]
        self._heads = [
            name if name == over else f"{over} {name}".strip() for over, name in zip(above, texts, strict=False)
        ]
        return " | ".join(filter(None, texts))


def _is_left_out(tag: Tag) -> bool:
    around = tag.name in AROUND and tag.find_parent(ABOUT) is None
    return around or tag.name in LEFT_OUT or _is_taken_back(tag)


def _beside(tag: Tag) -> Iterator[str]:
    """The words that a page shows of a drawing, or of a field as it stands at first."""
    if is_struck(str(tag.get("style") or "")):
        return
    if tag.name == "svg":
        yield from _drawn(tag)
    elif tag.name == "select" and (chosen := tag.find("option", selected=True) or tag.find("option")):
        yield chosen.get_text()
    elif tag.name == "textarea":
        yield tag.get_text() or str(tag.get("placeholder") or "")
    elif tag.name == "input" and str(tag.get("type")).lower() not in WORDLESS:
        yield str(tag.get("value") or tag.get("placeholder") or "")


def _drawn(tag: Tag) -> Iterator[str]:
    for child in tag.children:
        if isinstance(child, Tag) and child.name not in UNDRAWN and not _is_taken_back(child):
            yield from _drawn(child)
        elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
            yield str(child)


def _is_taken_back(tag: Tag) -> bool:
    """Whether a page crosses out what stands in a tag, or shows nothing of it."""
    return tag.name in UNSEEN or _is_struck(tag)


def _is_struck(tag: Tag) -> bool:
    return tag.name in STRUCK or is_struck(str(tag.get("style") or ""))


def _strike(page: BeautifulSoup, place: str, sheets: StyleSheets) -> Iterable[str]:
    """Write on each element that the page's style sheets cross it out, and return the selectors by which they do.

    Raises:
        DocumentTooLargeError: they do so by more rules than are looked up.
        ValueError: a rule does so, and nobody can say of what.
    """
    own = (str(style.string or "") for style in page.find_all("style"))
    base = joined(address_of(place), "".join(str(told["href"]) for told in page.find_all("base", href=True, limit=1)))
    selectors = dict.fromkeys(sheets.striking(base, own, _named_sheets(page)))
    if len(selectors) > MOST_STRIKING or any(len(selector) > LONGEST_SELECTOR for selector in selectors):
        raise DocumentTooLargeError(f"a page whose style sheets cross out by more than {MOST_STRIKING} rules")
    for selector in selectors:
        try:
            struck = page.select(selector)
        except (SelectorSyntaxError, NotImplementedError):  # a browser may know it
            raise ValueError("a page whose style sheets cross out what cannot be looked up") from None
        for tag in struck:
            tag["style"] = "line-through"
    return selectors


def _needs_a_browser(selector: str, page: BeautifulSoup, *, is_plain: bool) -> bool:
    """Whether a selector asks for what a browser puts into a page, or where overlapping elements stand in it."""
    is_put_in = (
        (page.html is None and _OF_HTML.search(selector))
        or (page.body is None and _OF_BODY.search(selector))
        or (
            _OF_TABLE.search(selector) and any(row.parent and row.parent.name == "table" for row in page.find_all("tr"))
        )
    )
    return bool(is_put_in) or not (is_plain or _OF_ONE.fullmatch(selector))


def _named_sheets(page: BeautifulSoup) -> Iterator[str]:
    """The addresses of the style sheets that a page names, in a link or as XML does."""
    for link in page.find_all("link", href=True):
        if "stylesheet" in str(link.get_attribute_list("rel")).lower():
            yield str(link["href"])
    for told in page.descendants:
        if isinstance(told, ProcessingInstruction):
            yield from _SHEET_OF_XML.findall(told)


def _words_in(tag: Tag) -> str:
    """The words of a tag, less what is left out in it."""
    inside = _Text()
    inside.add(tag)
    return inside.text()


def _cell(cell: Tag) -> Cell:
    shown = "" if is_struck(str(cell.get("style") or "")) else _spaced(_words_in(cell))
    return Cell(shown, spanned(cell.get("colspan")), spanned(cell.get("rowspan")))


def text_of(data: bytes | str, *, whole: bool = False, place: str = "", sheets: StyleSheets | None = None) -> Read:
    """Return the page's text, its title and its sections; of bytes the page itself may say how they are to be decoded.

    Args:
        whole: nothing stands around what it is about, as in a chapter of a book, or a mail.
        place: where it lies.
        sheets: the style sheets that lie beside it.

    Raises:
        DocumentTooLargeError: it holds too much.
        ValueError: it cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise DocumentTooLargeError(f"a page of more than {MOST_BYTES:,} bytes")
    builder = _Builder()
    try:
        page = BeautifulSoup(data, builder=builder)
    except ParserRejectedMarkup:
        raise ValueError("not HTML: its markup cannot be read") from None
    selectors = _strike(page, place, sheets or StyleSheets(lambda _: None))
    if any(_needs_a_browser(selector, page, is_plain=not builder.overlapping) for selector in selectors):
        raise ValueError("a page whose style sheets cross out by elements that only a browser finds in it")
    if any(map(_is_struck, builder.overlapping + builder.begun)):
        raise ValueError("a page that crosses out from within one element into another")
    if whole and page.body:
        page.body.name = ABOUT[0]
    articles = [one for one in page.find_all("article") if one.find_parent("article") is None]
    main = page.find("main") or (articles[0] if len(articles) == 1 else None) or page.body or page
    found = _Text()
    if not any(map(_is_taken_back, (main, *main.parents))):
        found.add(main)
    text = found.text()
    marks = [(min(start, len(text)), level, name) for start, level, name in found.marks]
    title = _spaced(page.title.get_text()) if page.title else ""
    title = title or next((name for _, level, name in marks if level == 1), "")
    code = {word for each in main.find_all(CODE) for word in words_in(each.get_text())}
    code.update(word for each in main.find_all("dt") for word in words_of_term(each.get_text()))
    return Read(text, title or None, headed(marks, len(text), title), frozenset(code))


def _spaced(text: str) -> str:
    return " ".join(text.split())
