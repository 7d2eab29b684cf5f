"""Places inside files that a document cites: lines (`db.py:40`, `db.py#L40`) and headings (`guide.md#limits`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Literal
from urllib.parse import unquote

from gate.repository.document_place import is_foreign, is_page_of_html, is_test_data
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.mentions import CODE, Fences
from gate.repository.names.name_citations import NameCitation
from gate.repository.names.name_mentions import NameMention

MOST_LOOKS = 500
"""Documents for whose citations files are opened; to look for one goes through the names of all files."""
MOST_BYTES = 5_000_000

_LINES = re.compile(r"(?:#L(?P<from>\d{1,9})(?:C\d+)?(?:-L?(?P<to>\d{1,9})(?:C\d+)?)?|:(?P<line>\d{1,9})(?:[:-]\d+)?)$")
_PAGES = (".md", ".markdown")
_HEADING = re.compile(r"^[ \t>]{0,12}(?:[-*+][ \t]+)?#{1,6}[ \t]+(?P<title>\S.{0,500}?)[ \t#]*$")
_TAG = re.compile(r"<h[1-6]\b[^<>]{0,300}>(?P<title>.{1,500}?)</h[1-6]>", re.IGNORECASE)
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-+)[ \t]*$")
_NAMED = re.compile(r"\b(?:id|name)\s{0,3}=\s{0,3}[\"']?([^\"'\s>]{1,200})|\{[^{}]{0,60}#([\w:.-]{1,200})")
_TARGET = re.compile(r"^\(([\w.-]{1,200})\)=\s*$")
_MARKUP = re.compile(
    r"!?\[([^\[\]]{0,300})\](?:\([^()\s]{0,500}(?:\s[^()]{0,200})?\)|\[[^\[\]]{0,100}\])|<[^<>]{1,300}>"
)
_MADE = re.compile(
    r"\{[{%]|--8<--|<!--\s{0,9}#?include|^:::|^\s{0,9}(?:import|export)\s.{1,300}\sfrom\s|\{(?:include|auto)"
)
"""What puts text into a page that does not stand in its file, or that makes its headings."""
_ELSEWHERE = re.compile(
    r"^(?:top|readme|start|contents?|user-content-.*|:~:.*|issuecomment-.*|diff-.*|fn.*|\d.*)$", re.IGNORECASE
)
"""Places that every page has, or the site that shows it."""
_KEY = re.compile(r"[\W_]+")
_NUMBERED = re.compile(r"[-_]\d{1,9}$")

Place = Literal["line", "heading"]


@dataclass(frozen=True, slots=True)
class _Cited:
    """A citation of a place in a file; `at`: the line, or the heading's name."""

    citation: PathCitation
    path: str
    kind: Place
    at: str


@dataclass(frozen=True, slots=True)
class _File:
    """How many lines a file has, and what its headings are called; None: nobody can say."""

    lines: int
    headings: frozenset[str] | None


class Places:
    """Looks into the files of one repository; what was looked at is kept."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[str, _File | None] = {}
        self._looks = 0

    def missing(
        self, citations: Iterable[PathCitation], document: str, text: str, *, answer: bool
    ) -> Iterator[NameCitation]:
        """Yield the places that a document cites in itself or in files that are there, and that they do not have.

        A line beyond a file's end blocks in an answer. Headings are compared by their letters and digits alone, since
        each site writes them in its own way; pages with text from elsewhere are passed over, and
        so are documents of others.
        """
        if (is_foreign(document) or is_test_data(document)) and not answer:
            return
        is_made = self._repository.is_myst_page(document) or is_page_of_html(document, text)
        own = "" if answer or is_made else document
        cited = [found for citation in citations if (found := _cited(citation, own))]
        self._look({each.path for each in cited if each.citation.found})
        within = any(not each.citation.found for each in cited)
        page = _file(document, text.encode("utf-8", "replace")) if within else None
        for each in cited:
            file = self._known.get(each.path) if each.citation.found else page
            if file and each.kind == "line" and int(each.at) > file.lines:
                yield self._absent(each, f"{each.path}:{file.lines}", block=answer)
            elif file and each.kind == "heading" and file.headings is not None and not _has(file.headings, each.at):
                yield self._absent(each, "", block=False)

    def _look(self, paths: set[str]) -> None:
        wanted = paths - set(self._known)
        if not wanted or not self._repository.contents or self._looks >= MOST_LOOKS:
            return
        self._looks += 1
        self._known.update(dict.fromkeys(wanted))
        for path, data in self._repository.contents(wanted.__contains__):
            if data is not None and len(data) <= MOST_BYTES and b"\0" not in data:
                self._known[path] = _file(path, data)

    def _absent(self, cited: _Cited, suggestion: str, *, block: bool) -> NameCitation:
        mention = cited.citation.mention
        target = mention.target if cited.citation.found else f"{cited.path}{mention.target}"
        name = NameMention(target, cited.kind, "", mention.line, mention.column, mention.text, True)
        rule = "line_beyond" if cited.kind == "line" else "heading"
        return NameCitation(name, False, rule, "block" if block else "warn", suggestion or None)


def _cited(citation: PathCitation, own: str) -> _Cited | None:
    """The place that a mention cites; `own`: the document's path, whose own headings are places too."""
    mention, target = citation.mention, citation.mention.target
    within = target.startswith("#") and mention.surface in ("link", "reference", "html")
    path = own if within else citation.path
    if not path or not (citation.found or within):
        return None
    if not within and (found := _LINES.search(target)):
        line = max((found["from"] or "0", found["to"] or "0", found["line"] or "0"), key=int)
        return _Cited(citation, path, "line", line)
    heading = unquote(target.partition("#")[2])
    named = path.lower().endswith(_PAGES) and heading and not re.search(r"[=/]", heading)
    return _Cited(citation, path, "heading", heading) if named and not _ELSEWHERE.match(heading) else None


def _file(path: str, data: bytes) -> _File:
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    return _File(lines, _headings(data.decode("utf-8", "replace")) if path.lower().endswith(_PAGES) else None)


def _headings(text: str) -> frozenset[str] | None:
    """The names that headings of a page go by, in letters and digits; None: some of the page stands elsewhere."""
    found, fences, before = set[str](), Fences(), ""
    for line in text.splitlines():
        if fences.kind(line) == "text":
            if _MADE.search(CODE.sub("", line)):
                return None
            found.update(_key(next(filter(None, names))) for names in _NAMED.findall(line))
            heading = _HEADING.match(line) or _TARGET.match(line) or _TAG.search(line)
            if heading or _UNDERLINE.match(line):
                title = unescape(heading[1] if heading else before)
                found.update((_key(title), _key(_MARKUP.sub(r"\1", title))))
        before = line
    return frozenset(found)


def _key(name: str) -> str:
    return _KEY.sub("", name.lower())


def _has(headings: frozenset[str], name: str) -> bool:
    """Whether a page has a heading; the second of one name has a number behind it."""
    key = _key(name)
    return not key or key in headings or _key(_NUMBERED.sub("", name)) in headings
