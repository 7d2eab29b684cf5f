"""The text of reStructuredText, Sphinx's roles and directives among it; nothing is included, run or fetched."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.utils import SystemMessage

from gate.adapters.readers.layout import Cell, Layout, Read, Spread, row_text, spaced, within_bounds
from gate.adapters.readers.markdown_document import OpenElements, seen_html
from gate.text.composed import MOVED
from gate.text.formats.html_elements import hides, is_struck

MAX_CHARS = 2_000_000
LONGEST_LINE = 10_000
SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": True,  # looked at for what it crosses out, and read nowhere
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "line_length_limit": LONGEST_LINE,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "embed_stylesheet": False,
    "warning_stream": io.StringIO(),
}
UNREAD = frozenset(
    {"toctree", "index", "contents", "highlight", "currentmodule", "module", "py:module", "py:currentmodule", "sectnum"}
    | {"literalinclude", "include", "raw", "only-raw", "image", "graphviz", "tabularcolumns", "meta", "default-role"}
    | {"automodule", "autoclass", "autofunction", "autosummary", "autodata", "automethod", "title", "header", "footer"}
)
"""Directives of which a reader of the page sees nothing that stands here."""
CODE = frozenset(
    {"code-block", "sourcecode", "testcode", "doctest", "testoutput", "prompt", "ipython", "productionlist"}
)
TITLED = {"versionadded": "Added in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since"}
TITLED |= {"seealso": "See also:", "note": "Note:", "impl-detail": "Implementation detail:"}
METADATA = frozenset({"orphan", "nosearch", "nocomments", "tocdepth", "no-search"})
"""Fields at the head of a document that tell Sphinx something, and a reader nothing."""
PROSE_ROLES = frozenset({"ref", "doc", "term", "numref", "abbr", "dfn", "guilabel", "menuselection", "download", "any"})
"""Roles whose text is no name in code."""
SILENT = (
    nodes.comment, nodes.substitution_definition, nodes.target, nodes.system_message, nodes.raw, nodes.pending,
    nodes.image, nodes.label, nodes.footnote_reference, nodes.citation_reference, nodes.decoration,
    nodes.meta if hasattr(nodes, "meta") else nodes.raw,
)  # fmt: skip
_DAMAGED = (SystemMessage, AttributeError, IndexError, KeyError, TypeError, AssertionError, LookupError)
"""What the library raises on texts that break its rules."""
RAW = "raw-html"
"""What a document's tree keeps of its raw directives."""
_TARGET = re.compile(r"^(.{1,500}?)\s*<[^<>]{1,500}>$", re.DOTALL)
_LOCK = threading.Lock()


