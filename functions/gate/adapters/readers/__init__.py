"""Readers of documents: bytes and where they came from in, passages out; one line each in `READERS`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from gate.retrieval.chunking import Section, chunks
from gate.retrieval.passages import passage


@dataclass(frozen=True, slots=True)
class Problem:
    """A document, or a line of one, that could not be read: `where` it is, and why."""

    where: str
    why: str


Found = dict[str, Any] | Problem
Reader = Callable[[bytes, str], Iterator[Found]]


LONGEST_LINE = 8_000
"""Characters of a passage given as such; a longer one is a document. Beyond 1,200 the embedder reads only the start,
and what is judged for a claim is all of it: 3 MB on one line took 7 s of CPU a claim."""


def read_jsonl(data: bytes, location: str) -> Iterator[Found]:
    """One passage a line; a line that holds a whole document is cut like one."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError("not a JSON object")
                found = passage({"document": location, **record})
                yield from [found] if len(found["content"]) <= LONGEST_LINE else _shorter(found)
            except (ValueError, RecursionError) as error:
                yield Problem(f"{location}, line {number}", reason(error))


def _shorter(record: dict[str, Any]) -> Iterator[Found]:
    for chunk in chunks(record["content"]):
        sha = hashlib.sha256(chunk.text.encode("utf-8", "replace")).hexdigest()[:12]
        about = {"id": f"{record['id'][-120:]}#{sha}", "content": chunk.text, "start": chunk.start, "end": chunk.end}
        yield passage({**record, **about})


def read_text(data: bytes, location: str) -> Iterator[Found]:
    """Plain text, cut at paragraphs."""
    yield from cut(decode(data), [], location)


def read_markdown(data: bytes, location: str) -> Iterator[Found]:
    """Markdown, cut at headings."""
    from gate.adapters.readers.markdown_document import sections_of

    text = decode(data)
    title, sections = sections_of(text)
    yield from cut(text, sections, location, title)


def read_html(data: bytes, location: str) -> Iterator[Found]:
    """A web page without what surrounds its content, cut at headings."""
    from gate.adapters.readers.html import text_of

    text, title, sections = text_of(data)
    yield from cut(text, sections, location, title)


def read_pdf(data: bytes, location: str) -> Iterator[Found]:
    """A PDF with text in it, cut at pages."""
    from gate.adapters.readers.pdf import text_of

    text, title, sections = text_of(data)
    yield from cut(text, sections, location, title)


READERS: dict[str, Reader] = {
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".txt": read_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
}


_NAMES = """readme license licence copying copyright notice changelog changes news history authors contributing install
todo faq thanks usage"""
UNNAMED: dict[str, Reader] = dict.fromkeys(_NAMES.split(), read_text)
"""Readers of files without an ending that is known, by the name before the first dot, in small letters."""


def cut(text: str, sections: Sequence[Section], location: str, title: str | None = None) -> Iterator[Found]:
    """Turn a text into passages; their ids hold a hash of the text, so that they survive changes elsewhere in it."""
    for chunk in chunks(text, sections):
        sha = hashlib.sha256(chunk.text.encode("utf-8", "replace")).hexdigest()[:12]
        yield passage(
            {
                "id": f"{location[-120:]}#{sha}",
                "document": location,
                "title": title or PurePosixPath(location).stem,
                "section": chunk.section,
                "content": chunk.text,
                "start": chunk.start,
                "end": chunk.end,
            }
        )


def decode(data: bytes) -> str:
    """Read text: UTF-8, or UTF-16 with its mark.

    Raises:
        ValueError: it is neither.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = data.decode(encoding)
    if "\x00" in text:
        raise ValueError("holds zero bytes: not a text")
    return text


def reason(error: Exception) -> str:
    """Say why something could not be read, without quoting it."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at column {error.colno})"
    if isinstance(error, UnicodeDecodeError):
        return f"not {error.encoding.upper()} at byte {error.start}"
    return str(error) if type(error) is ValueError else "nested too deep"
