"""Which documents of the corpus are the source that a claim names: by address, by file or id, by title."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from gate.model import Document, NamedSource
from gate.retrieval.deduplication import document_id
from gate.text.words.formulae import SOURCES

_WORD = re.compile(r"[^\W_]+")
_SHORTEST = 6
"""Letters of a title of one word that may be found within a longer name."""


def names_something(source: NamedSource) -> bool:
    """Whether a source is named by more than a number or a word such as "passages"."""
    return bool(source["url"]) or any(word not in SOURCES for word in _words(source["title"]))


def matching(source: NamedSource, documents: Sequence[Document]) -> list[Document]:
    """The passages of the document that a source names, in their order; of several readings the closest.

    A word such as "handbook" names the one document whose title ends with it, and none where several do.
    """
    if not names_something(source):
        word = _words(source["title"])
        found = [one for one in documents if word and any(name[-1:] == word for name in _names(one))]
        return found if len({one.get("title") or _files(one)[1] for one in found}) == 1 else []
    for fits in _readings(source):
        found = [document for document in documents if fits(document)]
        if found:
            return found
    return []


def is_told(source: NamedSource, documents: Sequence[Document]) -> bool:
    """Whether documents say of themselves what this source is named by: a corpus without addresses knows none."""
    addressed = any(document.get("url") for document in documents)
    titled = any(document.get("title") for document in documents)
    return (bool(source["url"]) and addressed) or (bool(source["title"]) and titled)


def query_of(source: NamedSource) -> str:
    """Words by which a search may find the source."""
    path = _path(source["url"])
    return " ".join([source["title"], *_words(PurePosixPath(path).stem if path else "")])


def _readings(source: NamedSource) -> Iterator[Callable[[Document], bool]]:
    """Ways to tell that a passage is of a source, the surest first."""
    address, words = _address(source["url"]), _words(source["title"])
    file = PurePosixPath(_path(source["url"]) or source["title"]).name.casefold()
    if address:
        yield lambda document: _address(document.get("url") or "") == address
    if file:
        yield lambda document: file in _files(document)
    if words:
        yield lambda document: words in _names(document)
        yield lambda document: any(_is_within(name, words) for name in _names(document) if _tells(name))
        yield lambda document: any(_is_within(words, name) for name in _names(document))


def _path(url: str) -> str:
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return ""


def _address(url: str) -> str:
    """An address without what leads to the same page: scheme, `www.`, anchor, slash at the end."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{unquote(parts.path).rstrip('/')}{'?' if parts.query else ''}{parts.query}"


def _files(document: Document) -> tuple[str, ...]:
    """Id and file name, as a passage's id holds them before its `#`."""
    whole = document_id(document).casefold()
    location = whole.rpartition("#")[0] or whole
    return whole, location, PurePosixPath(location).name


def _names(document: Document) -> tuple[list[str], list[str]]:
    return _words(document.get("title") or ""), _words(PurePosixPath(_files(document)[1]).stem)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _tells(name: list[str]) -> bool:
    """Whether a title is enough of one to be found within a longer name."""
    return len(name) > 1 or any(len(word) >= _SHORTEST and word not in SOURCES for word in name)


def _is_within(short: list[str], long: list[str]) -> bool:
    return f" {' '.join(short)} " in f" {' '.join(long)} " if short else False
