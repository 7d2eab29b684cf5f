"""Structured data as statements: a line for each value, behind the path of keys that leads to it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

from gate.adapters.readers.layout import Layout, Read, parsed_json, spaced

MAX_STATEMENTS = 50_000
MAX_YAML_CHARS = 2_000_000
MAX_DEPTH = 100
LISTED = 200
"""Plain values of a list that stand in one line."""
TITLES = (("info", "title"), ("title",), ("name",), ("metadata", "name"), ("project", "name"))

Statement = tuple[tuple[str, ...], str]


def text_of_json(text: str) -> Read:
    """Return what a JSON document says; see `_written`. A figure is as it is written: version 3.10 is no 3.1."""
    return _written([parsed_json(text.removeprefix("\ufeff"), parse_float=str)])


def text_of_toml(text: str) -> Read:
    """Return what a TOML document says; see `_written`.

    Raises:
        ValueError: it is none, or a key has very many parts, for which the library takes quadratic time.
    """
    if any(line.partition("=")[0].count(".") > MAX_DEPTH for line in text.splitlines()):
        raise ValueError(f"a key of more than {MAX_DEPTH} parts")
    return _written([tomllib.loads(text, parse_float=lambda written: written.replace("_", ""))])


def text_of_yaml(text: str) -> Read:
    """Return what YAML documents say; see `_written`. Tags are no matter, aliases are not followed.

    Raises:
        ValueError: it is no YAML, too long or nested too deep.
    """
    import yaml

    if len(text) > MAX_YAML_CHARS:
        raise ValueError(f"longer than {MAX_YAML_CHARS // 1_000_000} million characters")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _written(_documents(yaml.parse(text, Loader=loader)))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise ValueError("not YAML" + (f" at line {mark.line + 1}" if mark else "")) from None


def _documents(events: Iterator[Any]) -> Iterator[Any]:
    """Build each document from its events: texts, lists and mappings alone."""
    import yaml

    built: list[Any] = []  # what is open: lists, and mappings as [mapping, key]
    for event in events:
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(built) > MAX_DEPTH:
                raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
            built.append([{}, None] if isinstance(event, yaml.MappingStartEvent) else ([],))
            continue
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            value: Any = built.pop()[0]
        elif isinstance(event, yaml.ScalarEvent):
            value = event.value
        elif isinstance(event, yaml.AliasEvent):
            value = f"*{event.anchor}"
        else:
            continue
        if not built:
            yield value
        elif isinstance(built[-1], tuple):
            built[-1][0].append(value)
        elif built[-1][1] is None:
            built[-1][1] = value if isinstance(value, str) else str(value)[:100]
        else:
            built[-1][0][built[-1][1]] = value
            built[-1][1] = None


def _written(documents: Any) -> Read:
    """Return a line for each value, sections by the first key, and the title that the document gives itself.

    Raises:
        ValueError: it holds more values than a document would, or none.
    """
    found: list[Statement] = []
    title = None
    for document in documents:
        title = title or next(filter(None, (_at(document, path) for path in TITLES)), None)
        for statement in _statements(document):
            found.append(statement)
            if len(found) > MAX_STATEMENTS:
                raise ValueError(f"more than {MAX_STATEMENTS:,} values: data, no document")
    layout = Layout(title)
    section = ""
    lines: list[str] = []
    for path, value in found:
        if path and path[0] != section:
            _flush(layout, lines)
            section = path[0]
            layout.section(2, section)
        lines.append(f"{'.'.join(path)}: {value}" if path else value)
        if len(lines) >= LINES:
            _flush(layout, lines)
    _flush(layout, lines)
    return layout.finish()


LINES = 8
"""Statements of one paragraph."""


def _flush(layout: Layout, lines: list[str]) -> None:
    layout.code("\n".join(lines))
    lines.clear()


def _at(document: Any, path: tuple[str, ...]) -> str | None:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return spaced(document)[:200] or None if isinstance(document, str) else None


def _statements(document: Any) -> Iterator[Statement]:
    waiting: list[tuple[tuple[str, ...], Any]] = [((), document)]
    while waiting:
        path, value = waiting.pop()
        if len(path) > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, dict):
            waiting += [((*path, _key(key)), inner) for key, inner in reversed(value.items())]
        elif isinstance(value, list) and all(not isinstance(each, dict | list) for each in value):
            for start in range(0, len(value), LISTED):
                yield path, ", ".join(map(_plain, value[start : start + LISTED]))
        elif isinstance(value, list):
            waiting += [((*path, _name(inner, number)), inner) for number, inner in reversed([*enumerate(value, 1)])]
        else:
            yield path, _plain(value)


def _key(key: Any) -> str:
    return spaced(str(key))[:200]


def _name(value: Any, number: int) -> str:
    """An entry of a list is called by its name, where it has one, else by its number."""
    named = value.get("name", value.get("id")) if isinstance(value, dict) else None
    return _key(named) if isinstance(named, str) and named.strip() else str(number)


def _plain(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return spaced(str(value))
