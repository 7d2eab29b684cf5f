"""Reads corpora: one reader per file format, one line each in `READERS`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from gate.errors import InputError
from gate.rules.chunking import Section, chunks
from gate.rules.passages import passage

READER_VERSION = "1"
"""Raise it when a reader cuts differently: cached indexes of corpora are then made anew."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A document, or a line of one, that could not be read: `where` it is, and why."""

    where: str
    why: str


Reader = Callable[[bytes, str], Iterator[dict[str, Any] | Problem]]


def read_jsonl(data: bytes, location: str) -> Iterator[dict[str, Any] | Problem]:
    """One passage a line."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError("not a JSON object")
                yield passage(record)
            except (ValueError, RecursionError) as error:
                yield Problem(f"{location}, line {number}", _reason(error))


def read_text(data: bytes, location: str) -> Iterator[dict[str, Any] | Problem]:
    """Plain text, cut at paragraphs."""
    text = decode(data)
    yield from cut(text, [], location, Path(location).stem)


def read_markdown(data: bytes, location: str) -> Iterator[dict[str, Any] | Problem]:
    """Markdown, cut at headings; a section's title is the path of headings above it."""
    text = decode(data)
    title, sections = markdown_sections(text)
    yield from cut(text, sections, location, title or Path(location).stem)


READERS: dict[str, Reader] = {
    ".jsonl": read_jsonl,
    ".txt": read_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
}


def decode(data: bytes) -> str:
    """Read text: UTF-8, or UTF-16 with its mark.

    Raises:
        ValueError: it is neither.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(f"not {encoding.removesuffix('-sig')} at byte {error.start}") from None
    if "\x00" in text:
        raise ValueError("holds zero bytes: not a text")
    return text


def markdown_sections(text: str) -> tuple[str | None, list[Section]]:
    """Return the first heading of level one, and the sections."""
    from markdown_it import MarkdownIt

    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tokens = MarkdownIt().parse(text)
    path: list[str] = []
    marks: list[tuple[int, str | None]] = [(0, None)]
    title = None
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.map is not None and token.level == 0:
            level = int(token.tag[1:])
            title = title or (inline.content if level == 1 else None)
            path = [*(path + [""] * level)[: level - 1], inline.content]
            marks.append((starts[token.map[0]], " > ".join(part for part in path if part) or None))
    ends = [start for start, _ in marks[1:]] + [len(text)]
    return title, [Section(name, start, end) for (start, name), end in zip(marks, ends, strict=True) if start < end]


def cut(text: str, sections: list[Section], location: str, title: str) -> Iterator[dict[str, Any] | Problem]:
    """Turn a text into passages; their ids hold a hash of the text, so that they survive changes elsewhere in it."""
    for chunk in chunks(text, sections):
        sha = hashlib.sha256(chunk.text.encode()).hexdigest()[:12]
        yield passage(
            {
                "id": f"{location[-400:]}#{sha}",
                "document": location,
                "title": title,
                "section": chunk.section,
                "content": chunk.text,
                "start": chunk.start,
                "end": chunk.end,
            }
        )


def files(path: Path) -> list[tuple[Path, str]]:
    """Return the files of a corpus and where each lies in it, in order; hidden ones and unknown formats are left out.

    Raises:
        InputError: there is nothing at `path`, or nothing that can be read.
    """
    if path.is_file():
        if path.suffix.lower() not in READERS:
            raise InputError(f"{path}: unknown format", hint="known: " + ", ".join(READERS))
        return [(path, path.name)]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    inside = ((each, each.relative_to(path)) for each in sorted(path.rglob("*")))
    found = [
        (each, where.as_posix())
        for each, where in inside
        if each.suffix.lower() in READERS and each.is_file() and not any(part.startswith(".") for part in where.parts)
    ]
    if not found:
        raise InputError(f"{path}: no file that can be read", hint="known: " + ", ".join(READERS))
    return found


def read(data: bytes, location: str) -> Iterator[dict[str, Any] | Problem]:
    """Read one file's bytes with the reader of its name."""
    try:
        yield from READERS[Path(location).suffix.lower()](data, location)
    except ValueError as error:
        yield Problem(location, _reason(error))


def read_corpus(path: Path) -> Iterator[dict[str, Any] | Problem]:
    """Read a file, or every file of a folder."""
    for file, location in files(path):
        yield from read(_bytes(file), location)


def fingerprint(path: Path, *more: str) -> str:
    """Return a hash of everything that decides what a corpus's index holds."""
    digest = hashlib.sha256("\x00".join([READER_VERSION, *more]).encode())
    for file, location in files(path):
        digest.update(f"\x00{location}\x00".encode() + hashlib.sha256(_bytes(file)).digest())
    return digest.hexdigest()


def whole(path: Path) -> list[dict[str, Any]]:
    """Read a corpus of which every passage must be good.

    Raises:
        InputError: says which line or file is not, or that there is nothing in it.
    """
    passages = list(_good(read_corpus(path)))
    if not passages:
        raise InputError(f"{path}: the corpus is empty")
    return passages


def _good(found: Iterable[dict[str, Any] | Problem]) -> Iterator[dict[str, Any]]:
    for each in found:
        if isinstance(each, Problem):
            raise InputError(f"{each.where}: {each.why}")
        yield each


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at column {error.colno})"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start}"
    return str(error) if type(error) is ValueError else "cannot be read"
