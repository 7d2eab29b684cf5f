"""What the text of an image names: paths, and the components of a drawing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gate.errors import InputError
from gate.repository import path_rule
from gate.repository.paths import normalise

_PATH = re.compile(r"(?<![\w/:@.-])((?:[\w.-]+/)+[\w.-]*\w\.\w{1,6})(?![\w/])")
_COMPONENT = re.compile(r"^[^\S\n]*COMPONENT:[^\S\n]*(\S.*)", re.MULTILINE)
_IDENTIFIER = re.compile(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b")

_CAPITALS = re.compile(r"\b[A-Z]\w+(?:[ -][A-Z]\w+){0,5}")
MOST_NAMES = 5_000


def paths(text: str) -> list[str]:
    """Paths of files with a known ending, once each, in the order they are seen."""
    return list(dict.fromkeys(_usable(match[1] for match in _PATH.finditer(text))))


def _usable(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        try:
            path = normalise(name)
        except InputError:
            continue
        if path_rule.extension(path) in path_rule.FILES and not path_rule.is_domain(path):
            yield path


def components(text: str) -> list[str]:
    """Names of parts: those that the reader marked as such, else words that are written as identifiers are."""
    marked = [name.rstrip() for name in _COMPONENT.findall(text)]
    return list(dict.fromkeys(marked or _IDENTIFIER.findall(_PATH.sub(" ", text))))


def names(text: str) -> list[str]:
    """Keys of the names that a document uses: identifiers, and words with a capital, up to three in a row."""
    found = {key(name) for name in _IDENTIFIER.findall(text)}
    for run in _CAPITALS.findall(text):
        parts = run.split()
        found.update(key("".join(parts[n : n + size])) for size in (1, 2, 3) for n in range(len(parts) - size + 1))
    return sorted(found)[:MOST_NAMES]


def key(name: str) -> str:
    """What stays of a name when spelling is put aside: `VectorStore`, `vector_store` and `vector-store` are one."""
    return re.sub(r"[\W_]+", "", name).lower()