def text_of(text: str) -> Read:
    """Return the text as a reader sees it, its title and its sections.

    Raises:
        ValueError: it is too long, or cannot be read.
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS // 1_000_000} million characters")
    if any(len(line) > LONGEST_LINE for line in text.splitlines()):
        raise ValueError(f"a line of more than {LONGEST_LINE:,} characters")
    try:
        with _any_name():
            tree = publish_doctree(text, settings_overrides=SETTINGS)
    except _DAMAGED as error:
        raise ValueError(f"reStructuredText that cannot be read ({type(error).__name__})") from None
    of_roles = (raw.astext() for raw in tree.findall(nodes.raw) if "html" in raw.get("format", "").lower())
    if any(map(_crosses_out, (*tree.get(RAW, ()), *of_roles))):
        raise ValueError("reStructuredText that crosses out what follows by raw HTML")
    _name_references(tree)
    layout = Layout()
    _name_code(tree, layout)
    _write(tree, layout, 1)
    return layout.finish()


@contextmanager
def _any_name() -> Iterator[None]:
    """Inside, directives and roles that the library does not know are read as what they hold; Sphinx does likewise."""
    with _LOCK:
        directive, role = directives.directive, roles.role
        directives.directive, roles.role = _directive(directive), _role(role)
        try:
            yield
        finally:
            directives.directive, roles.role = directive, role


def _directive(known: Callable[..., Any]) -> Callable[..., Any]:
    def look_up(name: str, *more: Any) -> Any:
        if name in ("rst-class", "cssclass"):  # what Sphinx calls it
            return known("class", *more)
        if name in UNREAD or name in CODE or name in TITLED:
            return _named(name), []
        found, messages = known(name, *more)
        return (found, messages) if found is not None else (_named(name), [])

    return look_up


def _role(known: Callable[..., Any]) -> Callable[..., Any]:
    def look_up(name: str, *more: Any) -> Any:
        found, _ = known(name, *more)
        return found if found is not None else _unknown_role, []

    return look_up


def _unknown_role(name: str, rawtext: str, text: str, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
    shown = text.replace("\0", "")
    titled = _TARGET.match(shown)
    if titled:
        shown = titled[1]
    elif name == "ref":
        return [nodes.inline(rawtext, shown, refers=nodes.fully_normalize_name(shown))], []
    elif shown.startswith(("~", "!")):
        shown = shown[1:].rpartition(".")[2] if shown[0] == "~" else shown[1:]
    return [nodes.inline(rawtext, shown, is_name=name.rpartition(":")[2] not in PROSE_ROLES)], []


class _Options(dict[str, Any]):
    def __missing__(self, key: str) -> Any:
        return directives.unchanged


def _crosses_out(raw: str) -> bool:
    """Whether raw HTML opens what crosses out or hides the text behind it, or holds a style sheet that crosses out."""
    opened = OpenElements(raw)
    seen_html(raw, opened)
    return opened.hides or ("<style" in raw.lower() and is_struck(raw))


def _name_references(tree: Any) -> None:
    """A reference to a label of this document is shown by the title that stands under the label."""
    for node in list(tree.findall(lambda each: isinstance(each, nodes.inline) and "refers" in each)):
        target = tree.ids.get(tree.nameids.get(node["refers"]))
        titles = (each for each in getattr(target, "children", ()) if isinstance(each, nodes.title | nodes.caption))
        if title := next(titles, None):
            node.children = [nodes.Text(_inline(title))]


def _name_code(tree: Any, layout: Layout) -> None:
    """Tell which stretches are code: literals, roles that name something, options, what directives describe, terms."""
    for node in tree.findall(lambda each: isinstance(each, nodes.literal | nodes.option_string) or _is_name(each)):
        layout.named(node.astext())
    for term in tree.findall(nodes.term):
        layout.term(term.astext())


def _is_name(node: Any) -> bool:
    """Whether a node is what a role or a directive names."""
    return isinstance(node, nodes.Element) and bool(node.get("is_name"))


def _named(name: str) -> type[Directive]:
    class Named(_Any):
        called = name

    return Named


class _Any(Directive):  # type: ignore[misc]
    """A directive that the library does not know: its argument and what is in it."""

    called: ClassVar[str] = ""
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = _Options({"class": directives.unchanged})

    def run(self) -> list[Any]:
        content = "\n".join(self.content)
        if self.called == "raw" and "html" in " ".join(self.arguments).lower():
            self.state.document.setdefault(RAW, []).append(content)
        if self.called in UNREAD or any(map(hides, str(self.options.get("class") or "").split())):
            return []
        if self.called in CODE:
            return [nodes.literal_block(content, content)]
        is_object = self.called not in TITLED and len(self.arguments) == 1
        lead = " ".join(filter(None, (TITLED.get(self.called, ""), spaced(" ".join(self.arguments)))))
        found: list[Any] = []
        if lead:
            texts, _ = self.state.inline_text(lead, self.lineno)
            found.append(nodes.paragraph(lead, "", *texts, is_name=is_object))
        inside = nodes.container()
        if self.content:
            self.state.nested_parse(self.content, self.content_offset, inside)
        return [*found, *inside.children]


def _is_unseen(node: Any) -> bool:
    """Whether a reader sees nothing of a node, or sees it crossed out by one of its classes."""
    return isinstance(node, SILENT) or (isinstance(node, nodes.Element) and any(map(hides, node["classes"])))


def _write(node: Any, layout: Layout, level: int) -> None:
    for child in node.children:
        if _is_unseen(child):
            continue
        if isinstance(child, nodes.title | nodes.subtitle):
            if isinstance(node, nodes.Admonition | nodes.topic | nodes.sidebar | nodes.table):
                layout.block(_inline(child))
            else:
                layout.heading(level, _inline(child))
        elif isinstance(child, nodes.section):
            _write(child, layout, level + 1)
        elif isinstance(child, nodes.literal_block | nodes.doctest_block):
            layout.code(child.astext())
        elif isinstance(child, nodes.table):
            _table(child, layout)
        elif isinstance(child, nodes.field) and child.children[0].astext() in METADATA:
            continue
        elif isinstance(child, nodes.definition_list_item | nodes.field | nodes.option_list_item):
            _item(child, layout, level)
        elif isinstance(child, nodes.line_block):
            layout.block(" ".join(_inline(line) for line in child.findall(nodes.line)))
        elif isinstance(child, nodes.Admonition):
            _admonition(child, layout, level)
        elif isinstance(child, nodes.TextElement):
            layout.block(_inline(child))
        else:
            _write(child, layout, level)


def _admonition(node: Any, layout: Layout, level: int) -> None:
    first = node.children[0] if node.children else None
    if isinstance(first, nodes.paragraph) and not isinstance(node, nodes.admonition):
        layout.block(f"{type(node).__name__.capitalize()}: {_inline(first)}")
        _write(_Rest(node.children[1:]), layout, level)
    else:
        _write(node, layout, level)


def _item(node: Any, layout: Layout, level: int) -> None:
    """A term with what it means, a field with its body, an option with its description: the first two in one block."""
    *names, body = node.children
    name = ", ".join(filter(None, (_inline(each) for each in names)))
    paragraphs = body.children
    if paragraphs and isinstance(paragraphs[0], nodes.paragraph):
        layout.block(f"{name}: {_inline(paragraphs[0])}")
        paragraphs = paragraphs[1:]
    else:
        layout.block(name)
    _write(_Rest(paragraphs), layout, level)


class _Rest:
    def __init__(self, children: Any) -> None:
        self.children = children


def _table(table: Any, layout: Layout) -> None:
    for title in table.findall(nodes.title):
        layout.block(_inline(title))
    heads = _rows(table, nodes.thead)
    for row in heads:
        layout.block(" | ".join(filter(None, row)))
    for cells in within_bounds(_rows(table, nodes.tbody)):
        layout.block(row_text(heads[-1] if heads else [], cells))


def _rows(table: Any, part: type[Any]) -> list[list[str]]:
    """The texts of the rows in the head or body of a table, by column."""
    spread = Spread()
    return [spread.row(map(_cell, row.children)) for inside in table.findall(part) for row in inside.findall(nodes.row)]


def _cell(entry: Any) -> Cell:
    text = spaced(" ".join(_inline(each) for each in entry.children))
    return Cell(text, 1 + entry.get("morecols", 0), 1 + entry.get("morerows", 0))


def _inline(node: Any) -> str:
    """The text of a node without what nobody sees."""
    if _is_unseen(node):
        return ""
    if isinstance(node, nodes.Text):
        return str(node.astext())
    if isinstance(node, nodes.superscript | nodes.subscript):
        return MOVED[node.tagname[:3]](str(node.astext()))
    if isinstance(node, nodes.problematic):
        return str(node.astext()).strip("|`_")
    gap = "" if isinstance(node, nodes.TextElement | nodes.option | nodes.option_argument) else " "
    if isinstance(node, nodes.option_argument):
        return str(node.get("delimiter", " ")) + str(node.astext())
    if isinstance(node, nodes.option_group):
        gap = ", "
    return gap.join(_inline(child) for child in node.children)
